/** A place on a drawn site, metres: from its south-western corner to the east and north, and above its lowest point. */
export interface SitePlace {
  readonly eastM: number;
  readonly northM: number;
  readonly upM: number;
}

/** What lies between two places. The second is compared with the first. */
export interface Measured {
  /** Straight through the air, metres. */
  readonly distanceM: number;
  /** In plan, metres. */
  readonly planM: number;
  /** How much higher the second place is, metres; below 0: lower. */
  readonly riseM: number;
  /** The rise over the distance in plan, percent; `undefined`: one lies above the other. */
  readonly slopePercent: number | undefined;
  /** The same as an angle from level, degrees, -90 to 90. */
  readonly slopeDeg: number;
}

/** Measures from one place to another, in true metres: how much the view exaggerates heights is not in it. */
export function measure(from: SitePlace, to: SitePlace): Measured {
  const planM = Math.hypot(to.eastM - from.eastM, to.northM - from.northM);
  const riseM = to.upM - from.upM;
  return {
    distanceM: Math.hypot(planM, riseM),
    planM,
    riseM,
    slopePercent: planM === 0 ? undefined : (100 * riseM) / planM,
    slopeDeg: planM === 0 && riseM === 0 ? 0 : (Math.atan2(riseM, planM) * 180) / Math.PI,
  };
}
