import type { LonLat, Ring } from "../../../../domain/geometry/geofence.ts";
import type { ZoneStatus } from "../../../../domain/sites/progress-report.ts";

/** A zone as it is drawn. */
export interface PlannedZone {
  readonly name: string;
  /** `undefined`: it is not on the map, and is listed beside it. */
  readonly polygon: Ring | undefined;
  /** 0 to 100; `undefined`: it was never seen, so that nobody knows. */
  readonly progress: number | undefined;
  readonly status: ZoneStatus;
  /** Height of its block in the model, metres; above 0. */
  readonly heightM: number;
}

/** What map and model of the zones are drawn from. */
export interface ZonePlanInput {
  readonly zones: readonly PlannedZone[];
  /** Picture of the ground below the zones: JPEG or PNG, and its corners from the upper left on, clockwise. */
  readonly ground:
    | {
        readonly bytes: Uint8Array;
        readonly corners: readonly [LonLat, LonLat, LonLat, LonLat];
      }
    | undefined;
}

/** Map and model of the zones as files. */
export interface ZonePlanFiles {
  /** PNG, north up. */
  readonly map: Uint8Array;
  /** GLB: a block for each zone, metres, y up. */
  readonly model: Uint8Array;
}
