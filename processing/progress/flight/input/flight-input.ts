import type { Ring } from "../../../../domain/geometry/geofence.ts";
import type { CaptureId, WorkZoneId } from "../../../../domain/ids.ts";
import type { ZoneMetric } from "../../../../domain/sites/work-zone.ts";
import type { SurfaceChoice } from "../../../engine/raster/read-surface.ts";
import type { EpochImage } from "../../../epoch/epoch-file.ts";
import type { SurveyFacts } from "../../../epoch/survey-facts.ts";
import type { GridFrame } from "../../../grid/elevation-grid.ts";
import type { FlightDatum } from "./flight-datum.ts";

/** Memory that a surface takes while it is open, and more while it is read, bytes. */
export interface SurfaceBytes {
  readonly openBytes: number;
  readonly readBytes: number;
}

export type SurfaceFormat = "epoch" | "raster" | "tin";

/** A surface as the task opens it: files are on this machine. */
export type SurfaceInput =
  | {
      readonly kind: "level";
      readonly heightM: number;
      readonly reference: "survey" | "baseline";
    }
  | ({
      readonly kind: "file";
      /** `epoch`: a flight in the frame of the datum; the others are in heights of their own. */
      readonly format: SurfaceFormat;
      readonly path: string;
      /** What is said and read of a raster. */
      readonly choice?: SurfaceChoice;
    } & SurfaceBytes)
  /** It was given, and is not there any more, or cannot be read. */
  | { readonly kind: "lost"; readonly reason: string };

/** A work zone as a flight is asked about it. */
export interface ZoneInput {
  readonly id: WorkZoneId;
  readonly name: string;
  readonly ring: Ring;
  readonly metric: Extract<ZoneMetric, { readonly kind: "fill" | "cut" | "area" | "height" }>;
  /** Whether this flight becomes the baseline where there is none. */
  readonly takesBaseline: boolean;
  readonly baseline: SurfaceInput | undefined;
  readonly design: SurfaceInput | undefined;
  /** Shares of the levels that the flight before found, by their order; `undefined`: there was none. */
  readonly earlierLevels: readonly number[] | undefined;
}

/** What the zones of one flight are computed from; grids are to lie on shared memory. */
export interface FlightInput {
  readonly captureId: CaptureId;
  readonly survey: SurveyFacts;
  /** `undefined`: there is none. Only for where it lies. */
  readonly ortho: GridFrame | undefined;
  /** `undefined`: this flight makes it. */
  readonly datum: Omit<FlightDatum, "epochKey"> | undefined;
  /** Epoch files of earlier flights, the one to be preferred first. */
  readonly earlier: readonly ({ readonly path: string } & SurfaceBytes)[];
  /** What the survey was oriented with, for the next time. */
  readonly companions: readonly EpochImage[];
  readonly zones: readonly ZoneInput[];
  /** Rings of everything else that changes: zones without a surface metric, stockpiles. */
  readonly changing: readonly Ring[];
}
