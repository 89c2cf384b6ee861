import type { SurveyResult } from "../../processing/engine/port/engine.ts";
import { createEnuFrame } from "../../processing/geometry/enu.ts";
import { fitBasePlane } from "../../processing/volume/base/base-plane.ts";
import { volumeAbove } from "../../processing/volume/volume-above.ts";
import { scaleError, type Triple } from "./survey-network.ts";
import { readTruthRaster, type SurveySet, type TruthRaster } from "./survey-sets.ts";

/** A surface against the simulator's, cell by cell. */
export interface HeightError {
  readonly cells: number;
  readonly medianM: number;
  /** 1.4826 times the median of absolute deviations from the median. */
  readonly nmadM: number;
}

/** Volume of a pile above a plane through its surroundings, in the surface and in truth. */
export interface PileVolume {
  readonly id: string;
  readonly volumeM3: number;
  readonly truthM3: number;
}

/** Scale of the found camera positions against the true ones, less one. */
export function cameraScaleError(
  { reconstruction, images }: SurveyResult,
  { truth }: SurveySet,
): number {
  const centres = new Map(truth.cameras.map(({ image, centre }) => [image, centre]));
  const found: Triple[] = [];
  const wanted: Triple[] = [];
  for (const { image, pose } of reconstruction?.cameras ?? []) {
    const centre = centres.get(images[image]?.name ?? "");
    if (centre === undefined) continue;
    found.push(pose.centre);
    wanted.push(centre);
  }
  return scaleError(found, wanted);
}

/** Heights of a result less the true ones at the same places, over the area that the strips cover. */
export async function heightError(
  { dsm, origin }: SurveyResult,
  set: SurveySet,
): Promise<HeightError> {
  const truth = await readTruthRaster(set, "surfaceEnu");
  const found = createEnuFrame(origin);
  const site = createEnuFrame(set.truth.origin);
  const corners = set.truth.area;
  const [west, east] = [Math.min, Math.max].map((pick) => pick(...corners.map(([x]) => x)));
  const [south, north] = [Math.min, Math.max].map((pick) => pick(...corners.map(([, y]) => y)));
  const errors: number[] = [];
  for (let cell = 0; cell < dsm.elevationM.length; cell += 1) {
    const z = dsm.elevationM[cell] ?? Number.NaN;
    if (Number.isNaN(z)) continue;
    const x = dsm.westM + ((cell % dsm.width) + 0.5) * dsm.cellM;
    const y = dsm.northM - (Math.floor(cell / dsm.width) + 0.5) * dsm.cellM;
    const [e, n, u] = site.toEnu(found.toGeodetic([x, y, z]));
    if (!(e >= (west ?? 0) && e <= (east ?? 0) && n >= (south ?? 0) && n <= (north ?? 0))) continue;
    const trueM = bilinear(truth, e, n);
    if (!Number.isNaN(trueM)) errors.push(u - trueM);
  }
  const medianM = median(errors);
  const nmadM = 1.4826 * median(errors.map((error) => Math.abs(error - medianM)));
  return { cells: errors.length, medianM, nmadM };
}

/** Volumes above local base planes; the truth is measured likewise in the true surface. */
export async function pileVolumes(
  { dsm, origin }: SurveyResult,
  set: SurveySet,
): Promise<readonly PileVolume[]> {
  const truth = await readTruthRaster(set, "surfaceEnu");
  const frame = createEnuFrame(origin);
  return set.truth.piles.flatMap(({ id, outline, outlineLonLat }) => {
    const polygon = outlineLonLat.map(([lonDeg, latDeg]) => {
      const [x, y] = frame.toEnu({ lonDeg, latDeg, heightM: origin.heightM });
      return [x, y] as const;
    });
    const base = fitBasePlane(dsm, polygon);
    const trueBase = fitBasePlane(truth, outline);
    if (base === undefined || trueBase === undefined) return [];
    const { netM3 } = volumeAbove(dsm, polygon, base);
    return [{ id, volumeM3: netM3, truthM3: volumeAbove(truth, outline, trueBase).netM3 }];
  });
}

function bilinear(grid: TruthRaster, x: number, y: number): number {
  const column = (x - grid.westM) / grid.cellM - 0.5;
  const row = (grid.northM - y) / grid.cellM - 0.5;
  const [i, j] = [Math.floor(column), Math.floor(row)];
  if (i < 0 || j < 0 || i + 1 >= grid.width || j + 1 >= grid.height) return Number.NaN;
  const at = (c: number, r: number) => grid.elevationM[r * grid.width + c] ?? Number.NaN;
  const [fx, fy] = [column - i, row - j];
  const upper = at(i, j) * (1 - fx) + at(i + 1, j) * fx;
  const lower = at(i, j + 1) * (1 - fx) + at(i + 1, j + 1) * fx;
  return upper * (1 - fy) + lower * fy;
}

function median(values: readonly number[]): number {
  return Float64Array.from(values).sort()[values.length >> 1] ?? Number.NaN;
}
