import type { GeodeticPosition } from "../../survey/coordinates/wgs84.ts";
import type { GpsMode } from "../../survey/options/options.ts";
import type { ProjectOptions } from "../plan/options.ts";
import type { Weather } from "../plan/weather.ts";
import type { ZoneExpectation, ZonePlan } from "../zone/zone-plan.ts";
import type { TrueProgress } from "./measure-zone.ts";

/** What is true of a simulated project: the content of truth.json. Percents 0 to 100, not rounded. */
export interface ProjectTruth {
  readonly format: "plumbline-project-truth/1";
  readonly options: ProjectOptions;
  readonly projectId: string;
  readonly timeZone: string;
  /** The site's frame: ENU at this point; heights of surfaces are above the ellipsoid. */
  readonly origin: GeodeticPosition;
  /** Of all surfaces and designs. */
  readonly epsg: number;
  readonly altitudeM: number;
  readonly gsdM: number;
  readonly zones: readonly TrueZoneFacts[];
  readonly weeks: readonly TrueWeek[];
  readonly cameras: readonly TrueSiteCamera[];
}

export interface TrueZoneFacts {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly metric: ZonePlan["metric"];
  readonly design: ZonePlan["design"];
  /** What an honest report makes of it, given flights with RTK. */
  readonly expectation: ZoneExpectation;
  readonly cost: number;
  readonly areaM2: number;
  readonly plannedVolumeM3: number;
  /** Mean planned lift where there is one, metres. */
  readonly meanLiftM: number;
  readonly isOverbuilt: boolean;
  readonly isOccluded: boolean;
}

export interface TrueWeek {
  readonly week: number;
  /** Of the flight. */
  readonly date: string;
  readonly gps: GpsMode;
  readonly weather: Weather;
  /** Relative to the project's folder; `undefined`: this run made none. */
  readonly flight?: { readonly folder: string; readonly images: readonly string[] };
  /** The surface with everything on it, UTM, GeoTIFF. */
  readonly surface?: string;
  /** By id. */
  readonly zones: Readonly<Record<string, TrueZoneWeek>>;
  /** By the zones' costs. */
  readonly percent: number;
  readonly plannedPercent: number;
}

export interface TrueZoneWeek extends TrueProgress {
  readonly plannedPercent: number;
}

export interface TrueSiteCamera {
  readonly id: string;
  /** ENU at the origin, metres, and degrees, without drift. */
  readonly centre: readonly [eastM: number, northM: number, upM: number];
  readonly yawDeg: number;
  readonly pitchDeg: number;
  readonly focalPx: number;
  /** By id: share of a zone's finished surface that no finished building hides from here, 0 to 1. */
  readonly visibleShares: Readonly<Record<string, number>>;
  readonly pictures: readonly {
    readonly week: number;
    readonly image: string;
    /** Where the middle of the reference view is in this picture, less where it was there, pixels. */
    readonly shiftPx: readonly [u: number, v: number];
    readonly rollDeg: number;
    readonly isKnocked: boolean;
    /** A machine passes before it. */
    readonly isPassed: boolean;
  }[];
}
