import type { Alignment, Georeferencing } from "../../domain/sites/measurement.ts";
import type { SurveyOrigin } from "../geometry/enu.ts";
import { type FittedSimilarity, fitSimilarity } from "../geometry/fit-similarity.ts";
import { betweenFrames, type Similarity } from "../geometry/similarity.ts";
import type { HeightField } from "../grid/elevation-grid.ts";
import type { PlanPolygon } from "../grid/polygon-weights.ts";
import {
  type AlignmentPrior,
  alignOnStableGround,
  GPS_PRIOR,
  type GroundAlignment,
  JOINT_PRIOR,
  RTK_PRIOR,
} from "../volume/alignment/align-on-stable-ground.ts";
import type { EpochCamera } from "./epoch-file.ts";
import type { SurveyFacts } from "./survey-facts.ts";

/** How a survey came into the frame of the datum, and how sure it lies there. */
export interface SurveyAlignment {
  readonly kind: Alignment;
  /** One standard deviation, in height and by axis in plan, metres. */
  readonly heightSigmaM: number;
  readonly planSigmaM: number;
  /** Of its scale against that of the datum, without unit; `undefined`: its scale is its own. */
  readonly scaleSigma: number | undefined;
}

/** Of the survey that makes the datum. */
export const FIRST: SurveyAlignment = {
  kind: "first",
  heightSigmaM: 0,
  planSigmaM: 0,
  scaleSigma: undefined,
};

/** A survey's transform into the frame of a datum. */
export interface AlignedSurvey {
  readonly transform: Similarity;
  readonly alignment: SurveyAlignment;
}

/** What a survey is brought onto. */
export interface FixedEpoch {
  /** Of the frame of surface and cameras. */
  readonly origin: SurveyOrigin;
  readonly georeferencing: Georeferencing;
  /** `undefined`: it cannot be read any more. */
  readonly surface: HeightField | undefined;
  readonly cameras: readonly EpochCamera[];
}

/**
 * Cameras that both epochs oriented, at least: fewer do not distinguish a lever from a shift. More leaves small
 * flights that share few cameras without a common frame.
 */
const LEAST_CAMERAS = 6;
/** How far flights with RTK lie from each other, metres, one standard deviation each: a fixed solution's. */
export const RTK_SIGMA = { heightSigmaM: 0.03, planSigmaM: 0.02 } as const;

/** Whether positions alone place a survey, to centimetres. */
export const isPlaced = (georeferencing: Georeferencing): boolean =>
  georeferencing === "rtk" || georeferencing === "control_points" || georeferencing === "given";

/**
 * From the frame of a survey into that of an earlier one: by the cameras that both oriented, else by
 * positions; both refined on the ground that did not change. Positions alone count when both surveys were
 * placed by RTK, control points, or the provider of the surface.
 * @param changing polygons in the earlier frame within which the surface is expected to change
 * @returns `undefined` when nothing ties the two
 */
export function alignSurvey(
  survey: SurveyFacts,
  fixed: FixedEpoch,
  changing: readonly PlanPolygon[],
): AlignedSurvey | undefined {
  // Heaps determine shift and turn best where the ground is level. Not scale: a heap that was lowered evenly
  // looks like another scale (a cone lowered by a third: 2.4 % with a stated 0.2 %).
  const refined = (start: Similarity, prior: AlignmentPrior) =>
    fixed.surface &&
    alignOnStableGround(survey.dsm, fixed.surface, changing, {
      start,
      prior: { ...prior, scale: 0 },
    });

  const joint = byCameras(survey, fixed.cameras);
  if (joint !== undefined) {
    const settled = refined(joint, JOINT_PRIOR);
    const errorM = joint.rmsM / Math.sqrt(joint.used);
    return {
      transform: settled?.transform ?? joint,
      alignment: {
        kind: "joint_adjustment",
        heightSigmaM: settled?.sigmaCoregM ?? errorM,
        planSigmaM: settled === undefined ? errorM : planSigma(settled),
        scaleSigma: joint.scaleSigma,
      },
    };
  }
  const start = betweenFrames(survey.origin, fixed.origin);
  const arePlaced = isPlaced(survey.georeferencing) && isPlaced(fixed.georeferencing);
  const settled = refined(start, arePlaced ? RTK_PRIOR : GPS_PRIOR);
  if (settled !== undefined) {
    return {
      transform: settled.transform,
      alignment: {
        kind: arePlaced ? "georeferenced" : "stable_ground",
        heightSigmaM: settled.sigmaCoregM,
        planSigmaM: planSigma(settled),
        scaleSigma: undefined,
      },
    };
  }
  if (!arePlaced) return undefined;
  return {
    transform: start,
    alignment: { kind: "georeferenced", ...RTK_SIGMA, scaleSigma: undefined },
  };
}

const planSigma = ({ sigma }: GroundAlignment): number =>
  Math.hypot(sigma.eastM, sigma.northM) / Math.SQRT2;

function byCameras(
  { cameras }: SurveyFacts,
  earlier: readonly EpochCamera[],
): FittedSimilarity | undefined {
  const centres = new Map(earlier.map(({ sha256, centre }) => [sha256, centre]));
  const shared = cameras.flatMap(({ sha256, centre }) => {
    const there = centres.get(sha256);
    return there === undefined ? [] : [{ here: centre, there }];
  });
  const from = Float64Array.from(shared.flatMap(({ here }) => here));
  const to = Float64Array.from(shared.flatMap(({ there }) => there));
  const fitted = fitSimilarity(from, to);
  return fitted !== undefined && fitted.used >= LEAST_CAMERAS ? fitted : undefined;
}
