import type { Ring } from "../../domain/geometry/geofence.ts";
import type { MeasurementId } from "../../domain/ids.ts";
import type { Georeferencing } from "../../domain/sites/measurement.ts";
import { ringOfPlan } from "../../processing/epoch/plan-ring.ts";
import type { SurveyFacts } from "../../processing/epoch/survey-facts.ts";
import { createEnuFrame, type SurveyOrigin } from "../../processing/geometry/enu.ts";
import { rotationFromVector } from "../../processing/geometry/rotation.ts";
import type { MeasureSurfaceInput } from "../../processing/measurement/surface/measure-input.ts";
import { seededRandom } from "./seeded-random.ts";

/** Middle of the site: the heap's, and of the frame of the heights. */
export const SITE: SurveyOrigin = { latDeg: 52.52, lonDeg: 13.405, heightM: 80 };
/** Height of the ground in that frame, metres. */
export const GROUND_M = -38;

/** Radius of the footprint, metres: 1 m of ground around the toe. */
const FOOTPRINT_M = 7;
const TOE_M = 6;
const EDGE_M = 44;

export interface Heap {
  /** Height of the cone, metres; its toe is at 6 m. */
  readonly heightM?: number;
  /** Where the survey's own frame has its origin, metres east, north and up of `SITE`. */
  readonly originM?: readonly [number, number, number];
  /** What the survey's positions are off by: east, north, up, metres. */
  readonly offM?: readonly [number, number, number];
  readonly georeferencing?: Georeferencing;
  readonly cellM?: number;
  readonly seed?: number;
  /** Whether a place has no data, metres from the heap. */
  readonly isHole?: (x: number, y: number) => boolean;
  /** Added to the ground at a place, metres. */
  readonly rise?: (x: number, y: number) => number;
}

/** Cubic metres of the cone. */
export const coneM3 = (heightM: number): number => (Math.PI * TOE_M ** 2 * heightM) / 3;

/** The footprint of the heap: a regular polygon of 48 corners. */
export const HEAP_FOOTPRINT: Ring = ringOfPlan(
  Array.from({ length: 48 }, (_, k) => {
    const angle = (k / 24) * Math.PI;
    return [FOOTPRINT_M * Math.cos(angle), FOOTPRINT_M * Math.sin(angle)] as const;
  }),
  SITE,
);

/**
 * A survey of a cone on rolling ground (5 cm up and down on 25 m) with noise of 1 cm, as from an engine that
 * gives no cameras: 44 m square about the heap.
 */
export function heapSurvey({
  heightM = 3.6,
  originM = [0, 0, 0],
  offM = [0, 0, 0],
  georeferencing = "rtk",
  cellM = 0.2,
  seed = 1,
  isHole = () => false,
  rise = () => 0,
}: Heap = {}): SurveyFacts {
  const site = createEnuFrame(SITE);
  const origin = site.toGeodetic([...originM]);
  const random = seededRandom(seed);
  const side = Math.round(EDGE_M / cellM);
  const [westM, northM] = [-EDGE_M / 2 - originM[0], EDGE_M / 2 - originM[1]];
  const elevationM = new Float32Array(side * side);
  for (let i = 0; i < elevationM.length; i += 1) {
    const x = -EDGE_M / 2 + ((i % side) + 0.5) * cellM;
    const y = EDGE_M / 2 - (Math.floor(i / side) + 0.5) * cellM;
    const ground = GROUND_M + 0.05 * Math.sin(x / 4) * Math.cos(y / 4) + rise(x, y);
    const noise = 0.035 * (random() - 0.5);
    const heap = heightM * Math.max(0, 1 - Math.hypot(x, y) / TOE_M);
    elevationM[i] = isHole(x, y) ? Number.NaN : ground + heap + noise - originM[2] + offM[2];
  }
  const known = Array.from(elevationM, (z) => !Number.isNaN(z));
  return {
    origin,
    dsm: {
      ...{ westM: westM + offM[0], northM: northM + offM[1], cellM, width: side, height: side },
      elevationM,
      score: Float32Array.from(known, (isKnown) => (isKnown ? 0.9 : Number.NaN)),
      views: Uint8Array.from(known, (isKnown) => (isKnown ? 5 : 0)),
    },
    georeferencing,
    gsdM: cellM / 4,
    block: undefined,
    cameras: [],
  };
}

/** What an adjustment leaves of a block of five images that look down on the heap from 40 m. */
export function heapBlock(): NonNullable<SurveyFacts["block"]> {
  const rotation = rotationFromVector([Math.PI, 0, 0]);
  const cameras = [-2, -1, 0, 1, 2].map((east, image) => ({
    ...{ image, lens: 0, observations: 90, rmsPx: 0.4 },
    pose: { centre: [east, 0, GROUND_M + 40] as const, rotation },
  }));
  const lens = {
    ...{ widthPx: 1_200, heightPx: 900, focalPx: 700, cxPx: 600, cyPx: 450 },
    ...{ k1: 0, k2: 0, p1: 0, p2: 0 },
  };
  // What volumes read of it; a focal length that the adjustment could not find is not finite.
  const summary = {
    ...{ scaleSigma: 0.0021, scaleFrom: "rtk", nadirShare: 0.8, tiltSigmaRad: 0.001 },
    ...{ isHeldByRtk: true, focal: [{ relativeSigma: Number.POSITIVE_INFINITY }] },
  } as unknown as NonNullable<SurveyFacts["block"]>["summary"];
  return { cameras: cameras as never, lenses: [lens], summary, groundM: GROUND_M };
}

/** The first measurement of the heap by such a survey, on a plane. */
export function heapInput(heap: Heap = {}, change: Partial<MeasureSurfaceInput> = {}) {
  const input: MeasureSurfaceInput = {
    measurementId: "msr_first" as MeasurementId,
    survey: heapSurvey(heap),
    base: { method: "plane" },
    footprint: HEAP_FOOTPRINT,
    otherFootprints: [],
    datum: undefined,
    earlier: undefined,
    companions: [],
    ground: undefined,
    ...change,
  };
  return input;
}
