import { lineColour } from "../../theme/line-colours.ts";

/** How a line looks: by colour and by dashes, so that neither is needed alone. */
interface LineLook {
  readonly colour: string;
  /** Lengths of dash and space, CSS pixels; empty: a whole line. */
  readonly dash: readonly number[];
}

const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** The look of the line at a place, from 0 on; 12 differ from each other. */
export const lineLook = (place: number, theme: "light" | "dark"): LineLook => ({
  colour: lineColour(place, theme),
  dash: DASHES[place % DASHES.length] ?? [],
});
