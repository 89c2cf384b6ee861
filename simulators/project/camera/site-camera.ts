import type { Random } from "../../randomness/random.ts";
import type { SitePoint } from "../../survey/coordinates/place.ts";
import {
  type Attitude,
  cameraAxes,
  imagePoint,
  type TrueLens,
} from "../../survey/flight/camera.ts";
import type { ProjectOptions } from "../plan/options.ts";
import type { ProjectPlan } from "../plan/plan-project.ts";
import { designChangeM } from "../zone/project-zone.ts";
import { corners, type GridPoint } from "../zone/site-grid.ts";
import { planeM } from "../zone/site-ground.ts";
import { areaOf, clipToFrame, convexHull } from "./view-polygon.ts";

/** A camera on a mast at a corner of the site. */
export interface SiteCameraPlan {
  readonly id: string;
  readonly name: string;
  readonly lens: TrueLens;
  readonly centre: SitePoint;
  readonly attitude: Attitude;
}

/** Pose of a camera in one week: wind and warmth turn its mast a little. */
export interface CameraPose {
  readonly attitude: Attitude;
  readonly shiftPx: readonly [u: number, v: number];
  readonly rollDeg: number;
  readonly isKnocked: boolean;
}

/** Masts in the site's grid, metres; their cameras point at the middle of the site. */
const MASTS: readonly (GridPoint & { readonly name: string; readonly upM: number })[] = [
  { name: "Mast south-west", alongM: -57, rightM: -50, upM: 24 },
  { name: "Mast north-east", alongM: 57, rightM: 50, upM: 22 },
  { name: "Mast north-west", alongM: 58, rightM: -49, upM: 20 },
  { name: "Mast south-east", alongM: -58, rightM: 51, upM: 26 },
];
export const MOST_CAMERAS = MASTS.length;
/** Focal length over width: 71 degrees across. */
const FOCAL_SHARE = 0.7;
const ASPECT = 0.75;
const PITCH_DEG = -22;
/** Drift from week to week, pixels of a 960 pixel wide picture, at most; and roll, degrees. */
const DRIFT_PX = 8;
const DRIFT_OF_PX = 960;
const DRIFT_ROLL_DEG = 0.3;
/** A knock turns the camera by this share of its width. */
const KNOCK_SHARE = 0.15;

/** The cameras of a project. */
export function planCameras(plan: ProjectPlan): SiteCameraPlan[] {
  const { options, ground } = plan;
  const widthPx = 2 * Math.round(options.cameraWidthPx / 2);
  const heightPx = 2 * Math.round((widthPx * ASPECT) / 2);
  return MASTS.slice(0, options.cameras).map(({ name, upM, ...at }, i) => {
    const foot = ground.grid.toSite(at);
    return {
      id: `${options.project}-cam-${i + 1}`,
      name,
      lens: {
        ...{ widthPx, heightPx, focalPx: FOCAL_SHARE * widthPx },
        ...{ cxPx: (widthPx - 1) / 2, cyPx: (heightPx - 1) / 2 },
        ...{ k1: -0.03, k2: 0.008, p1: 0, p2: 0 },
      },
      centre: { ...foot, upM: planeM(ground, foot) + upM },
      attitude: {
        yawDeg: (Math.atan2(-foot.eastM, -foot.northM) * 180) / Math.PI,
        pitchDeg: PITCH_DEG,
        rollDeg: 0,
      },
    };
  });
}

/** Pose of a camera in a week; week 1 is its reference view and is without drift. */
export function poseAt(
  { lens, attitude }: SiteCameraPlan,
  index: number,
  week: number,
  { knocked }: ProjectOptions,
  random: Random,
): CameraPose {
  const drawn = random.fork(`drift-${index}-${week}`);
  const mostPx = week === 1 ? 0 : (DRIFT_PX * lens.widthPx) / DRIFT_OF_PX;
  const isKnocked = knocked?.camera === index + 1 && week >= knocked.week;
  const u = drawn.uniform(-mostPx, mostPx) + (isKnocked ? KNOCK_SHARE * lens.widthPx : 0);
  const v = drawn.uniform(-mostPx, mostPx);
  const rollDeg = week === 1 ? 0 : drawn.uniform(-DRIFT_ROLL_DEG, DRIFT_ROLL_DEG);
  const turnDeg = (px: number) => (Math.atan(px / lens.focalPx) * 180) / Math.PI;
  return {
    attitude: {
      // The view goes left when the picture goes right.
      yawDeg: attitude.yawDeg - turnDeg(u) / Math.cos((attitude.pitchDeg * Math.PI) / 180),
      pitchDeg: attitude.pitchDeg + turnDeg(v),
      rollDeg,
    },
    ...{ shiftPx: [u, v], rollDeg, isKnocked },
  };
}

/** Share of the picture that an outline must cover to be given, and most of a zone that may lie off it. */
const LEAST_SHARE = 0.001;
const LEAST_INSIDE = 0.5;

/**
 * Where the reference view sees a zone from its ground to its design: the hull of both, as shares of
 * width and height, cut off at the frame; `undefined`: hardly or not at all.
 */
export function outlineOf(
  camera: SiteCameraPlan,
  plan: ProjectPlan,
  zone: ProjectPlan["zones"][number],
): (readonly [number, number])[] | undefined {
  const { lens, attitude, centre } = camera;
  const axes = cameraAxes(attitude);
  // Off the flight there is nothing to be seen of it either.
  if (zone.plan.expectation === "not_observed") return undefined;
  const { rect } = zone.plan;
  const topM = Math.abs(designChangeM(zone.plan, rect)) * (zone.plan.metric === "cut" ? 0 : 1);
  const slope = "slopeRun" in zone.plan.work ? zone.plan.work.slopeRun : 0;
  const top = {
    ...rect,
    halfLengthM: rect.halfLengthM - slope * topM,
    halfWidthM: rect.halfWidthM - slope * topM,
  };
  const points = [
    ...corners(rect).map((at) => [at, 0] as const),
    ...corners(top).map((at) => [at, topM] as const),
  ];
  const seen: [number, number][] = [];
  for (const [at, upM] of points) {
    const place = plan.ground.grid.toSite(at);
    const point = { ...place, upM: planeM(plan.ground, place) + upM };
    const image = imagePoint(lens, axes, centre, point);
    if (image === undefined) return undefined;
    seen.push([(image.u + 0.5) / lens.widthPx, (image.v + 0.5) / lens.heightPx]);
  }
  const hull = convexHull(seen);
  const cut = clipToFrame(hull);
  const isEnough =
    areaOf(cut) > LEAST_SHARE && areaOf(cut) > LEAST_INSIDE * areaOf(hull) && cut.length >= 3;
  return isEnough ? cut : undefined;
}
