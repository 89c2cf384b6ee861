import { alongAndRight, type Place } from "../../survey/coordinates/place.ts";

/** The site's own grid: `alongM` ahead of the origin in its direction, `rightM` to the right of that. */
export interface GridPoint {
  readonly alongM: number;
  readonly rightM: number;
}

/** A rectangle whose sides run with the grid. */
export interface GridRect extends GridPoint {
  readonly halfLengthM: number;
  readonly halfWidthM: number;
}

/** Turns places of the grid into ENU at the site's origin and back. */
export interface SiteGrid {
  /** Direction of `along`, rad clockwise from north. */
  readonly azimuthRad: number;
  toSite(point: GridPoint): Place;
  fromSite(place: Place): GridPoint;
}

export function createSiteGrid(azimuthRad: number): SiteGrid {
  const s = Math.sin(azimuthRad);
  const c = Math.cos(azimuthRad);
  return {
    azimuthRad,
    toSite: ({ alongM, rightM }) =>
      alongAndRight({ eastM: 0, northM: 0 }, azimuthRad, alongM, rightM),
    fromSite: ({ eastM, northM }) => ({
      alongM: eastM * s + northM * c,
      rightM: eastM * c - northM * s,
    }),
  };
}

/** Distance to the nearest edge: above 0 inside of the rectangle, below 0 outside, metres. */
export function insideM(rect: GridRect, { alongM, rightM }: GridPoint): number {
  const a = rect.halfLengthM - Math.abs(alongM - rect.alongM);
  const b = rect.halfWidthM - Math.abs(rightM - rect.rightM);
  return a < 0 && b < 0 ? -Math.hypot(a, b) : Math.min(a, b);
}

/** Its corners, counter-clockwise seen from above. */
export function corners({ alongM, rightM, halfLengthM, halfWidthM }: GridRect): GridPoint[] {
  return [
    { alongM: alongM - halfLengthM, rightM: rightM - halfWidthM },
    { alongM: alongM - halfLengthM, rightM: rightM + halfWidthM },
    { alongM: alongM + halfLengthM, rightM: rightM + halfWidthM },
    { alongM: alongM + halfLengthM, rightM: rightM - halfWidthM },
  ];
}
