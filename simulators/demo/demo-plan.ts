import { DAY_MS, HOUR_MS, WEEK_MS } from "../../domain/time.ts";
import { PROJECT_DEFAULTS, type ProjectOptions } from "../project/plan/options.ts";
import type { GeodeticPosition } from "../survey/coordinates/wgs84.ts";
import { SURVEY_DEFAULTS, type SurveyOptions, usualObliques } from "../survey/options/options.ts";

/** Ids of what the demo makes beside its fleet. */
export const DEMO = {
  yard: "demo-yard",
  stockpile: "demo-gravel",
  site: "demo-site",
} as const;

/** The yard lies 300 m west of the building site, so that a map shows them apart. */
export const YARD_ORIGIN: GeodeticPosition = { latDeg: 51.47, lonDeg: -0.1243, heightM: 62 };
/** Time of day of the yard's flights, ms after 0 h UTC. */
const FLIGHT_MS = 9.5 * HOUR_MS;
/**
 * Images of a flight, and pixels of their longer edge: few and small ones that still measure a heap to some
 * percent; more take minutes to draw beside a fleet on two cores.
 */
const IMAGES = 18;
const WIDTH_PX = 800;

/**
 * The flights over the yard: one eight days before the demo was first started, and one a week later.
 * @param startedMs when the demo made its yard, ms since the Unix epoch: the same at every later start
 */
export function yardSurvey(startedMs: number, epoch: 1 | 2): SurveyOptions {
  return {
    ...SURVEY_DEFAULTS,
    images: IMAGES,
    obliques: usualObliques(IMAGES),
    widthPx: WIDTH_PX,
    gps: "rtk",
    epoch,
    origin: YARD_ORIGIN,
    firstFlightMs: dayOf(startedMs) - DAY_MS - WEEK_MS + FLIGHT_MS,
  };
}

/** Weeks of the building site that are reported; the last one ends before the demo was first started. */
export const REPORTED_WEEKS: readonly number[] = [5, 6];
const LAST_WEEK = 6;
/** A day of the week, in days since a Thursday (1970-01-01 was one). */
const SUNDAY = 3;
/**
 * Zones of the site: one of each metric, and one off the flight, which a person reports. All thirteen would take
 * twice as long until the first report.
 */
const ZONES = ["EMB", "EXC", "BLA", "PAD", "POD", "FAR"];
/** Code of the zone that no flight sees. */
export const OBSERVED_ZONE = "FAR";

/** The building site: twelve weeks of which six are over when the demo is first started. */
export function siteProject(startedMs: number): ProjectOptions {
  const yesterday = dayOf(startedMs) / DAY_MS - 1;
  const sunday = yesterday - ((yesterday - SUNDAY + 7) % 7);
  return {
    ...PROJECT_DEFAULTS,
    project: DEMO.site,
    zones: ZONES,
    cameras: 0,
    baseline: "none",
    startMs: (sunday + 1) * DAY_MS - (LAST_WEEK - 1) * WEEK_MS,
  };
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
