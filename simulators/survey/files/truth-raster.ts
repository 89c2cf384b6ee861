import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeArrayBuffer } from "geotiff";
import proj4 from "proj4";
import type { SurveyPlan } from "../plan-survey.ts";
import { type HeightField, heightAtM } from "../scene/height-field.ts";
import { solidReachM, solidTopM } from "../site/solid.ts";
import { type GeodeticPosition, geodeticPosition } from "../wgs84.ts";

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
const CELL_M = 0.1;
/** Around the rectangle of the strips, metres. */
const MARGIN_M = 8;
const NO_DATA = -9_999;

/** GeoTIFF 1.0 keys: user-defined system (32767), projected (1), pixel is area (1). */
const USER_DEFINED = 32_767;
const MODEL_PROJECTED = 1;
const PIXEL_IS_AREA = 1;

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
    width: Math.round((2 * Math.ceil(halfEastM)) / CELL_M),
    height: Math.round((2 * Math.ceil(halfNorthM)) / CELL_M),
  };
  const surfaceAt = surfaceSampler(plan, heights);
  const groundAt = (eastM: number, northM: number) =>
    heightAtM(heights, heights.base, eastM, northM) ?? NO_DATA;

  const surfaceEnu = { file: "truth-dsm-enu.tif", ...frame };
  const groundEnu = { file: "truth-ground-enu.tif", ...frame };
  // A plane of our own; without a system the writer would call it longitude and latitude.
  const local = { GTModelTypeGeoKey: MODEL_PROJECTED, ProjectedCSTypeGeoKey: USER_DEFINED };
  await writeRaster(out, surfaceEnu, local, sampleCells(frame, surfaceAt));
  await writeRaster(out, groundEnu, local, sampleCells(frame, groundAt));
  const surfaceUtm = await writeUtm(out, frame, surfaceAt, origin);
  return { cellM: CELL_M, surfaceEnu, groundEnu, surfaceUtm };
}

type Sampler = (eastM: number, northM: number) => number;

/** The surface as the images show it: the terrain's patches and the solids' own shapes. */
function surfaceSampler(plan: SurveyPlan, heights: HeightField): Sampler {
  // Solids by 4 m cells, so that a place looks at its own few.
  const cell = 4;
  const near = new Map<string, SurveyPlan["site"]["solids"][number][]>();
  for (const solid of plan.site.solids) {
    const reachM = solidReachM(solid);
    const range = (middle: number) => [
      Math.floor((middle - reachM) / cell),
      Math.floor((middle + reachM) / cell),
    ];
    const [west = 0, east = 0] = range(solid.centre.eastM);
    const [south = 0, north = 0] = range(solid.centre.northM);
    for (let x = west; x <= east; x += 1) {
      for (let y = south; y <= north; y += 1) {
        const key = `${x} ${y}`;
        near.set(key, [...(near.get(key) ?? []), solid]);
      }
    }
  }
  return (eastM, northM) => {
    let upM = heightAtM(heights, heights.terrain, eastM, northM);
    if (upM === undefined) return NO_DATA;
    const solids = near.get(`${Math.floor(eastM / cell)} ${Math.floor(northM / cell)}`) ?? [];
    for (const solid of solids) upM = Math.max(upM, solidTopM(solid, eastM, northM));
    return upM;
  };
}

interface Frame {
  readonly westM: number;
  readonly northM: number;
  readonly width: number;
  readonly height: number;
}

function sampleCells(frame: Frame, at: Sampler): Float32Array {
  const cells = new Float32Array(frame.width * frame.height);
  for (let row = 0; row < frame.height; row += 1) {
    const northM = frame.northM - (row + 0.5) * CELL_M;
    for (let column = 0; column < frame.width; column += 1) {
      cells[row * frame.width + column] = at(frame.westM + (column + 0.5) * CELL_M, northM);
    }
  }
  return cells;
}

/** The surface resampled to UTM; ENU of a cell is interpolated between the frame's corners (below 1 mm). */
async function writeUtm(out: string, frame: Frame, at: Sampler, origin: GeodeticPosition) {
  const zone = Math.floor((origin.lonDeg + 180) / 6) + 1;
  const epsg = (origin.latDeg < 0 ? 32_700 : 32_600) + zone;
  const hemisphere = origin.latDeg < 0 ? " +south" : "";
  const utm = proj4(`+proj=utm +zone=${zone} +datum=WGS84 +units=m +no_defs${hemisphere}`);
  const project = (eastM: number, northM: number) => {
    const { lonDeg, latDeg } = geodeticPosition(origin, { eastM, northM, upM: 0 });
    const [x = 0, y = 0] = utm.forward([lonDeg, latDeg]);
    return [x, y] as const;
  };
  // Over 200 m UTM is an affine map of ENU to 0.1 mm: two steps of 50 m give its coefficients.
  const step = 50;
  const [x0, y0] = project(0, 0);
  const [xe, ye] = project(step, 0);
  const [xn, yn] = project(0, step);
  const [a, b, c, d] = [(xe - x0) / step, (xn - x0) / step, (ye - y0) / step, (yn - y0) / step];
  const determinant = a * d - b * c;
  const raster = {
    file: "truth-dsm.tif",
    westM: Math.round(x0 + frame.westM),
    northM: Math.round(y0 + frame.northM),
    width: frame.width,
    height: frame.height,
  };
  const cells = sampleCells(raster, (x, y) => {
    const east = (d * (x - x0) - b * (y - y0)) / determinant;
    const north = (a * (y - y0) - c * (x - x0)) / determinant;
    const upM = at(east, north);
    return upM === NO_DATA ? NO_DATA : upM + origin.heightM;
  });
  const keys = { GTModelTypeGeoKey: MODEL_PROJECTED, ProjectedCSTypeGeoKey: epsg };
  await writeRaster(out, raster, keys, cells);
  return { ...raster, epsg };
}

async function writeRaster(
  out: string,
  { file, westM, northM, width, height }: RasterFile,
  keys: Readonly<Record<string, number>>,
  cells: Float32Array,
): Promise<void> {
  const tiff = await writeArrayBuffer(cells, {
    width,
    height,
    ModelPixelScale: [CELL_M, CELL_M, 0],
    ModelTiepoint: [0, 0, 0, westM, northM, 0],
    GTRasterTypeGeoKey: PIXEL_IS_AREA,
    GDAL_NODATA: String(NO_DATA),
    ...keys,
  });
  await writeFile(join(out, file), new Uint8Array(tiff));
}
