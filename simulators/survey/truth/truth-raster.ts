import { join } from "node:path";
import { createUtmPlane } from "../coordinates/utm-plane.ts";
import type { GeodeticPosition } from "../coordinates/wgs84.ts";
import { LOCAL_KEYS, NO_DATA, utmKeys, writeRaster } from "../files/height-raster.ts";
import { type HeightField, heightAtM } from "../scene/height-field.ts";
import { createSurfaceSampler } from "../scene/surface-sampler.ts";
import type { SurveyPlan } from "../site/plan-survey.ts";

/** What the truth says of its raster files: Float32 GeoTIFFs, north row first, no data -9999. */
export interface TruthRasters {
  readonly cellM: number;
  /** Surface with everything on it, and bare ground without piles: metres east, north and up of the origin. */
  readonly surfaceEnu: RasterFile;
  readonly groundEnu: RasterFile;
  /** The surface in UTM, heights above the ellipsoid, as other programs would deliver it. */
  readonly surfaceUtm: RasterFile & { readonly epsg: number };
}
export interface RasterFile {
  readonly file: string;
  /** West edge of the first column and north edge of the first row. */
  readonly westM: number;
  readonly northM: number;
  readonly width: number;
  readonly height: number;
}

/** Cell of the rasters, metres. */
export const SURFACE_CELL_M = 0.1;
/** Around the rectangle of the strips, metres. */
const MARGIN_M = 8;

/** Writes truth-dsm-enu.tif, truth-ground-enu.tif and truth-dsm.tif (UTM) into a folder. */
export async function writeTruthRasters(
  out: string,
  plan: SurveyPlan,
  heights: HeightField,
  origin: GeodeticPosition,
): Promise<TruthRasters> {
  const { halfLengthM, halfWidthM, azimuthRad } = plan.area;
  const s = Math.abs(Math.sin(azimuthRad));
  const c = Math.abs(Math.cos(azimuthRad));
  const halfEastM = halfLengthM * s + halfWidthM * c + MARGIN_M;
  const halfNorthM = halfLengthM * c + halfWidthM * s + MARGIN_M;
  const frame = {
    westM: -Math.ceil(halfEastM),
    northM: Math.ceil(halfNorthM),
    width: Math.round((2 * Math.ceil(halfEastM)) / SURFACE_CELL_M),
    height: Math.round((2 * Math.ceil(halfNorthM)) / SURFACE_CELL_M),
  };
  const surface = createSurfaceSampler(plan.site.solids, heights);
  const surfaceAt: Sampler = (eastM, northM) => surface(eastM, northM) ?? NO_DATA;
  const groundAt = (eastM: number, northM: number) =>
    heightAtM(heights, heights.base, eastM, northM) ?? NO_DATA;

  const surfaceEnu = { file: "truth-dsm-enu.tif", ...frame };
  const groundEnu = { file: "truth-ground-enu.tif", ...frame };
  for (const [raster, at] of [
    [surfaceEnu, surfaceAt],
    [groundEnu, groundAt],
  ] as const) {
    const place = { ...raster, cellM: SURFACE_CELL_M };
    await writeRaster(join(out, raster.file), place, LOCAL_KEYS, sampleCells(frame, at));
  }
  const surfaceUtm = await writeUtmSurface(out, "truth-dsm.tif", frame, surfaceAt, origin);
  return { cellM: SURFACE_CELL_M, surfaceEnu, groundEnu, surfaceUtm };
}

/** Height of a place, or NO_DATA. */
type Sampler = (eastM: number, northM: number) => number;

interface Frame {
  readonly westM: number;
  readonly northM: number;
  readonly width: number;
  readonly height: number;
}

function sampleCells(frame: Frame, at: Sampler): Float32Array {
  const cells = new Float32Array(frame.width * frame.height);
  for (let row = 0; row < frame.height; row += 1) {
    const northM = frame.northM - (row + 0.5) * SURFACE_CELL_M;
    for (let column = 0; column < frame.width; column += 1) {
      cells[row * frame.width + column] = at(frame.westM + (column + 0.5) * SURFACE_CELL_M, northM);
    }
  }
  return cells;
}

/**
 * Writes a part of the surface resampled to UTM, heights above the ellipsoid; ENU of a cell is interpolated (below
 * 1 mm).
 * @param frame in metres east and north of the origin, cells of 0.1 m
 */
export async function writeUtmSurface(
  out: string,
  file: string,
  frame: Frame,
  at: Sampler,
  origin: GeodeticPosition,
): Promise<RasterFile & { readonly epsg: number }> {
  const utm = createUtmPlane(origin);
  const raster = {
    file,
    westM: Math.round(utm.x0 + frame.westM),
    northM: Math.round(utm.y0 + frame.northM),
    width: frame.width,
    height: frame.height,
  };
  const cells = sampleCells(raster, (x, y) => {
    const { eastM, northM } = utm.toSite(x, y);
    const upM = at(eastM, northM);
    return upM === NO_DATA ? NO_DATA : upM + origin.heightM;
  });
  await writeRaster(
    join(out, raster.file),
    { ...raster, cellM: SURFACE_CELL_M },
    utmKeys(utm.epsg),
    cells,
  );
  return { ...raster, epsg: utm.epsg };
}
