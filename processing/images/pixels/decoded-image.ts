import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { diskError } from "../../../storage/disk/disk-error.ts";

/** Bytes of a pixel: luminance; red, green, blue; a number of single precision. */
export type Channels = 1 | 3 | 4;

/** The pixels of an image at one size, in a file, so that any part of them is read without the rest. */
export interface DecodedLevel {
  readonly path: string;
  readonly channels: Channels;
  /** Where in the file the level begins, bytes. */
  readonly offset: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle of an image, pixels. */
export interface PixelWindow {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Length `width * height * channels`, row-major, top row first. */
  readonly pixels: Uint8Array;
}

/**
 * Edge of a tile in the file, pixels. A window of 400 pixels reads 1.6 times its bytes; smaller tiles take more
 * calls, larger ones read more beside the window.
 */
const TILE_PX = 128;

const tilesAlong = (pixels: number): number => Math.ceil(pixels / TILE_PX);

/** Bytes of a level in its file: tiles at the right and lower border are stored whole. */
export function decodedBytes(
  { width, height }: Pick<Pixels, "width" | "height">,
  channels: Channels,
): number {
  return tilesAlong(width) * tilesAlong(height) * TILE_PX ** 2 * channels;
}

/**
 * Writes the levels of an image one after the other into a file, tile by tile, row by row. For tasks: it keeps
 * the thread. The file is scratch: it is not synced, and no process but the one that wrote it reads it.
 * @throws StorageShortage
 */
export function writeDecoded(
  path: string,
  images: readonly Pixels[],
  channels: Channels,
): readonly DecodedLevel[] {
  const file = openSync(path, "w");
  try {
    let offset = 0;
    return images.map((image) => {
      const { width, height } = image;
      const level = { path, channels, offset, width, height };
      for (let row = 0; row < tilesAlong(height); row += 1) {
        const bytes = tileRow(image, row, channels);
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(file, bytes, done, bytes.length - done, offset + done);
        }
        offset += bytes.length;
      }
      return level;
    });
  } catch (error) {
    throw diskError(error);
  } finally {
    closeSync(file);
  }
}

function tileRow({ width, height, pixels }: Pixels, tileRow: number, channels: Channels) {
  const tileBytes = TILE_PX ** 2 * channels;
  const bytes = new Uint8Array(tilesAlong(width) * tileBytes);
  const rows = Math.min(TILE_PX, height - tileRow * TILE_PX);
  for (let tile = 0; tile * TILE_PX < width; tile += 1) {
    const columns = Math.min(TILE_PX, width - tile * TILE_PX);
    for (let row = 0; row < rows; row += 1) {
      const from = ((tileRow * TILE_PX + row) * width + tile * TILE_PX) * channels;
      const to = tile * tileBytes + row * TILE_PX * channels;
      bytes.set(pixels.subarray(from, from + columns * channels), to);
    }
  }
  return bytes;
}

/**
 * The pixels of a window, row-major, `channels` bytes each. For tasks: it keeps the thread.
 * @param window within the level
 */
export function readWindow(level: DecodedLevel, window: PixelWindow): Uint8Array {
  const { channels } = level;
  const pixels = new Uint8Array(window.width * window.height * channels);
  if (pixels.length === 0) return pixels;
  const tileBytes = TILE_PX ** 2 * channels;
  const right = window.left + window.width;
  const bottom = window.top + window.height;
  const [firstTile, lastTile] = [Math.floor(window.left / TILE_PX), tilesAlong(right) - 1];
  const strip = scratchOf((lastTile - firstTile + 1) * tileBytes);
  const file = openSync(level.path, "r");
  try {
    for (let row = Math.floor(window.top / TILE_PX); row * TILE_PX < bottom; row += 1) {
      const at = level.offset + (row * tilesAlong(level.width) + firstTile) * tileBytes;
      readWhole(file, strip, at);
      const top = Math.max(window.top, row * TILE_PX);
      const end = Math.min(bottom, (row + 1) * TILE_PX);
      for (let tile = firstTile; tile <= lastTile; tile += 1) {
        const left = Math.max(window.left, tile * TILE_PX);
        const columns = Math.min(right, (tile + 1) * TILE_PX) - left;
        for (let y = top; y < end; y += 1) {
          const inTile = (y - row * TILE_PX) * TILE_PX + left - tile * TILE_PX;
          const from = (tile - firstTile) * tileBytes + inTile * channels;
          const to = ((y - window.top) * window.width + left - window.left) * channels;
          pixels.set(strip.subarray(from, from + columns * channels), to);
        }
      }
    }
    return pixels;
  } finally {
    closeSync(file);
  }
}

/** All pixels of a level. For tasks: it keeps the thread. */
export function readLevel(level: DecodedLevel): Uint8Array {
  return readWindow(level, { left: 0, top: 0, width: level.width, height: level.height });
}

/** Bytes of one row of tiles, used again by this thread's next window: a survey reads tens of thousands. */
let scratch = new Uint8Array(0);

function scratchOf(bytes: number): Uint8Array {
  if (scratch.length < bytes) scratch = new Uint8Array(bytes);
  return scratch.subarray(0, bytes);
}

function readWhole(file: number, into: Uint8Array, position: number): void {
  for (let done = 0; done < into.length; ) {
    const bytes = readSync(file, into, done, into.length - done, position + done);
    if (bytes === 0) throw new RangeError("a decoded image ends before its last tile");
    done += bytes;
  }
}
