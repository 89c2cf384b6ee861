/** How a line looks: by colour and by dashes, so that neither is needed alone. */
interface LineLook {
  readonly colour: string;
  /** Lengths of dash and space, CSS pixels; empty: a whole line. */
  readonly dash: readonly number[];
}

/** Colours that are at least 3 : 1 on the surface of their theme, and apart for who does not see red or green. */
const COLOURS: Readonly<Record<"light" | "dark", readonly string[]>> = {
  light: ["#0b4f6c", "#b45309", "#7c3aed", "#0f766e", "#be185d", "#4d5b68"],
  dark: ["#6cc5e8", "#f0b35a", "#c4a7ff", "#5eead4", "#f9a8d4", "#a4b3c0"],
};
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** The look of the line at a place, from 0 on; 12 differ from each other. */
export function lineLook(place: number, theme: "light" | "dark"): LineLook {
  const colours = COLOURS[theme];
  return {
    colour: colours[place % colours.length] ?? "currentColor",
    dash: DASHES[place % DASHES.length] ?? [],
  };
}
