import { alongAndRight, type Place } from "../coordinates/place.ts";

/** The rectangle over which the nadir images are taken. */
export interface Area {
  readonly centre: Place;
  /** Direction of the strips, rad clockwise from north. */
  readonly azimuthRad: number;
  /** Along and across the strips, from the middle to the outermost image, metres. */
  readonly halfLengthM: number;
  readonly halfWidthM: number;
}

/** Where one image is meant to be taken. Heights are above the site's origin. */
export interface Shot extends Place {
  readonly upM: number;
  readonly yawDeg: number;
  readonly pitchDeg: number;
  /** Direction of flight while it is taken, rad clockwise from north. */
  readonly courseRad: number;
}

export interface FlightPlan {
  readonly area: Area;
  readonly shots: readonly Shot[];
}

export interface FlightPlanOptions {
  readonly images: number;
  /** How many of them are oblique: taken on a circle, pointing inwards. */
  readonly obliques: number;
  readonly altitudeM: number;
  /** Pinhole field of view of the nominal lens: width and height of the frame by focal length. */
  readonly frameByFocal: { readonly width: number; readonly height: number };
  /** Along the strip, and between strips, 0 to 0.95. */
  readonly overlap: { readonly forward: number; readonly side: number };
  readonly azimuthRad: number;
}

/** Of oblique images; the minimum for good geometry is -45 to -60. */
const OBLIQUE_PITCH_DEG = -55;
/**
 * The circle of obliques lies so much lower than the strips, metres: at one height, scale and focal length are
 * hard to tell apart.
 */
const OBLIQUE_LOWER_M = 4;

/**
 * A flight of parallel strips, to and fro, and a circle of obliques about the middle. Overlaps and the
 * number of images decide how large the area is; strips differ by one image where the number asks it.
 */
export function planFlight(options: FlightPlanOptions): FlightPlan {
  const { images, altitudeM, frameByFocal, overlap, azimuthRad } = options;
  const obliques = Math.min(options.obliques, images);
  const nadirs = images - obliques;
  const forwardM = altitudeM * frameByFocal.height * (1 - overlap.forward);
  const sideM = altitudeM * frameByFocal.width * (1 - overlap.side);
  const strips = Math.max(1, Math.min(nadirs, Math.round(Math.sqrt((nadirs * forwardM) / sideM))));
  const longest = Math.ceil(nadirs / strips);
  const halfLengthM = ((longest - 1) * forwardM) / 2;
  const halfWidthM = ((strips - 1) * sideM) / 2;
  const centre = { eastM: 0, northM: 0 };
  const shots: Shot[] = [];
  for (let strip = 0; strip < strips; strip += 1) {
    const from = Math.round((strip * nadirs) / strips);
    const count = Math.round(((strip + 1) * nadirs) / strips) - from;
    const isForth = strip % 2 === 0;
    const courseRad = azimuthRad + (isForth ? 0 : Math.PI);
    for (let i = 0; i < count; i += 1) {
      const share = count === 1 ? 0 : (2 * i) / (count - 1) - 1;
      const along = halfLengthM * share * (isForth ? 1 : -1);
      const place = alongAndRight(centre, azimuthRad, along, strip * sideM - halfWidthM);
      const yawDeg = (courseRad * 180) / Math.PI;
      shots.push({ ...place, upM: altitudeM, yawDeg, pitchDeg: -90, courseRad });
    }
  }
  // At this distance the middle of the frame is the middle of the area.
  const circleM = Math.max(
    Math.min(halfLengthM, halfWidthM),
    (altitudeM - OBLIQUE_LOWER_M) / Math.tan((-OBLIQUE_PITCH_DEG * Math.PI) / 180),
  );
  for (let i = 0; i < obliques; i += 1) {
    const yawRad = azimuthRad + (2 * Math.PI * i) / obliques;
    shots.push({
      ...alongAndRight(centre, yawRad, -circleM, 0),
      upM: altitudeM - OBLIQUE_LOWER_M,
      yawDeg: (yawRad * 180) / Math.PI,
      pitchDeg: OBLIQUE_PITCH_DEG,
      // Round the circle, to the right of the view.
      courseRad: yawRad + Math.PI / 2,
    });
  }
  return { area: { centre, azimuthRad, halfLengthM, halfWidthM }, shots };
}
