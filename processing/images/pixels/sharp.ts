import { createRequire } from "node:module";
import type Sharp from "sharp";

/**
 * The library, by `require`: for an `import` Node searches the CommonJS packages that it needs for the names of their
 * exports first, which takes 0.1 s of CPU in every thread.
 */
export const sharp: typeof Sharp = createRequire(import.meta.url)("sharp");
