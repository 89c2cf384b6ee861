import type { SaysPosition } from "./exif-position.ts";

/** A file that was chosen, as far as this browser knows it. */
export interface ChosenFile {
  readonly file: File;
  readonly position: SaysPosition;
  /** The same for equal content; where the browser has no hashes, for equal name and size. */
  readonly sameAs: string;
}

/** What the service takes (docs/rules.md#images). */
const MOST_BYTES = 50 * 1_024 * 1_024;
const FEWEST = 5;
const MOST = 300;
const TYPES = /\.(jpe?g|png|webp|tiff?)$/i;
const SURFACE = /\.tiff?$/i;

/** What was found in the files before anything is sent. */
export interface Checks {
  /** Those that are sent. */
  readonly good: readonly ChosenFile[];
  readonly wrongType: readonly string[];
  readonly tooLarge: readonly string[];
  readonly doubles: readonly string[];
  readonly withoutPosition: readonly string[];
  readonly bytes: number;
  /** Why nothing can be sent. */
  readonly problem: "none" | "too_few" | "too_many" | undefined;
}

/** Checks what was chosen; one GeoTIFF of heights is enough by itself. */
export function checkFiles(chosen: readonly ChosenFile[]): Checks {
  const [wrongType, tooLarge, doubles]: [string[], string[], string[]] = [[], [], []];
  const good: ChosenFile[] = [];
  const seen = new Set<string>();
  for (const one of chosen) {
    const { name, size } = one.file;
    if (!TYPES.test(name)) wrongType.push(name);
    else if (size > MOST_BYTES) tooLarge.push(name);
    else if (seen.has(one.sameAs)) doubles.push(name);
    else good.push(one);
    seen.add(one.sameAs);
  }
  const [only] = good;
  const isSurface = good.length === 1 && only !== undefined && SURFACE.test(only.file.name);
  return {
    ...{ good, wrongType, tooLarge, doubles },
    withoutPosition: good.filter(({ position }) => position === "no").map(({ file }) => file.name),
    bytes: good.reduce((sum, { file }) => sum + file.size, 0),
    problem:
      good.length === 0
        ? "none"
        : good.length > MOST
          ? "too_many"
          : good.length < FEWEST && !isSurface
            ? "too_few"
            : undefined,
  };
}
