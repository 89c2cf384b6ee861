const SOUTH_WEST = "its axes count south and west, which its PROJ string does not say";

/**
 * Codes whose definition proj4 reads and does not compute as PROJ does, with the reason. Found by
 * `npm run test:coordinates`, which compares every code with PROJ.
 */
export const NOT_EXACT: ReadonlyMap<number, string> = new Map([
  [8044, SOUTH_WEST],
  [8045, SOUTH_WEST],
  [28_191, "proj4 is off by up to 0.2 m in the east of its area"],
]);
