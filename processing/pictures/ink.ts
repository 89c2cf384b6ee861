import type { Colour } from "./picture.ts";

/** Text, frames and lines of maps. */
export const INK: Colour = [30, 34, 40];
export const PAPER: Colour = [255, 255, 255];
