/**
 * Where the parts of a record lie in the heap of a memtable. A record is one point in one place, so
 * that sorting 100,000 assets costs one cache miss a point and not one a column:
 *
 *     float64 0  fix time, ms since the Unix epoch
 *     float64 1  sequence number
 *     uint32  4  payload hash          uint32  5  asset number
 *     uint32  6  project number        uint32  7  shape number
 *     uint32  8  previous record of the asset, 0 = none; uint32 9 is unused
 *     float64 5  values in the order of the shape's names
 */
export const TIME_AT = 0;
export const SEQ_AT = 1;
export const HASH_AT = 4;
export const ASSET_AT = 5;
export const PROJECT_AT = 6;
export const SHAPE_AT = 7;
export const PREVIOUS_AT = 8;
export const VALUES_AT = 5;

/** First record; place 0 means "none". */
export const FIRST_RECORD = 1;

/** The names of the fields that a record carries, in the order of its values. */
export type Shape = readonly string[];

/** A memtable as the sealing thread sees it. The heap is shared, so nothing is copied. */
export interface SealedHeap {
  readonly buffer: SharedArrayBuffer;
  /** End of the last record, in doubles. */
  readonly used: number;
  readonly count: number;
  readonly shapes: readonly Shape[];
}
