import type { Random } from "../../randomness/random.ts";
import type { SitePoint } from "../coordinates/place.ts";
import { type FaultRequest, IMAGE_FAULTS, type ImageFault } from "../options/faults.ts";
import type { SurveyOptions } from "../options/options.ts";
import type { Attitude } from "./camera.ts";
import type { Shot } from "./flight-plan.ts";
import { createGpsNoise } from "./gps-noise.ts";

/** One image as it was truly taken, and what its tags say. */
export interface Capture {
  readonly index: number;
  readonly name: string;
  readonly centre: SitePoint;
  readonly attitude: Attitude;
  readonly velocityMps: readonly [number, number, number];
  /** Seconds since the first image. */
  readonly timeS: number;
  /** Of the metering: linear, 1 = right. */
  readonly gain: number;
  /** 0 = the usual camera, 1 = the second one (fault `mixed-cameras`). */
  readonly camera: 0 | 1;
  /** What the tags say where they are there: ENU at the site's origin, and degrees. */
  readonly tagged: {
    readonly position: SitePoint;
    readonly relativeAltitudeM: number;
    readonly attitude: Attitude;
  };
  readonly faults: readonly ImageFault[];
}

/** How a drone holds its place and attitude in light wind, standard deviations; as in the prototype. */
const HOLD = { horizontalM: 0.5, verticalM: 0.3, yawDeg: 1.5, pitchDeg: 0.8, rollDeg: 0.6 };
/** Errors of the gimbal's tags: a yaw offset of the compass common to the flight, and noise. */
const GIMBAL_TAG = { yawBiasDeg: 2, yawDeg: 1.5, pitchDeg: 0.75, rollDeg: 0.3 };
/** Error of the barometer's height, metres. */
const BAROMETER_M = 0.3;
/** Metering follows the ground: standard deviation of a step and how much of the last one stays. */
const EXPOSURE = { sigma: 0.025, keep: 0.9 };

/** Flies the plan: true cameras with the wind in them, tags with the receiver's errors. */
export function fly(shots: readonly Shot[], options: SurveyOptions, random: Random): Capture[] {
  const hold = random.fork("hold");
  const tags = random.fork("tags");
  const metering = random.fork("metering");
  const wrong = random.fork("wrong-tags");
  const nextGpsError = createGpsNoise(
    options.gps,
    { sigmaM: options.gpsSigmaM, images: shots.length },
    random.fork("gps"),
  );
  const faults = assignFaults(options.faults, shots.length, random.fork("faults"));
  const captures: Capture[] = [];
  let exposure = 0;
  let timeS = 0;
  const yawBiasDeg = options.gps === "exact" ? 0 : GIMBAL_TAG.yawBiasDeg * tags.gaussian();
  const exactness = options.gps === "exact" ? 0 : 1;
  for (const [index, shot] of shots.entries()) {
    const before = captures.at(-1);
    const centre = {
      eastM: shot.eastM + HOLD.horizontalM * hold.gaussian(),
      northM: shot.northM + HOLD.horizontalM * hold.gaussian(),
      upM: shot.upM + HOLD.verticalM * hold.gaussian(),
    };
    const attitude = {
      yawDeg: shot.yawDeg + HOLD.yawDeg * hold.gaussian(),
      pitchDeg: shot.pitchDeg + HOLD.pitchDeg * hold.gaussian(),
      rollDeg: HOLD.rollDeg * hold.gaussian(),
    };
    if (before !== undefined) {
      const awayM = Math.hypot(
        centre.eastM - before.centre.eastM,
        centre.northM - before.centre.northM,
      );
      // A camera needs 1 s between two images at least.
      timeS += Math.max(1, awayM / Math.max(0.5, options.speedMps));
    }
    exposure = EXPOSURE.keep * exposure + EXPOSURE.sigma * metering.gaussian();
    const error = nextGpsError();
    const imageFaults = faults[index] ?? [];
    const lostM = imageFaults.includes("wrong-gps") ? wrong.uniform(60, 120) : 0;
    const lostRad = wrong.uniform(0, 2 * Math.PI);
    const turnedDeg = imageFaults.includes("wrong-gimbal")
      ? wrong.uniform(60, 180) * (wrong.chance(0.5) ? 1 : -1)
      : 0;
    captures.push({
      index,
      name: `SIM_${String(index + 1).padStart(4, "0")}.JPG`,
      centre,
      attitude,
      velocityMps: [
        options.speedMps * Math.sin(shot.courseRad),
        options.speedMps * Math.cos(shot.courseRad),
        0,
      ],
      timeS,
      gain: 1 + exposure,
      camera: imageFaults.includes("mixed-cameras") ? 1 : 0,
      tagged: {
        position: {
          eastM: centre.eastM + error[0] + lostM * Math.sin(lostRad),
          northM: centre.northM + error[1] + lostM * Math.cos(lostRad),
          upM: centre.upM + error[2],
        },
        relativeAltitudeM: centre.upM + exactness * BAROMETER_M * tags.gaussian(),
        attitude: {
          yawDeg:
            attitude.yawDeg +
            yawBiasDeg +
            exactness * GIMBAL_TAG.yawDeg * tags.gaussian() +
            turnedDeg,
          pitchDeg: attitude.pitchDeg + exactness * GIMBAL_TAG.pitchDeg * tags.gaussian(),
          rollDeg: attitude.rollDeg + exactness * GIMBAL_TAG.rollDeg * tags.gaussian(),
        },
      },
      faults: imageFaults,
    });
  }
  return captures;
}

/** Which faults each image has; requests with a number draw their images by the seed. */
function assignFaults(
  requests: readonly FaultRequest[],
  imageCount: number,
  random: Random,
): ImageFault[][] {
  const byImage: ImageFault[][] = Array.from({ length: imageCount }, () => []);
  const all = byImage.map((_, i) => i);
  for (const request of requests) {
    if (!("images" in request)) continue;
    const { fault, images } = request;
    const chosen =
      images === "all"
        ? all
        : "count" in images
          ? random.fork(fault).shuffle(all).slice(0, images.count)
          : images.indices;
    for (const i of chosen) byImage[i]?.push(fault);
  }
  const order = Object.keys(IMAGE_FAULTS);
  return byImage.map((faults) => faults.sort((a, b) => order.indexOf(a) - order.indexOf(b)));
}
