/** Steps that whole numbers and decimals of heights make, in units of the file. */
const STEPS = [1, 0.5, 0.25, 0.1, 0.05] as const;
/** Different heights that show a step; fewer are found among boxes on a slab as well. */
const LEAST_LEVELS = 4;
/** How far heights lie off a multiple of the step, in steps: what 32 bits leave of metres and decimals. */
const TOLERANCE = 1e-3;
/** Heights that are sampled. */
const SAMPLES = 20_000;

/**
 * The step that heights were rounded to, in units of the file: 1 where all are whole numbers. 0: they were
 * not rounded, or too finely to matter.
 * @param heights metres; NaN = no data
 * @param raw value of a height in the file, before scale and offset
 */
export function heightStep(heights: Float32Array, raw: (heightM: number) => number): number {
  const stride = Math.max(1, Math.floor(heights.length / SAMPLES));
  const some: number[] = [];
  for (let i = 0; i < heights.length; i += stride) {
    const height = heights[i] ?? Number.NaN;
    if (!Number.isNaN(height)) some.push(raw(height));
  }
  if (new Set(some).size < LEAST_LEVELS) return 0;
  const isMultiple = (step: number) =>
    some.every((value) => Math.abs(value / step - Math.round(value / step)) < TOLERANCE);
  return STEPS.find(isMultiple) ?? 0;
}
