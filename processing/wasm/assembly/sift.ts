/**
 * SIFT's inner loops (D. G. Lowe, IJCV 60 (2), 2004) on planes of f32, grey levels 0 to 1. A plane has
 * `height` rows of `stride` values, `stride` a multiple of 4 and at least `width`; what lies between is
 * padding and may hold anything finite.
 */
// biome-ignore lint/performance/noBarrelFile: a kernel has the exports of its entry file.
export * from "./sift/describe";
export * from "./sift/extrema";
export * from "./sift/scale-space";
