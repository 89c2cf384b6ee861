import type { SurfaceChoice } from "../../../engine/raster/read-surface.ts";
import type { GridFrame } from "../../../grid/elevation-grid.ts";
import type { FlightInput, SurfaceBytes } from "./flight-input.ts";
import { MAP_PX, MOST_OPEN, MOST_SURFACE_CELLS, MOST_ZONE_CELLS } from "./flight-limits.ts";

const MIB = 1024 ** 2;
/** Bytes a cell of a surface: heights, score, views; and an epoch's 6 before packing. */
const SURFACE_BYTES = 9;
const PACKED_BYTES = 6;
/** Of this flight: its surface, what of it was seen, the mask of stable ground, and packing. */
const FLIGHT_BYTES = 2 * SURFACE_BYTES + 2 + 2 * PACKED_BYTES;
/** Bytes a cell of a zone: surfaces, weights, shares built, and copies while they are moved and weighed. */
const ZONE_BYTES = 80;
/** Bytes a pixel of the map: relief, change, picture, PNG. */
const MAP_BYTES = 24;
/** Of a raster: cells at most (`engine/raster/read-surface.ts`), and bytes a cell once it is read; it may lie askew. */
const MOST_RASTER_CELLS = 25_000_000;
const RASTER_BYTES = 1.4 * SURFACE_BYTES;
/** While it is read: all pixels of the file in up to 64 bits, those that are kept once more, and a decoder. */
const PIXEL_BYTES = 8;
const KEPT_BYTES = 4;
const DECODER_BYTES = 32 * MIB;
/** A triangulated surface: its file, numbers in another frame, and an index, in bytes of the file. */
const TIN_COPIES = 6;

export const epochBytes = ({
  width,
  height,
}: Pick<GridFrame, "width" | "height">): SurfaceBytes => ({
  openBytes: width * height * SURFACE_BYTES,
  readBytes: width * height * (PACKED_BYTES + SURFACE_BYTES),
});

/** @param fileBytes size of its file */
export const tinBytes = (fileBytes: number): SurfaceBytes => ({
  openBytes: TIN_COPIES * fileBytes,
  readBytes: MIB,
});

/** Distinguishes a file, as it is read, from others. */
export const surfaceName = ({ path, choice }: { path: string; choice?: SurfaceChoice }): string =>
  JSON.stringify([path, choice ?? null]);

/** @param pixels that are read of the file */
export function rasterBytes(pixels: number): SurfaceBytes {
  const cells = Math.min(pixels, MOST_RASTER_CELLS);
  return {
    openBytes: cells * RASTER_BYTES,
    readBytes: pixels * PIXEL_BYTES + cells * KEPT_BYTES + DECODER_BYTES,
  };
}

/** Memory that `analyseFlight` takes beside its input at most, bytes. */
export function flightBytes({ survey, datum, earlier, zones }: FlightInput): number {
  const { dsm } = survey;
  // On a lattice with smaller cells it has more of them, and askew twice as many.
  const finer = datum === undefined ? 1 : Math.max(1, dsm.cellM / datum.lattice.cellM);
  const cells = Math.min(MOST_SURFACE_CELLS, 2 * finer ** 2 * dsm.width * dsm.height);
  const files = zones
    .flatMap(({ baseline, design }) => [baseline, design])
    .filter((end) => end?.kind === "file");
  const open = [...new Map(files.map((file) => [surfaceName(file), file.openBytes])).values()];
  const largest = open.sort((a, b) => b - a).slice(0, MOST_OPEN);
  const reading = [...files, ...earlier].map(({ readBytes }) => readBytes);
  return (
    cells * FLIGHT_BYTES +
    [...earlier.map((epoch) => epoch.openBytes), ...largest].reduce((sum, one) => sum + one, 0) +
    Math.max(0, ...reading) +
    MOST_ZONE_CELLS * ZONE_BYTES +
    MAP_PX * MAP_PX * MAP_BYTES
  );
}
