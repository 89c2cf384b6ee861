import type { Place } from "../coordinates/place.ts";

/** A place for one thing on the site, free of others. */
export interface Slot {
  readonly centre: Place;
  /** Nothing of it lies farther from the centre, metres. */
  readonly radiusM: number;
}

/** A haul road: a straight band. */
export interface Road {
  readonly from: Place;
  readonly to: Place;
  readonly widthM: number;
}
