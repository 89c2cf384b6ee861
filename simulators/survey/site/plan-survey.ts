import { WEEK_MS } from "../../../domain/time.ts";
import { SimulatorError } from "../../command-line/simulator-error.ts";
import { createRandom } from "../../randomness/random.ts";
import type { GeodeticPosition } from "../coordinates/wgs84.ts";
import { type Capture, fly } from "../flight/flight.ts";
import { type Area, planFlight } from "../flight/flight-plan.ts";
import { type CameraBody, createBodies } from "../flight/lenses.ts";
import type { SurveyOptions } from "../options/options.ts";
import { createSite, type Site } from "./site.ts";

/** Where the simulated site lies; its ENU frame has its origin here. Open land near London; any place would do. */
export const SITE_ORIGIN: GeodeticPosition = { latDeg: 51.47, lonDeg: -0.12, heightM: 62 };
/** First image of epoch 1 where the options name none; later epochs fly at weekly distance. */
const FIRST_FLIGHT_MS = Date.UTC(2026, 4, 4, 9, 30, 0);

/** A survey before anything is rendered. */
export interface SurveyPlan {
  readonly area: Area;
  readonly site: Site;
  readonly bodies: readonly [CameraBody, CameraBody];
  readonly captures: readonly Capture[];
  /** The ground is made this far east and north of the origin, metres. */
  readonly extentM: number;
  readonly gsdM: number;
  readonly startMs: number;
  readonly isSnow: boolean;
  /** Of the ground's texture, 0 to 1. */
  readonly contrast: number;
}

/** Strips lean off north by at most this, degrees, so that no axis is special. */
const STRIP_AZIMUTH_DEG = 18;
/**
 * Ground beyond the outermost footprint, metres: tilted and shaken cameras see past it. More costs memory.
 */
const BEYOND_M = 6;

/**
 * Decides everything that a seed decides: lens, site, flight, tags.
 * @throws SimulatorError when the survey would have no image left.
 */
export function planSurvey(options: SurveyOptions): SurveyPlan {
  const random = createRandom(`survey-${options.seed}`);
  const bodies = createBodies(options.widthPx, random.fork("bodies"), options.focalOffPercent);
  const [{ lens, nominalFocalPx }] = bodies;
  const frameByFocal = {
    width: lens.widthPx / nominalFocalPx,
    height: lens.heightPx / nominalFocalPx,
  };
  const { area, shots } = planFlight({
    images: options.images,
    obliques: options.obliques,
    altitudeM: options.altitudeM,
    frameByFocal,
    overlap: { forward: options.overlap.forward / 100, side: options.overlap.side / 100 },
    azimuthRad: (random.fork("strips").uniform(-1, 1) * STRIP_AZIMUTH_DEG * Math.PI) / 180,
  });
  const farthestM = Math.max(
    ...shots.map(({ eastM, northM }) => Math.max(Math.abs(eastM), Math.abs(northM))),
  );
  const extentM = farthestM + (options.altitudeM * frameByFocal.width) / 2 + BEYOND_M;
  const isSnow = options.faults.some(({ fault }) => fault === "blank");
  const site = createSite(
    area,
    { extentM, epoch: options.epoch, slopePercent: options.slopePercent },
    random.fork("site"),
  );
  const isHalf = options.faults.some(({ fault }) => fault === "half-block");
  const flown = isHalf
    ? shots.filter(
        ({ eastM, northM }) =>
          eastM * Math.cos(area.azimuthRad) - northM * Math.sin(area.azimuthRad) < 0,
      )
    : shots;
  if (flown.length === 0) {
    throw new SimulatorError("--faults half-block leaves no image: ask for more --images");
  }
  return {
    area,
    site: isSnow ? { ...site, solids: [], buildings: [] } : site,
    bodies,
    captures: repeatDuplicates(fly(flown, options, random.fork(`flight-${options.epoch}`))),
    extentM,
    gsdM: options.altitudeM / nominalFocalPx,
    startMs: (options.firstFlightMs ?? FIRST_FLIGHT_MS) + WEEK_MS * (options.epoch - 1),
    isSnow,
    contrast: options.contrast ?? 1,
  };
}

/** A duplicate is the image before it (the first one: after it) under its own name. */
function repeatDuplicates(captures: readonly Capture[]): Capture[] {
  return captures.map((capture, i) => {
    const source = captures[i === 0 ? 1 : i - 1];
    if (!capture.faults.includes("duplicate") || source === undefined) return capture;
    return { ...source, name: capture.name, faults: [...source.faults, "duplicate"] };
  });
}
