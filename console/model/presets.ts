/** From where a site is looked at, in the order of the keys 1 to 5. */
export const PRESETS = ["top", "south", "east", "north", "west"] as const;
export type Preset = (typeof PRESETS)[number];

/**
 * How far above the horizon the sides are seen from, radians (15 degrees). Level, a yard is a line and its near edge
 * hides all else; steeper, heights can hardly be compared.
 */
const SIDE_RAD = Math.PI / 12;

/** The preset of a key; `undefined`: the key has none. */
export const presetOf = (key: string): Preset | undefined =>
  /^[1-5]$/.test(key) ? PRESETS[Number(key) - 1] : undefined;

/** Where the camera is, seen from the middle of the site: x east, y up, z south, length 1. */
export function directionOf(preset: Preset): readonly [number, number, number] {
  const [level, up] = [Math.cos(SIDE_RAD), Math.sin(SIDE_RAD)];
  switch (preset) {
    case "top":
      return [0, 1, 0];
    case "south":
      return [0, up, level];
    case "east":
      return [level, up, 0];
    case "north":
      return [0, up, -level];
    case "west":
      return [-level, up, 0];
  }
}
