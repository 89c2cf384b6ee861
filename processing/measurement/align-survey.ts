import type { Alignment } from "../../domain/measurement.ts";
import type { SurveyOrigin } from "../photogrammetry/reconstruction.ts";
import { type FittedSimilarity, fitSimilarity } from "../volume/fit-similarity.ts";
import type { PlanPolygon } from "../volume/polygon-weights.ts";
import { betweenFrames, type Similarity } from "../volume/similarity.ts";
import type { Epoch } from "./epoch-file.ts";
import type { SurveyFacts } from "./survey-facts.ts";

/** How a survey came into the frame of the datum, and how sure it lies there. */
export interface SurveyAlignment {
  readonly kind: Alignment;
  /** One standard deviation, in height and by axis in plan, metres. */
  readonly heightSigmaM: number;
  readonly planSigmaM: number;
  /** Whether it was brought to the scale of the epoch that made the datum. */
  readonly sharesScale: boolean;
}

/** Of the survey that makes the datum. */
export const FIRST: SurveyAlignment = {
  kind: "first",
  heightSigmaM: 0,
  planSigmaM: 0,
  sharesScale: false,
};

/** A survey's way into the frame of the datum. */
export interface AlignedSurvey {
  readonly transform: Similarity;
  readonly alignment: SurveyAlignment;
}

/** Cameras that both epochs oriented, at least: fewer do not tell a lever from a shift. Chosen. */
const LEAST_CAMERAS = 8;
/**
 * Standard deviation of positions alone, metres: what consumer receivers are off by from flight to flight,
 * and RTK.
 */
const GPS_SIGMA = { heightM: 3, planM: 2 } as const;
const RTK_SIGMA = { heightM: 0.03, planM: 0.02 } as const;

/**
 * From the frame of a survey into that of a datum: by cameras that an earlier epoch oriented as well, else
 * by positions alone.
 */
export function alignSurvey(
  survey: SurveyFacts,
  origin: SurveyOrigin,
  earlier: Epoch | undefined,
  _changing: readonly PlanPolygon[],
): AlignedSurvey {
  const joint = earlier && byCameras(survey, earlier);
  if (joint !== undefined) {
    const sigmaM = joint.rmsM / Math.sqrt(joint.used);
    return {
      transform: joint,
      alignment: {
        kind: "joint_adjustment",
        heightSigmaM: sigmaM,
        planSigmaM: sigmaM,
        sharesScale: true,
      },
    };
  }
  const isSure = survey.georeferencing === "rtk" || survey.georeferencing === "control_points";
  const { heightM, planM } = isSure ? RTK_SIGMA : GPS_SIGMA;
  return {
    transform: betweenFrames(survey.origin, origin),
    alignment: {
      kind: "georeferenced",
      heightSigmaM: heightM,
      planSigmaM: planM,
      sharesScale: false,
    },
  };
}

function byCameras({ cameras }: SurveyFacts, earlier: Epoch): FittedSimilarity | undefined {
  const centres = new Map(earlier.cameras.map(({ sha256, centre }) => [sha256, centre]));
  const shared = cameras.flatMap(({ sha256, centre }) => {
    const there = centres.get(sha256);
    return there === undefined ? [] : [{ here: centre, there }];
  });
  const from = Float64Array.from(shared.flatMap(({ here }) => here));
  const to = Float64Array.from(shared.flatMap(({ there }) => there));
  const fitted = fitSimilarity(from, to);
  return fitted !== undefined && fitted.used >= LEAST_CAMERAS ? fitted : undefined;
}
