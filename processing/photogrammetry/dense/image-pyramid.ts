import type { Intrinsics } from "../camera/camera.ts";

/** Luminance of an image at one size. */
export interface GrayImage {
  readonly width: number;
  readonly height: number;
  /** Length `width * height`, row-major, top row first. */
  readonly pixels: Uint8Array;
}

/** An image at working size (level 0) and halved again and again. */
export type ImagePyramid = readonly GrayImage[];

/**
 * Shorter edge of the smallest image, pixels; smaller ones hold too few windows to match. More starts the search
 * at a finer level, where the first heights are less certain.
 */
const MIN_EDGE_PX = 100;

/** Levels of the pyramid of an image, 1 and up, of which the last keeps {@link MIN_EDGE_PX}. */
export function pyramidLevels(width: number, height: number): number {
  return Math.max(1, 1 + Math.floor(Math.log2(Math.min(width, height) / MIN_EDGE_PX)));
}

/** Bytes of all levels together. */
function pyramidBytes(width: number, height: number): number {
  let bytes = 0;
  for (let level = 0; level < pyramidLevels(width, height); level += 1) {
    bytes += (width >> level) * (height >> level);
  }
  return bytes;
}

/**
 * Halves an image until its shorter edge nears 100 pixels. Filter 1-3-3-1 over both axes: its centre
 * lies between pixels as that of the halved pixel does, so that nothing shifts, and it lets less alias
 * through than the mean of four. Level 0 is a copy.
 */
export function buildPyramid(image: GrayImage): ImagePyramid {
  const { width, height, pixels } = image;
  const bytes = new Uint8Array(pyramidBytes(width, height));
  bytes.set(pixels);
  let last: GrayImage = { width, height, pixels: bytes.subarray(0, width * height) };
  const levels = [last];
  let offset = width * height;
  while (levels.length < pyramidLevels(width, height)) {
    const size = (last.width >> 1) * (last.height >> 1);
    last = halve(last, bytes.subarray(offset, offset + size));
    levels.push(last);
    offset += size;
  }
  return levels;
}

function halve({ width, height, pixels }: GrayImage, out: Uint8Array): GrayImage {
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const row = new Uint16Array(width);
  const rowAt = (y: number) => Math.min(height - 1, Math.max(0, y)) * width;
  for (let y = 0; y < halfHeight; y += 1) {
    const [a, b, c, d] = [rowAt(2 * y - 1), rowAt(2 * y), rowAt(2 * y + 1), rowAt(2 * y + 2)];
    for (let x = 0; x < width; x += 1) {
      const outer = (pixels[a + x] ?? 0) + (pixels[d + x] ?? 0);
      row[x] = outer + 3 * ((pixels[b + x] ?? 0) + (pixels[c + x] ?? 0));
    }
    for (let x = 0; x < halfWidth; x += 1) {
      const left = row[Math.max(0, 2 * x - 1)] ?? 0;
      const right = row[Math.min(width - 1, 2 * x + 2)] ?? 0;
      const sum = left + right + 3 * ((row[2 * x] ?? 0) + (row[2 * x + 1] ?? 0));
      out[y * halfWidth + x] = (sum + 32) >> 6;
    }
  }
  return { width: halfWidth, height: halfHeight, pixels: out };
}

/** The lens for a level of its images: sizes and focal length halved, distortion as it was. */
export function lensAtLevel(lens: Intrinsics, level: number): Intrinsics {
  const s = 0.5 ** level;
  return {
    ...lens,
    widthPx: lens.widthPx >> level,
    heightPx: lens.heightPx >> level,
    focalPx: lens.focalPx * s,
    cxPx: (lens.cxPx + 0.5) * s - 0.5,
    cyPx: (lens.cyPx + 0.5) * s - 0.5,
  };
}
