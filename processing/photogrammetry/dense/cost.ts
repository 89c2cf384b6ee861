/** Steps of a cost per unit of correlation: `COST_STEPS` of `wasm/assembly/dense.ts`. */
export const COST_STEPS = 4000;
/**
 * Cost of a cell that no two views see, at all heights. Between a poor match and none. Higher draws heights
 * towards what two views happen to see, lower into what none sees.
 */
export const UNSEEN_COST = 2800;
/** Cost of heights that only pad a cell to a multiple of 8: never the least. */
export const PAD_COST = 0x3fff;
