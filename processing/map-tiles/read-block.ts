import { inflateSync } from "node:zlib";
import { DomainError } from "../../domain/errors.ts";

/** How the blocks of a raster are to be read. */
export interface BlockFormat {
  readonly kind: "elevation" | "colour";
  /** Edge, pixels. */
  readonly blockSize: number;
  readonly noData: number | undefined;
}

/** Heights in metres with NaN for no data, or red, green, blue, alpha. */
export type BlockValues = Float32Array | Uint8Array;

/**
 * The pixels of a block as our writer stores it: deflate, with differences along rows.
 * @throws DomainError `IMAGE_REFUSED` for one that is damaged
 */
export function readBlock(compressed: Uint8Array, format: BlockFormat): BlockValues {
  const { kind, blockSize: size } = format;
  const length = size * size * 4;
  const bytes = inflated(compressed, length);
  if (kind === "colour") {
    sumRows(bytes, size * 4, 4);
    return bytes;
  }
  sumRows(bytes, size * 4, 1);
  return heightsOf(bytes, size, format.noData);
}

function inflated(compressed: Uint8Array, length: number): Uint8Array {
  try {
    const bytes = inflateSync(compressed, { maxOutputLength: length });
    if (bytes.length === length) return bytes;
  } catch (error) {
    throw damaged(error);
  }
  throw damaged();
}

const damaged = (cause?: unknown): DomainError =>
  new DomainError("IMAGE_REFUSED", "the raster has a block that is damaged", { cause });

/** Undoes `differenceRows`. In place. */
function sumRows(bytes: Uint8Array, rowBytes: number, channels: number): void {
  for (let row = 0; row < bytes.length; row += rowBytes) {
    const end = row + rowBytes;
    for (let channel = 0; channel < channels; channel += 1) {
      let sum = 0;
      for (let i = row + channel; i < end; i += channels) {
        sum = (sum + (bytes[i] ?? 0)) & 0xff;
        bytes[i] = sum;
      }
    }
  }
}

/** Undoes `predictFloats` behind the sums: the four bytes of each height lie a row's width apart, highest first. */
function heightsOf(bytes: Uint8Array, width: number, noData: number | undefined): Float32Array {
  const words = new Uint32Array(bytes.length / 4);
  for (let row = 0, k = 0; row < bytes.length; row += width * 4) {
    for (let i = row; i < row + width; i += 1, k += 1) {
      words[k] =
        ((bytes[i] ?? 0) << 24) |
        ((bytes[i + width] ?? 0) << 16) |
        ((bytes[i + 2 * width] ?? 0) << 8) |
        (bytes[i + 3 * width] ?? 0);
    }
  }
  const heights = new Float32Array(words.buffer);
  if (noData === undefined) return heights;
  const missing = Math.fround(noData);
  for (let k = 0; k < heights.length; k += 1) if (heights[k] === missing) heights[k] = Number.NaN;
  return heights;
}
