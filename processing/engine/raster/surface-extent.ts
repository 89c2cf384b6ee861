import { GeoTIFF } from "geotiff";
import { DomainError } from "../../../domain/errors.ts";
import type { HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import { heightScale } from "./height-scale.ts";
import { rasterOf } from "./open-raster.ts";
import { refusedRaster as refused } from "./refused-raster.ts";

/** Part of the earth, degrees on WGS 84; none of ours goes over the antimeridian. */
export interface GeodeticExtent {
  readonly westDeg: number;
  readonly southDeg: number;
  readonly eastDeg: number;
  readonly northDeg: number;
}

/** What the head of a surface's file says. */
export interface SurfaceHead {
  readonly extent: GeodeticExtent;
  /** Whether the file, or its provider, names the unit of its heights. */
  readonly isUnitStated: boolean;
}

/** Bytes of a file, wherever it is. */
export interface FileBytes {
  readonly bytes: number;
  /** `length` bytes from `offset` on; both lie inside of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/**
 * Where a GeoTIFF of heights lies and whether its heights have a unit, by its head alone: no pixel is read.
 * @param heightUnit the unit that its provider states
 * @throws DomainError `IMAGE_REFUSED` for a file that is not a TIFF, or that is not georeferenced; what
 *   `read` throws.
 */
export async function readSurfaceHead(
  file: FileBytes,
  heightUnit?: HeightUnit,
): Promise<SurfaceHead> {
  let failure: unknown;
  const source = {
    fileSize: file.bytes,
    async fetchSlice({ offset, length }: { readonly offset: number; readonly length: number }) {
      // A damaged file points beyond its end, and the parser asks for more than it needs.
      const from = Math.min(Math.max(0, offset), file.bytes);
      const wanted = Math.max(0, Math.min(length, file.bytes - from));
      try {
        const data = wanted === 0 ? new Uint8Array(0) : await file.read(from, wanted);
        return { offset, length: wanted, data: Uint8Array.from(data).buffer };
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    async fetch(slices: readonly { readonly offset: number; readonly length: number }[]) {
      const read: ArrayBufferLike[] = [];
      for (const slice of slices) read.push((await source.fetchSlice(slice)).data);
      return read;
    },
    async close() {},
  };
  try {
    const raster = await rasterOf(GeoTIFF.fromSource(source));
    const { isUnitStated } = await heightScale(raster, heightUnit);
    const corners = [0, raster.width].flatMap((column) =>
      [0, raster.height].map((row) => raster.system.toGeodetic(...raster.fromPixel(column, row))),
    );
    return { extent: extentOf(corners), isUnitStated };
  } catch (error) {
    if (failure !== undefined) throw failure;
    if (error instanceof DomainError) throw error;
    // The parser meets what it did not expect: offsets beyond the end, sizes beyond all memory.
    throw refused("is damaged", error);
  }
}

function extentOf(corners: readonly (readonly [lonDeg: number, latDeg: number])[]): GeodeticExtent {
  const lons = corners.map(([lonDeg]) => lonDeg);
  const lats = corners.map(([, latDeg]) => latDeg);
  const extent = {
    westDeg: Math.min(...lons),
    southDeg: Math.min(...lats),
    eastDeg: Math.max(...lons),
    northDeg: Math.max(...lats),
  };
  const { westDeg, southDeg, eastDeg, northDeg } = extent;
  if (westDeg >= -180 && eastDeg <= 180 && southDeg >= -90 && northDeg <= 90) return extent;
  throw refused("lies nowhere on earth by its own coordinate system");
}
