/** A corner in a picture, shares of its width and height from the upper left, 0 to 1. */
export type Corner = readonly [x: number, y: number];

/** Where zones are in the reference view of a camera, by zone. */
export type Outlines = ReadonlyMap<string, readonly Corner[]>;

/** Decimals of a share: a tenth of a pixel of 1,000. */
const DECIMALS = 4;
/** Corners of an outline at least. */
export const LEAST_CORNERS = 3;

const within = (share: number): number => Number(Math.min(1, Math.max(0, share)).toFixed(DECIMALS));

/** A corner within the picture. */
export const cornerAt = (x: number, y: number): Corner => [within(x), within(y)];

export const outlinesOf = (
  zones: readonly { readonly zone_id: string; readonly outline: readonly (readonly number[])[] }[],
): Outlines =>
  new Map(
    zones.map(({ zone_id, outline }) => [zone_id, outline.map(([x = 0, y = 0]) => cornerAt(x, y))]),
  );

/** As the API takes them; a zone without corners is not in the picture. */
export const zonesOf = (outlines: Outlines): { zone_id: string; outline: [number, number][] }[] =>
  [...outlines]
    .filter(([, outline]) => outline.length > 0)
    .map(([zone_id, outline]) => ({
      zone_id,
      outline: outline.map(([x, y]): [number, number] => [x, y]),
    }));

/** Whether each outline has its corners. */
export const isWhole = (outlines: Outlines): boolean =>
  [...outlines.values()].every(({ length }) => length === 0 || length >= LEAST_CORNERS);

/** With the corners of one zone in the place of those before. */
export function withOutline(
  before: Outlines,
  zoneId: string,
  outline: readonly Corner[],
): Outlines {
  const after = new Map(before);
  after.set(zoneId, outline);
  return after;
}
