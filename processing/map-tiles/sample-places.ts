import { heightIn } from "../grid/elevation-at.ts";
import { type BlockFormat, readBlock } from "./read-block.ts";
import type { SurveyRaster } from "./survey-raster.ts";

/** A place in the cells of a surface, from its outer edge. */
export interface CellPlace {
  readonly across: number;
  readonly down: number;
}

export interface PlacesInput {
  /** Cells of the whole surface. */
  readonly width: number;
  readonly height: number;
  readonly places: readonly CellPlace[];
  readonly format: BlockFormat;
  /** All that {@link blocksAround} names for the places. */
  readonly blocks: readonly {
    readonly column: number;
    readonly row: number;
    readonly bytes: Uint8Array;
  }[];
}

/** Where a place lies in a surface (degrees, WGS 84); `undefined`: beside it. */
export function cellPlace(
  raster: SurveyRaster,
  lonDeg: number,
  latDeg: number,
): CellPlace | undefined {
  const [across, down] = raster.toPixel(...raster.system.fromGeodetic(lonDeg, latDeg));
  const isInside = across >= 0 && down >= 0 && across < raster.width && down < raster.height;
  return isInside ? { across, down } : undefined;
}

/** Numbers of the blocks, row by row, that a height at a place is taken of: four at most. */
export function blocksAround(
  { width, height, blockSize }: Pick<SurveyRaster, "width" | "height" | "blockSize">,
  place: CellPlace,
): ReadonlySet<number> {
  const { left, top, right, bottom } = windowAround({ width, height }, place);
  const perRow = Math.ceil(width / blockSize);
  const numbers = new Set<number>();
  for (const y of [top, bottom]) {
    for (const x of [left, right]) {
      numbers.add(Math.floor(y / blockSize) * perRow + Math.floor(x / blockSize));
    }
  }
  return numbers;
}

/**
 * Heights at places, metres, at full resolution: straight between the four cells around, of those that have a
 * height. NaN where the cell that the place lies in has none.
 * @throws DomainError `IMAGE_REFUSED` for a damaged block
 */
export function samplePlaces({ places, format, blocks, ...size }: PlacesInput): Float64Array {
  const { blockSize } = format;
  const perRow = Math.ceil(size.width / blockSize);
  const read = new Map(
    blocks.map(({ column, row, bytes }) => [row * perRow + column, readBlock(bytes, format)]),
  );
  const heightOf = (x: number, y: number): number => {
    const block = read.get(Math.floor(y / blockSize) * perRow + Math.floor(x / blockSize));
    return block?.[(y % blockSize) * blockSize + (x % blockSize)] ?? Number.NaN;
  };
  return Float64Array.from(places, (place) => {
    const { left, top, right, bottom } = windowAround(size, place);
    const [width, height] = [right - left + 1, bottom - top + 1];
    const elevationM = Float32Array.from({ length: width * height }, (_, i) =>
      heightOf(left + (i % width), top + Math.floor(i / width)),
    );
    return heightIn({ width, height, elevationM }, place.across - left, place.down - top);
  });
}

/** First and last cell (inclusive) around a place, within the surface. */
function windowAround(
  { width, height }: { readonly width: number; readonly height: number },
  { across, down }: CellPlace,
) {
  const [x, y] = [Math.floor(across), Math.floor(down)];
  return {
    left: Math.max(0, x - 1),
    top: Math.max(0, y - 1),
    right: Math.min(width - 1, x + 1),
    bottom: Math.min(height - 1, y + 1),
  };
}
