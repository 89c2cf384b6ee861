import { CLASS_FROM_KMH, SPEED_CLASSES } from "../track/speed.ts";

/** Colours of the classes of speed from standing to the fastest; each is 3 : 1 on the ground of its theme. */
const CLASS_COLOURS: Readonly<Record<"light" | "dark", readonly string[]>> = {
  light: ["#57606a", "#1d4ed8", "#0f766e", "#a16207", "#b42318"],
  dark: ["#9aa7b3", "#8ab4f8", "#4ac26b", "#facc15", "#ff8b80"],
};
/** Widths of the same, CSS pixels: who sees no colours sees where it was fast. */
const CLASS_WIDTHS = [2, 3, 4, 5.5, 7] as const;

/** How the map draws a class of speed. */
interface ClassLook {
  readonly colour: string;
  readonly width: number;
  /** km/h; the last class has no end. */
  readonly fromKmh: number;
  readonly toKmh: number | undefined;
}

/** All classes, from standing to the fastest. */
export function classLooks(theme: "light" | "dark"): readonly ClassLook[] {
  return Array.from({ length: SPEED_CLASSES }, (_, place) => ({
    colour: CLASS_COLOURS[theme][place] ?? "",
    width: CLASS_WIDTHS[place] ?? 1,
    fromKmh: CLASS_FROM_KMH[place - 1] ?? 0,
    toKmh: CLASS_FROM_KMH[place],
  }));
}
