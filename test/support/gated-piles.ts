import type { SurveyResult } from "../../processing/engine/port/engine.ts";
import { createEnuFrame } from "../../processing/geometry/enu.ts";
import { planSurface } from "../../processing/photogrammetry/dense/surface-plan.ts";
import { surveyedCells } from "../../processing/photogrammetry/reconstruction/surveyed-cells.ts";
import { fitBasePlane } from "../../processing/volume/base/base-plane.ts";
import { checkVolume } from "../../processing/volume/check-volume.ts";
import type { SurveySet } from "./survey-sets.ts";

/** A pile of a simulated site, how far from it the flight was, and whether the gates accept its polygon. */
export interface GatedPile {
  readonly id: string;
  /** Horizontal distance from each vertex to the nearest camera that points down, the longest, metres. */
  readonly farthestM: number;
  /** The same, the shortest. */
  readonly nearestM: number;
  /** Gate that refuses a volume; `undefined`: none. */
  readonly refusedBy: string | undefined;
}

/** A camera points down when its axis dips more than this below the horizon: third row, z of rotation. */
const LOOKS_DOWN = -0.94;

/** Checks the polygon of every pile of a set against the gates, on the surface of a survey of it. */
export function gatePiles(
  { dsm, reconstruction, origin }: SurveyResult,
  { truth }: SurveySet,
): readonly GatedPile[] {
  if (reconstruction === undefined) return [];
  const surveyed = surveyedCells(dsm, reconstruction, planSurface(reconstruction).groundM);
  const frame = createEnuFrame(origin);
  const cameras = truth.cameras.filter(({ rotation }) => (rotation[8] ?? 0) < LOOKS_DOWN);
  return truth.piles.map(({ id, outline, outlineLonLat }) => {
    const polygon = outlineLonLat.map(([lonDeg, latDeg]) => {
      const [x, y] = frame.toEnu({ lonDeg, latDeg, heightM: origin.heightM });
      return [x, y] as const;
    });
    const distances = outline.map(([x, y]) =>
      Math.min(...cameras.map(({ centre }) => Math.hypot(centre[0] - x, centre[1] - y))),
    );
    const [finding] = checkVolume(dsm, surveyed, polygon, fitBasePlane(dsm, polygon));
    const refusedBy = finding && `${finding.gate} ${finding.value}`;
    return {
      id,
      farthestM: Math.max(...distances),
      nearestM: Math.min(...distances),
      refusedBy,
    };
  });
}
