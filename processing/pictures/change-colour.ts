import { redBlue } from "./colour-ramp.ts";
import type { Colour } from "./picture.ts";

/** What changed by no more than the noise. */
export const UNCHANGED: Colour = [236, 237, 239];
/**
 * Exponent of the colours' strength: below 1 small changes stand out from the noise. Lower lifts noise as well, 1
 * leaves small changes pale.
 */
const STRENGTH = 0.6;

/**
 * Colours of a change of height, metres: red removed, blue added, grey within the noise. The darkest begins at `topM`.
 */
export function changeColours(noiseM: number, topM: number): (changeM: number) => Colour {
  return (changeM) => {
    if (Math.abs(changeM) <= noiseM) return UNCHANGED;
    const strength = Math.abs(changeM / topM) ** STRENGTH;
    return redBlue((1 + Math.sign(changeM) * strength) / 2);
  };
}
