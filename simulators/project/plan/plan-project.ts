import { DAY_MS, WEEK_MS } from "../../../domain/time.ts";
import { SimulatorError } from "../../command-line/simulator-error.ts";
import { createRandom, type Random } from "../../randomness/random.ts";
import { type Capture, fly } from "../../survey/flight/flight.ts";
import { planFlight, type Shot } from "../../survey/flight/flight-plan.ts";
import { type CameraBody, createBodies } from "../../survey/flight/lenses.ts";
import { SURVEY_DEFAULTS, type SurveyOptions } from "../../survey/options/options.ts";
import { SITE_ORIGIN } from "../../survey/site/plan-survey.ts";
import { drawZones, ZONES_WITHIN } from "../zone/catalogue.ts";
import { createProjectZone, type ProjectZone } from "../zone/project-zone.ts";
import { createSiteGrid } from "../zone/site-grid.ts";
import type { SiteGround } from "../zone/site-ground.ts";
import type { ProjectOptions } from "./options.ts";
import { drawWeather, type Weather } from "./weather.ts";

/**
 * Work begins on a Monday; flights are on Sundays, so that nothing is planned to move meanwhile. Long ago: the
 * service refuses flights of the future.
 */
const PROJECT_START_MS = Date.UTC(2025, 4, 5);
/** Flights begin between 9 and 13 o'clock UTC. */
const FLIGHT_HOURS = [9, 13] as const;

/** The place and time of one flight. */
export interface WeekPlan {
  /** From 1. */
  readonly week: number;
  readonly startMs: number;
  readonly weather: Weather;
  readonly captures: readonly Capture[];
}

/** A project before anything is rendered: all that its seed decides. */
export interface ProjectPlan {
  readonly options: ProjectOptions;
  readonly random: Random;
  readonly ground: SiteGround;
  readonly zones: readonly ProjectZone[];
  readonly body: CameraBody;
  readonly weeks: readonly WeekPlan[];
  readonly altitudeM: number;
  readonly gsdM: number;
  /** The ground is made this far east and north of the origin, metres. */
  readonly extentM: number;
}

/** Of images along strips, and of strips, 0 to 1. */
export const OVERLAP = { forward: 0.75, side: 0.65 };
/** The middles of the outermost images must reach this share of the zones' bounds. */
const REACH_SHARE = 0.66;
const LOWEST_M = 15;
const HIGHEST_M = 120;
/** Ground beyond the outermost footprint, metres. */
const BEYOND_M = 6;
/** The site's grid leans off north by at most this, degrees. */
const GRID_AZIMUTH_DEG = 18;
/** Rise by axis of the site, metres a metre, at most: levels of buildings are counted above the ground. */
const TILT = 0.005;

/** When work begins, ms since the Unix epoch. */
export const startOf = ({ startMs = PROJECT_START_MS }: Pick<ProjectOptions, "startMs">): number =>
  startMs;

/** Decides everything. @throws SimulatorError when so few images cannot cover the zones. */
export function planProject(options: ProjectOptions): ProjectPlan {
  const random = createRandom(`project-${options.seed}`);
  const [body] = createBodies(options.widthPx, random.fork("bodies"));
  const azimuthRad = (random.fork("grid").uniform(-1, 1) * GRID_AZIMUTH_DEG * Math.PI) / 180;
  const zones = drawZones(options.zones, random.fork("zones")).map((zone) =>
    createProjectZone(zone, options.project, options.weeks, random.fork(`zone-${zone.code}`)),
  );
  const drawn = random.fork("ground");
  const ground: SiteGround = {
    grid: createSiteGrid(azimuthRad),
    tiltEast: drawn.uniform(-TILT, TILT),
    tiltNorth: drawn.uniform(-TILT, TILT),
    zones,
    seed: drawn.integer(1, 2 ** 28),
  };
  const { shots, altitudeM } = planShots(options, body, azimuthRad);
  const farthestM = Math.max(
    ...shots.map(({ eastM, northM }) => Math.max(Math.abs(eastM), Math.abs(northM))),
  );
  const widthByFocal = body.lens.widthPx / body.nominalFocalPx;
  return {
    ...{ options, random, ground, zones, body, altitudeM },
    weeks: Array.from({ length: options.weeks }, (_, i) =>
      planWeek(i + 1, shots, altitudeM, options, random),
    ),
    gsdM: altitudeM / body.nominalFocalPx,
    extentM: farthestM + (altitudeM * widthByFocal) / 2 + BEYOND_M,
  };
}

function planWeek(
  week: number,
  shots: readonly Shot[],
  altitudeM: number,
  options: ProjectOptions,
  random: Random,
): WeekPlan {
  const drawn = random.fork(`week-${week}`);
  const sundayMs = startOf(options) + WEEK_MS * (week - 1) - DAY_MS;
  const minutes = Math.round(drawn.uniform(FLIGHT_HOURS[0] * 60, FLIGHT_HOURS[1] * 60));
  const startMs = sundayMs + minutes * 60_000;
  const weather = drawWeather(startMs, SITE_ORIGIN, week, drawn.fork("weather"));
  const survey: SurveyOptions = {
    ...SURVEY_DEFAULTS,
    gps: options.gps,
    ...(options.gpsSigmaM !== undefined && { gpsSigmaM: options.gpsSigmaM }),
    altitudeM,
  };
  const captures = fly(shots, survey, drawn.fork("flight")).map((capture) => ({
    ...capture,
    gain: capture.gain * weather.gain,
  }));
  return { week, startMs, weather, captures };
}

/** The flight that covers the zones: so high that its strips reach over them, or as high as asked. */
function planShots(options: ProjectOptions, body: CameraBody, azimuthRad: number) {
  const { lens, nominalFocalPx } = body;
  const planAt = (altitudeM: number) =>
    planFlight({
      images: options.images,
      obliques: options.obliques,
      altitudeM,
      frameByFocal: {
        width: lens.widthPx / nominalFocalPx,
        height: lens.heightPx / nominalFocalPx,
      },
      overlap: OVERLAP,
      azimuthRad,
    });
  const { area } = planAt(1);
  const neededM = Math.ceil(
    REACH_SHARE *
      Math.max(ZONES_WITHIN.alongM / area.halfLengthM, ZONES_WITHIN.rightM / area.halfWidthM),
  );
  const altitudeM = options.altitudeM ?? Math.max(LOWEST_M, neededM);
  if (altitudeM < neededM || altitudeM > HIGHEST_M) {
    const needed = Number.isFinite(neededM) ? `${neededM} m` : "no height";
    throw new SimulatorError(
      options.altitudeM === undefined
        ? `--images ${options.images} with --obliques ${options.obliques} cover the site from ${needed} only; the limit is ${HIGHEST_M} m: ask for more images`
        : `--altitude ${altitudeM} with --images ${options.images} does not cover the site: ${needed} or higher, or more images`,
    );
  }
  return { shots: planAt(altitudeM).shots, altitudeM };
}
