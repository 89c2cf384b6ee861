/** Speeds in km/h: a knot is 1,852 m an hour by definition. */
export const KMH_PER_KNOT = 1.852;
export const KMH_PER_MPS = 3.6;

/** A number in another unit, without the dust of the conversion: 40 x 1.852 is 74.08, not 74.08000000000001. */
export const inUnit = (value: number, factor: number): number =>
  Math.round(value * factor * 1e6) / 1e6;
