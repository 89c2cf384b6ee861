import type { OrthoGrid } from "../../grid/elevation-grid.ts";
import type { Picture } from "../../pictures/picture.ts";
import { halve, type Raster } from "./cog/raster.ts";

type Colours = Extract<Raster, { kind: "colour" }>;

/**
 * The orthophoto as a texture: what no image saw has the colours from around it, so that walls and edges of
 * holes get no white streaks. Colours are averaged up a pyramid and put down into the gaps (the pull-push of
 * Gortler et al. 1996, "The Lumigraph", section 3.4). Halved until the longer edge has at most `maxPx` pixels;
 * white where nothing was seen at all.
 */
export function texturePicture(ortho: OrthoGrid, maxPx: number): Picture {
  let base: Raster = {
    kind: "colour",
    width: ortho.width,
    height: ortho.height,
    values: ortho.rgba,
  };
  while (Math.max(base.width, base.height) > maxPx) base = halve(base);
  const levels = [base as Colours];
  for (;;) {
    const finest = levels.at(-1);
    if (finest === undefined || Math.max(finest.width, finest.height) === 1) break;
    levels.push(halve(finest) as Colours);
  }
  let filled: Colours | undefined;
  for (const level of levels.toReversed()) filled = withGapsFilled(level, filled);
  const { width, height, values } = filled ?? (base as Colours);
  return { width, height, rgba: values };
}

function withGapsFilled({ width, height, values }: Colours, coarser: Colours | undefined): Colours {
  const rgba = Uint8Array.from(values);
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      const at = (row * width + col) * 4;
      if (rgba[at + 3] !== 0) continue;
      const from = coarser && ((row >> 1) * coarser.width + (col >> 1)) * 4;
      for (let k = 0; k < 3; k += 1) {
        rgba[at + k] = from === undefined ? 255 : (coarser?.values[from + k] ?? 255);
      }
      rgba[at + 3] = 255;
    }
  }
  return { kind: "colour", width, height, values: rgba };
}
