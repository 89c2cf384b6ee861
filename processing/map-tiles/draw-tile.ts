import { limitThreads } from "../images/pixels/limit-threads.ts";
import { sharp } from "../images/pixels/sharp.ts";
import { viridis } from "../pictures/colour-ramp.ts";
import { hillshade } from "../pictures/hillshade.ts";
import { reliefGrey } from "../pictures/map-colours.ts";
import { readBlocks, type StoredBlock } from "./kept-blocks.ts";
import type { BlockFormat } from "./read-block.ts";
import { joinBlocks, sampleColours, sampleHeights, type TileMesh } from "./sample-window.ts";
import type { TileLayer } from "./tile-layers.ts";

limitThreads();

/** Heights that a survey's colours go over, metres. */
export interface HeightRange {
  /** Ends of the colours: 2 % of the heights lie below, 2 % above. */
  readonly lowM: number;
  readonly highM: number;
  /** Lowest of all. */
  readonly lowestM: number;
}

/** Everything that one tile is drawn from. */
export interface TileInput {
  readonly layer: TileLayer;
  readonly mesh: TileMesh;
  readonly format: BlockFormat;
  readonly blocks: readonly StoredBlock[];
  /** Edge of a pixel on the ground, metres. */
  readonly groundPixelM: number;
  /** For all layers but `orthophoto`. */
  readonly range: HeightRange | undefined;
}

/**
 * WebP: quality 80 shows no blocks on gravel. Effort 2 of 6 takes a third of the time of the usual 4 for 3 % more
 * bytes. Without loss, effort 0 takes a quarter of the time of 1 for a fifth to a half more bytes, smooth ground and
 * rough: encoding was four fifths of a terrain tile. Quality is how hard the encoder looks for what repeats: 40 takes
 * half as long again as 20 for 1 to 5 % fewer bytes.
 */
const PICTURE = { quality: 80, alphaQuality: 100, effort: 2 } as const;
const EXACT = { lossless: true, quality: 20, effort: 0 } as const;

/** Terrarium: a height is red x 256 + green + blue / 256 - 32,768 metres (Mapzen, "Terrain Tiles: formats"). */
const TERRARIUM_OFFSET_M = 32_768;
const TERRARIUM_STEPS = 256;

/** A tile as WebP. For tasks only. @throws DomainError `IMAGE_REFUSED` for a damaged block */
export async function drawTile(input: TileInput): Promise<Uint8Array> {
  const { layer, mesh, format } = input;
  const { width, height } = mesh.window;
  const { size } = mesh;
  if (format.kind === "colour") {
    const blocks = readBlocks(input.blocks, format);
    const cells = joinBlocks(new Uint8Array(width * height * 4), 4, mesh.window, blocks, format);
    return await encoded(sampleColours(cells, mesh), size, 4, PICTURE);
  }
  const border = layer === "hillshade" ? 1 : 0;
  const heights = tileHeights(input, border);
  const range = input.range ?? { lowM: 0, highM: 1, lowestM: 0 };
  if (layer === "terrain") {
    const rgb = terrarium(heights, range.lowestM);
    return await encoded(rgb, size, 3, EXACT);
  }
  const rgba =
    layer === "hillshade" ? relief(heights, size, input.groundPixelM) : coloured(heights, range);
  return await encoded(rgba, size, 4, PICTURE);
}

/** What has no height lies as low as the lowest: a map cannot leave a hole, and a cliff to 0 would hide the survey. */
function terrarium(heights: Float32Array, lowestM: number): Uint8Array {
  const rgb = new Uint8Array(heights.length * 3);
  for (let i = 0; i < heights.length; i += 1) {
    const height = heights[i] ?? Number.NaN;
    const z = Number.isNaN(height) ? lowestM : height;
    const steps = Math.round((z + TERRARIUM_OFFSET_M) * TERRARIUM_STEPS) | 0;
    rgb[i * 3] = steps >> 16;
    rgb[i * 3 + 1] = steps >> 8;
    rgb[i * 3 + 2] = steps;
  }
  return rgb;
}

function coloured(heights: Float32Array, { lowM, highM }: HeightRange): Uint8Array {
  const rgba = new Uint8Array(heights.length * 4);
  const span = Math.max(highM - lowM, Number.MIN_VALUE);
  for (let i = 0; i < heights.length; i += 1) {
    const z = heights[i] ?? Number.NaN;
    if (Number.isNaN(z)) continue;
    const [red, green, blue] = viridis((z - lowM) / span);
    rgba[i * 4] = red;
    rgba[i * 4 + 1] = green;
    rgba[i * 4 + 2] = blue;
    rgba[i * 4 + 3] = 255;
  }
  return rgba;
}

/** Grey of each shade of a relief: a power for every pixel took a third of a tile's time outside of its encoding. */
const GREYS = Uint8Array.from({ length: 256 }, (_, shade) => reliefGrey(shade)[0]);

/** @param heights with one pixel more at each side */
function relief(elevationM: Float32Array, size: number, cellM: number): Uint8Array {
  const side = size + 2;
  const shades = hillshade({
    ...{ westM: 0, northM: 0, width: side, height: side },
    ...{ cellM, elevationM },
  });
  const rgba = new Uint8Array(size * size * 4);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const shade = shades[(row + 1) * side + column + 1] ?? 0;
      if (shade === 0) continue;
      const i = (row * size + column) * 4;
      const grey = GREYS[shade] ?? 0;
      rgba[i] = grey;
      rgba[i + 1] = grey;
      rgba[i + 2] = grey;
      rgba[i + 3] = 255;
    }
  }
  return rgba;
}

/** Heights at a tile's pixels, and of `border` pixels beside it; NaN where there is none. @throws as `readBlocks` */
export function tileHeights(
  { mesh, format, blocks }: Pick<TileInput, "mesh" | "format" | "blocks">,
  border: number,
): Float32Array {
  const { width, height } = mesh.window;
  const empty = new Float32Array(width * height);
  const cells = joinBlocks(empty, 1, mesh.window, readBlocks(blocks, format), format);
  return sampleHeights(cells, mesh, border);
}

/** Pixels of a tile as WebP. */
export async function encodeTile(pixels: Uint8Array, size: number): Promise<Uint8Array> {
  return await encoded(pixels, size, 4, PICTURE);
}

async function encoded(
  pixels: Uint8Array,
  size: number,
  channels: 3 | 4,
  options: typeof PICTURE | typeof EXACT,
): Promise<Uint8Array> {
  const raw = { width: size, height: size, channels };
  return await sharp(pixels, { raw }).webp(options).toBuffer();
}
