import { createRequire } from "node:module";
import type Proj4 from "proj4";

/**
 * The library, by `require`: for an `import` Node searches all of a CommonJS file for the names of its exports first,
 * which takes 40 ms of these 200 kB in every thread.
 */
export const proj4: typeof Proj4 = createRequire(import.meta.url)("proj4");
