import { GeoTIFF } from "geotiff";
import type { HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import { type FileBytes, sourceOf, unreadable } from "./file-source.ts";
import { heightScale } from "./height-scale.ts";
import { type Raster, rasterOf } from "./open-raster.ts";
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
  const source = sourceOf(file);
  try {
    const raster = await rasterOf(GeoTIFF.fromSource(source));
    const { isUnitStated } = await heightScale(raster, heightUnit);
    return { extent: rasterExtent(raster), isUnitStated };
  } catch (error) {
    throw source.failure() ?? unreadable(error);
  }
}

/** @throws DomainError `IMAGE_REFUSED` for one that lies nowhere */
export function rasterExtent({ width, height, system, fromPixel }: Raster): GeodeticExtent {
  const corners = [0, width].flatMap((column) =>
    [0, height].map((row) => system.toGeodetic(...fromPixel(column, row))),
  );
  return extentOf(corners);
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
