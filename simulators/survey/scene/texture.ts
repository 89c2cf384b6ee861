import { addOctave } from "../../randomness/noise.ts";
import type { GroundPaint } from "./ground-paint.ts";
import type { NodeFrame } from "./height-field.ts";
import { layStones } from "./stones.ts";
import { paintTargets, type Target } from "./target.ts";

/**
 * Picture of the lit ground from above with its half, quarter ... sizes, so that a pixel of a camera
 * averages what it covers instead of picking one texel. North row first, three bytes a texel (red,
 * green, blue: 255 times the square root of linear light), on shared memory.
 */
export interface Texture {
  readonly extentM: number;
  /** Edge of a texel of level 0, metres. */
  readonly texelM: number;
  readonly levels: readonly TextureLevel[];
}
export interface TextureLevel {
  readonly size: number;
  readonly texels: Uint8Array;
}

/** Levels below the full one; the coarsest texel is 2^6 = 64 times the finest. */
const HALVINGS = 6;
/** Rows that one task fills; a multiple of 2^HALVINGS, so that bands halve on their own. */
export const BAND_ROWS = 256;

/** Longest wave of the grain, metres; patches above that are the paint's. */
const COARSEST_WAVE_M = 2.4;
/** A wave needs this many texels. */
const WAVE_TEXELS = 1.6;

/** Allocates a texture that covers the nodes' extent with whole bands. */
export function createTexture(extentM: number, texelM: number): Texture {
  const size = Math.ceil((2 * extentM) / texelM / BAND_ROWS) * BAND_ROWS;
  return {
    extentM,
    texelM: (2 * extentM) / size,
    levels: Array.from({ length: HALVINGS + 1 }, (_, k) => ({
      size: size >> k,
      texels: new Uint8Array(new SharedArrayBuffer(3 * (size >> k) ** 2)),
    })),
  };
}

/** What filling a band needs. */
export interface TextureInput {
  readonly frame: NodeFrame;
  readonly paint: GroundPaint;
  /** Bands without moved material skip its grain. */
  readonly epoch: number;
  readonly sun: readonly [number, number, number];
  readonly targets: readonly Target[];
  readonly seed: number;
}

/** Fills the texels of one band of rows at all levels. Pure but for the texture it writes. */
export function fillBand(texture: Texture, input: TextureInput, band: number): void {
  const [level] = texture.levels;
  if (level === undefined) return;
  const firstRow = band * BAND_ROWS;
  const colours = new Float32Array(3 * level.size * BAND_ROWS);
  const grain = createGrain(texture, level.size, firstRow, input.seed);
  const versions = bandVersions(texture, input, firstRow);
  const movedGrain = versions.map((version) => ({
    version,
    grain: createGrain(texture, level.size, firstRow, input.seed + 7_919 * version),
  }));
  spread(colours, texture, level.size, firstRow, input, (i, version) => {
    if (version === 0) return grain[i] ?? 0;
    return movedGrain.find((moved) => moved.version === version)?.grain[i] ?? 0;
  });
  const bandPicture = { texels: colours, size: level.size, firstRow, rows: BAND_ROWS };
  for (const version of [0, ...versions]) {
    layStones(bandPicture, texture, { ...input, version });
  }
  paintTargets(bandPicture, texture, input.targets);
  const out = level.texels.subarray(3 * firstRow * level.size);
  for (let i = 0; i < colours.length; i += 1) {
    out[i] = Math.min(255, Math.max(0, (colours[i] ?? 0) * 255 + 0.5));
  }
  for (let k = 1; k < texture.levels.length; k += 1) {
    halve(texture.levels[k - 1], texture.levels[k], firstRow >> k, BAND_ROWS >> k);
  }
}

/** Grain of a band: octaves of equal strength (a 1/f spectrum, as of natural ground), deviation about 1. */
function createGrain(texture: Texture, size: number, firstRow: number, seed: number): Float32Array {
  const { texelM, extentM } = texture;
  const grain = new Float32Array(size * BAND_ROWS);
  const window = {
    firstX: texelM / 2 - extentM,
    firstY: (firstRow + 0.5) * texelM - extentM,
    step: texelM,
    width: size,
    height: BAND_ROWS,
  };
  let octave = 0;
  for (let wavelength = COARSEST_WAVE_M; wavelength >= WAVE_TEXELS * texelM; wavelength /= 2) {
    addOctave(grain, window, { wavelength, amplitude: 0.95, seed: seed + octave });
    octave += 1;
  }
  return grain;
}

/** Epochs whose moved material shows in the band. */
function bandVersions(texture: Texture, input: TextureInput, firstRow: number): number[] {
  if (input.epoch === 1) return [];
  const { size, cellM } = input.frame;
  const first = Math.floor((firstRow * texture.texelM) / cellM);
  const last = Math.min(size - 1, Math.ceil(((firstRow + BAND_ROWS) * texture.texelM) / cellM));
  const seen = new Set(input.paint.version.subarray(first * size, (last + 1) * size));
  return [...seen].filter((version) => version > 0).sort((a, b) => a - b);
}

/** Spreads the paint of nodes over texels (bilinear) and roughens it with the grain. */
function spread(
  colours: Float32Array,
  texture: Texture,
  size: number,
  firstRow: number,
  { frame, paint }: TextureInput,
  grainOf: (texel: number, version: number) => number,
): void {
  const toNode = texture.texelM / frame.cellM;
  const { lit } = paint;
  const last = frame.size - 2;
  for (let row = 0; row < BAND_ROWS; row += 1) {
    const y = (firstRow + row + 0.5) * toNode;
    const r = Math.min(last, Math.floor(y));
    const b = y - r;
    for (let column = 0; column < size; column += 1) {
      const x = (column + 0.5) * toNode;
      const c = Math.min(last, Math.floor(x));
      const a = x - c;
      const nw = r * frame.size + c;
      const sw = nw + frame.size;
      const w00 = (1 - a) * (1 - b);
      const w10 = a * (1 - b);
      const w01 = (1 - a) * b;
      const w11 = a * b;
      const nearest = (b < 0.5 ? nw : sw) + (a < 0.5 ? 0 : 1);
      const contrast =
        (paint.grain[nw] ?? 0) * w00 +
        (paint.grain[nw + 1] ?? 0) * w10 +
        (paint.grain[sw] ?? 0) * w01 +
        (paint.grain[sw + 1] ?? 0) * w11;
      const i = row * size + column;
      // Half the contrast, because the colours are square roots of light.
      const k = Math.max(0.25, 1 + 0.5 * contrast * grainOf(i, paint.version[nearest] ?? 0));
      for (let channel = 0; channel < 3; channel += 1) {
        colours[3 * i + channel] =
          k *
          ((lit[3 * nw + channel] ?? 0) * w00 +
            (lit[3 * nw + 3 + channel] ?? 0) * w10 +
            (lit[3 * sw + channel] ?? 0) * w01 +
            (lit[3 * sw + 3 + channel] ?? 0) * w11);
      }
    }
  }
}

function halve(
  from: TextureLevel | undefined,
  to: TextureLevel | undefined,
  firstRow: number,
  rows: number,
): void {
  if (from === undefined || to === undefined) return;
  for (let row = firstRow; row < firstRow + rows; row += 1) {
    const upper = 3 * 2 * row * from.size;
    const lower = upper + 3 * from.size;
    const out = 3 * row * to.size;
    for (let column = 0; column < to.size; column += 1) {
      for (let c = 0; c < 3; c += 1) {
        const i = 6 * column + c;
        to.texels[out + 3 * column + c] =
          ((from.texels[upper + i] ?? 0) +
            (from.texels[upper + i + 3] ?? 0) +
            (from.texels[lower + i] ?? 0) +
            (from.texels[lower + i + 3] ?? 0) +
            2) >>
          2;
      }
    }
  }
}
