import type { PlanPolygon } from "../../../grid/polygon-weights.ts";
import { sharesOn, type ZoneCells } from "../cells/zone-cells.ts";
import type { HeightErrors } from "../registration/height-errors.ts";
import { type Detection, levelOfDetection } from "./detection.ts";

/** A zone as one flight sees it, with how sure its heights are. */
export interface ZoneSight {
  readonly cells: ZoneCells;
  /** 1 for cells whose height was not seen but taken from around them; `undefined`: there is none. */
  readonly hidden: Uint8Array | undefined;
  /** In the frame of the datum. */
  readonly polygon: PlanPolygon;
  readonly errors: HeightErrors;
  /** Cell of the survey, metres. */
  readonly sourceCellM: number;
  /** Of the polygon against the flight, by axis, one standard deviation, metres. */
  readonly planSigmaM: number;
  /** Of the survey's heights, without unit. */
  readonly scaleSigma: number;
}

/**
 * Edge of the squares whose means are compared, metres and cells of the survey. Larger ones see thinner layers
 * and blur the edge of the work; smaller ones are as noisy as cells.
 */
const BLOCK_M = 2;
const BLOCK_CELLS = 10;
/**
 * Standard deviations of a cell that a design is met within: 99 % of a finished zone's cells. By the level
 * of detection (95 %) noise alone would leave out the 5 % that a finished zone may lack (A0 rule 3).
 */
const MET_SIGMAS = 2.58;
/** Cells of the building metric are built from this far below the top on, metres (docs/progress-method.md#buildings). */
const LEVEL_TOLERANCE_M = 0.15;

/**
 * What can be distinguished from noise in a zone. The tolerance is the zone's own, but no finer than noise
 * leaves the cells.
 */
export function detectionOf(
  { errors, sourceCellM }: Pick<ZoneSight, "errors" | "sourceCellM">,
  metric: { readonly kind: string; readonly tolerance_m?: number },
): Detection {
  const { cellSigmaM, designSigmaM, source } = errors;
  const lodM = levelOfDetection(cellSigmaM, 0);
  const blockM = Math.max(BLOCK_M, BLOCK_CELLS * sourceCellM);
  // Where nothing was measured, the assumed error is that of the whole: squares know no better.
  const blockLodM =
    source === "assumed" ? lodM : levelOfDetection(errors.meanSigmaM(blockM ** 2), 0);
  const allowedM = metric.tolerance_m ?? (metric.kind === "height" ? LEVEL_TOLERANCE_M : 0);
  const toleranceM = Math.max(allowedM, MET_SIGMAS * Math.hypot(cellSigmaM, designSigmaM));
  return { lodM, blockM, blockLodM: Math.min(lodM, blockLodM), toleranceM, allowedM };
}

/**
 * Share of the zone that was seen, 0 to 1: of the part for which a design is known, or may be where the
 * baseline is not. NaN: there is no such part.
 */
export function observedShare({ cells, hidden }: Pick<ZoneSight, "cells" | "hidden">): number {
  const { share, now, before, design } = cells;
  let [all, seen] = [0, 0];
  for (let i = 0; i < share.length; i += 1) {
    const cell = share[i] ?? 0;
    const isBare = Number.isNaN(before[i] ?? Number.NaN);
    if (cell === 0 || (Number.isNaN(design[i] ?? Number.NaN) && !isBare)) continue;
    all += cell;
    if (!isBare && hidden?.[i] !== 1 && !Number.isNaN(now[i] ?? Number.NaN)) seen += cell;
  }
  return seen / all;
}

/**
 * What a zone's place leaves of a share, points, one standard deviation: the zone is moved by one
 * standard deviation in each of four directions.
 * @param shareOf the share, 0 to 1, by weights of the cells
 */
export function placeTerm(
  { cells, polygon, planSigmaM }: ZoneSight,
  shareOf: (weights: Float32Array) => number,
): number {
  const here = shareOf(cells.share);
  const squares = [
    [planSigmaM, 0],
    [-planSigmaM, 0],
    [0, planSigmaM],
    [0, -planSigmaM],
  ].map(([east = 0, north = 0]) => {
    const moved = polygon.map(([x, y]) => [x + east, y + north] as const);
    return (shareOf(sharesOn(cells.frame, moved)) - here) ** 2;
  });
  // Two directions an axis, and both axes.
  return 100 * Math.sqrt(squares.reduce((sum, square) => sum + (square || 0), 0) / 2);
}
