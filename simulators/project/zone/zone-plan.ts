import type { GridRect } from "./site-grid.ts";

/** When work goes on: shares of the project's time, 0 to 1; above 1 = after its last week. */
export interface WorkTime {
  readonly from: number;
  readonly to: number;
}

/** How a zone is built. */
export type ZoneWork =
  | {
      /** Raised (`fill`) or dug (`cut`) in lifts to a flat top or bottom with side slopes. */
      readonly kind: "fill" | "cut";
      /** Of the design, from the plane of the site, metres, above 0. */
      readonly heightM: number;
      readonly liftM: number;
      /** Run of the side slopes over their rise. */
      readonly slopeRun: number;
      /** Goes beyond the design on one side and leaves the other out. */
      readonly isOverbuilt?: boolean;
    }
  | {
      /** Slabs laid bay by bay. */
      readonly kind: "slabs";
      readonly heightM: number;
      readonly bays: { readonly along: number; readonly across: number };
      /** Slabs go so far beyond the zone's outline, metres: it was drawn within their edge. */
      readonly beyondM: number;
    }
  | {
      /** A base slab and storeys, each concreted bay by bay. */
      readonly kind: "building";
      readonly storeys: number;
      readonly storeyM: number;
    };

/** What a report must make of a zone, given flights with RTK. */
export type ZoneExpectation = "measured" | "dsm_not_suitable" | "not_observed";

/** One part of the site, as it is planned and as it goes. */
export interface ZonePlan {
  /** Activity code, and end of the zone's id. */
  readonly code: string;
  readonly name: string;
  readonly rect: GridRect;
  readonly work: ZoneWork;
  readonly metric: "fill" | "cut" | "height" | "area";
  /** What counts as at its design, metres; absent: the program's own. */
  readonly toleranceM?: number;
  readonly planned: WorkTime;
  readonly actual: WorkTime;
  /** Budget. */
  readonly cost: number;
  readonly design: "raster" | "tin" | "level" | "levels";
  readonly expectation: ZoneExpectation;
  /** Under parked machines and trees in part. */
  readonly isOccluded: boolean;
}
