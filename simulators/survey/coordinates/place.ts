/** A place on the site's plane: metres east and north of its origin. */
export interface Place {
  readonly eastM: number;
  readonly northM: number;
}

/** A point of the site: ENU at its origin, metres. */
export interface SitePoint extends Place {
  readonly upM: number;
}

/** The place `forwardM` along and `rightM` to the right of a direction (rad clockwise from north). */
export function alongAndRight(
  from: Place,
  azimuthRad: number,
  forwardM: number,
  rightM: number,
): Place {
  const sine = Math.sin(azimuthRad);
  const cosine = Math.cos(azimuthRad);
  return {
    eastM: from.eastM + forwardM * sine + rightM * cosine,
    northM: from.northM + forwardM * cosine - rightM * sine,
  };
}
