import sharp from "sharp";

/** Photographs side by side, and the same at half, a quarter … of the size. */
export interface PhotoTexture {
  readonly levels: readonly TextureLevel[];
  /** Mean of each colour, grey levels. */
  readonly mean: readonly [number, number, number];
}

interface TextureLevel {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue by pixel. */
  readonly pixels: Uint8Array;
}

const LEVELS = 6;

/** Four photographs of one size, two by two. */
export async function readPhotoTexture(
  paths: readonly [string, string, string, string],
): Promise<PhotoTexture> {
  const tiles = await Promise.all(
    paths.map(async (path) => {
      const { data, info } = await sharp(path)
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      return { data, width: info.width, height: info.height };
    }),
  );
  const width = 2 * Math.min(...tiles.map((tile) => tile.width));
  const height = 2 * Math.min(...tiles.map((tile) => tile.height));
  const pixels = new Uint8Array(3 * width * height);
  for (const [i, tile] of tiles.entries()) {
    const [left, top] = [(i % 2) * (width / 2), Math.floor(i / 2) * (height / 2)];
    for (let row = 0; row < height / 2; row += 1) {
      const from = 3 * row * tile.width;
      pixels.set(
        tile.data.subarray(from, from + 3 * (width / 2)),
        3 * ((top + row) * width + left),
      );
    }
  }
  const levels: TextureLevel[] = [{ width, height, pixels }];
  while (levels.length < LEVELS) levels.push(halved(levels.at(-1) as TextureLevel));
  const last = levels.at(-1) as TextureLevel;
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < last.pixels.length; i += 1)
    sums[i % 3] = (sums[i % 3] ?? 0) + (last.pixels[i] ?? 0);
  const count = last.pixels.length / 3;
  return { levels, mean: [sums[0] / count, sums[1] / count, sums[2] / count] };
}

function halved({ width, height, pixels }: TextureLevel): TextureLevel {
  const [w, h] = [width >> 1, height >> 1];
  const smaller = new Uint8Array(3 * w * h);
  for (let row = 0; row < h; row += 1) {
    for (let column = 0; column < w; column += 1) {
      for (let colour = 0; colour < 3; colour += 1) {
        const at = 3 * (2 * row * width + 2 * column) + colour;
        const below = at + 3 * width;
        const sum =
          (pixels[at] ?? 0) +
          (pixels[at + 3] ?? 0) +
          (pixels[below] ?? 0) +
          (pixels[below + 3] ?? 0);
        smaller[3 * (row * w + column) + colour] = (sum + 2) >> 2;
      }
    }
  }
  return { width: w, height: h, pixels: smaller };
}

/**
 * The colours at a place of the texture, in pixels of its first level, as an area of `spreadPx` of them shows
 * them; mirrored beyond its edges. Written to `out`.
 */
export function sampleTexture(
  { levels }: PhotoTexture,
  [x, y, spreadPx]: readonly [x: number, y: number, spreadPx: number],
  out: Float64Array,
): void {
  const level = Math.min(levels.length - 1.001, Math.max(0, Math.log2(spreadPx)));
  const lower = Math.floor(level);
  const share = level - lower;
  out.fill(0);
  addBilinear(levels[lower] as TextureLevel, x / 2 ** lower, y / 2 ** lower, 1 - share, out);
  addBilinear(
    levels[lower + 1] as TextureLevel,
    x / 2 ** (lower + 1),
    y / 2 ** (lower + 1),
    share,
    out,
  );
}

function addBilinear(
  { width, height, pixels }: TextureLevel,
  x: number,
  y: number,
  weight: number,
  out: Float64Array,
): void {
  // The middle of a pixel of a smaller level lies half of its pixels off.
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [u, v] = [x - 0.5 - left, y - 0.5 - top];
  for (let corner = 0; corner < 4; corner += 1) {
    const [dx, dy] = [corner & 1, corner >> 1];
    const at = 3 * (mirrored(top + dy, height) * width + mirrored(left + dx, width));
    const w = weight * (dx === 0 ? 1 - u : u) * (dy === 0 ? 1 - v : v);
    for (let colour = 0; colour < 3; colour += 1) {
      out[colour] = (out[colour] ?? 0) + w * (pixels[at + colour] ?? 0);
    }
  }
}

function mirrored(i: number, size: number): number {
  const turn = ((i % (2 * size)) + 2 * size) % (2 * size);
  return turn < size ? turn : 2 * size - 1 - turn;
}
