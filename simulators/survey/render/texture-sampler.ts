import type { Texture, TextureLevel } from "../scene/texture.ts";

/** Writes the texture's colour about a place into `out` at `at`; the ground is mirrored beyond its edge. */
type Sampler = (
  eastM: number,
  northM: number,
  footprintM: number,
  out: Float32Array,
  at: number,
) => void;

/** Prepares trilinear look-ups: bilinear at the two levels about the footprint, blended. */
export function createSampler({ levels, texelM, extentM }: Texture): Sampler {
  const span = 2 * extentM;
  const coarsest = levels.length - 1;

  function add(
    level: TextureLevel,
    u: number,
    v: number,
    share: number,
    out: Float32Array,
    at: number,
  ) {
    const { size, texels } = level;
    const x = Math.min(size - 1.001, Math.max(0, u * size - 0.5));
    const y = Math.min(size - 1.001, Math.max(0, v * size - 0.5));
    const column = Math.floor(x);
    const row = Math.floor(y);
    const a = x - column;
    const b = y - row;
    const i = 3 * (row * size + column);
    const j = i + 3 * size;
    const w11 = a * b * share;
    const w10 = a * share - w11;
    const w01 = b * share - w11;
    const w00 = share - w10 - w01 - w11;
    out[at] =
      (out[at] ?? 0) +
      (texels[i] ?? 0) * w00 +
      (texels[i + 3] ?? 0) * w10 +
      (texels[j] ?? 0) * w01 +
      (texels[j + 3] ?? 0) * w11;
    out[at + 1] =
      (out[at + 1] ?? 0) +
      (texels[i + 1] ?? 0) * w00 +
      (texels[i + 4] ?? 0) * w10 +
      (texels[j + 1] ?? 0) * w01 +
      (texels[j + 4] ?? 0) * w11;
    out[at + 2] =
      (out[at + 2] ?? 0) +
      (texels[i + 2] ?? 0) * w00 +
      (texels[i + 5] ?? 0) * w10 +
      (texels[j + 2] ?? 0) * w01 +
      (texels[j + 5] ?? 0) * w11;
  }

  return (eastM, northM, footprintM, out, at) => {
    const u = mirror((eastM + extentM) / span);
    const v = mirror((extentM - northM) / span);
    const level = Math.min(coarsest, Math.max(0, Math.log2(footprintM / texelM)));
    const fine = Math.min(coarsest - 1, Math.floor(level));
    const share = level - fine;
    const finer = levels[fine];
    const coarser = levels[fine + 1];
    out[at] = 0;
    out[at + 1] = 0;
    out[at + 2] = 0;
    if (finer !== undefined) add(finer, u, v, 1 - share, out, at);
    if (coarser !== undefined) add(coarser, u, v, share, out, at);
  };
}

/** 0 to 1 and back again, for ever. */
function mirror(t: number): number {
  const lap = Math.abs(t) % 2;
  return lap > 1 ? 2 - lap : lap;
}
