import type { Draw } from "./draw.ts";

/**
 * A lens by the division model (Fitzgibbon 2001): a ray that is seen at the distance r of the centre, in focal
 * lengths, lies at r / (1 + lambda r2) undistorted. The engine's model is another one, a polynomial, on purpose.
 */
export interface PhotoLens {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly focalPx: number;
  readonly centreXPx: number;
  readonly centreYPx: number;
  readonly lambda: number;
}

export interface PhotoShot {
  readonly eastM: number;
  readonly northM: number;
  readonly upM: number;
  /** Of the view, clockwise from north; above the horizon; clockwise along the view; degrees. */
  readonly yawDeg: number;
  readonly pitchDeg: number;
  readonly rollDeg: number;
}

type Axis = readonly [east: number, north: number, up: number];

/** Rows of the frame run along `down`, columns along `right`. */
export interface ShotAxes {
  readonly right: Axis;
  readonly down: Axis;
  readonly forward: Axis;
}

export function drawLens(draw: Draw, widthPx: number, heightPx: number): PhotoLens {
  return {
    ...{ widthPx, heightPx },
    focalPx: widthPx * draw.between(0.78, 0.92),
    centreXPx: (widthPx - 1) / 2 + draw.between(-0.004, 0.004) * widthPx,
    centreYPx: (heightPx - 1) / 2 + draw.between(-0.004, 0.004) * widthPx,
    lambda: draw.between(-0.06, 0.04),
  };
}

/** A flight of this lens: strips to and fro over a rectangle, and obliques around it. */
export interface PhotoFlight {
  readonly shots: readonly PhotoShot[];
  readonly halfLengthM: number;
  readonly halfWidthM: number;
  /** Nothing that is seen lies further from the middle, metres. */
  readonly halfM: number;
}

/** Overlap of 78 % along the strips and 68 % between them, roughly: a hand holds the drone, and wind turns it. */
export function drawFlight(draw: Draw, lens: PhotoLens, altitudeM: number): PhotoFlight {
  const [strips, perStrip, obliques] = [4, 5, draw.oneOf([0, 4, 4])];
  const forwardM = (0.22 * altitudeM * lens.heightPx) / lens.focalPx;
  const sideM = (0.32 * altitudeM * lens.widthPx) / lens.focalPx;
  const shots: PhotoShot[] = [];
  for (let strip = 0; strip < strips; strip += 1) {
    for (let i = 0; i < perStrip; i += 1) {
      const isBack = strip % 2 === 1;
      const along = (isBack ? perStrip - 1 - i : i) - (perStrip - 1) / 2;
      shots.push({
        // Strips run north, so that the narrow side of the frame lies along them.
        eastM: (strip - (strips - 1) / 2) * sideM + 0.04 * sideM * draw.normal(),
        northM: along * forwardM + 0.06 * forwardM * draw.normal(),
        upM: altitudeM + 0.3 * draw.normal(),
        yawDeg: (isBack ? 180 : 0) + 4 * draw.normal(),
        pitchDeg: -90 + Math.abs(1.5 * draw.normal()),
        rollDeg: 1.5 * draw.normal(),
      });
    }
  }
  for (let i = 0; i < obliques; i += 1) {
    const yawDeg = (360 * i) / obliques + 10 * draw.normal();
    const yaw = (yawDeg * Math.PI) / 180;
    const awayM = 0.75 * altitudeM;
    shots.push({
      ...{ eastM: -awayM * Math.sin(yaw), northM: -awayM * Math.cos(yaw) },
      ...{
        upM: 0.9 * altitudeM,
        yawDeg,
        pitchDeg: -52 + 2 * draw.normal(),
        rollDeg: draw.normal(),
      },
    });
  }
  const halfLengthM = ((strips - 1) / 2) * sideM;
  const halfWidthM = ((perStrip - 1) / 2) * forwardM;
  const frameM = (altitudeM * Math.hypot(lens.widthPx, lens.heightPx)) / lens.focalPx / 2;
  return { shots, halfLengthM, halfWidthM, halfM: Math.max(halfLengthM, halfWidthM) + frameM + 4 };
}

/** Axes of a shot: its view from yaw and pitch, then the frame turned about the view by roll. */
export function axesOf({ yawDeg, pitchDeg, rollDeg }: PhotoShot): ShotAxes {
  const [yaw, pitch, roll] = [yawDeg, pitchDeg, rollDeg].map((deg) => (deg * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  const forward: Axis = [
    Math.sin(yaw) * Math.cos(pitch),
    Math.cos(yaw) * Math.cos(pitch),
    Math.sin(pitch),
  ];
  const level: Axis = [Math.cos(yaw), -Math.sin(yaw), 0];
  const below = cross(forward, level);
  const [c, s] = [Math.cos(roll), Math.sin(roll)];
  return { forward, right: mix(level, c, below, s), down: mix(below, c, level, -s) };
}

const cross = (a: Axis, b: Axis): Axis => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const mix = (a: Axis, p: number, b: Axis, q: number): Axis => [
  p * a[0] + q * b[0],
  p * a[1] + q * b[1],
  p * a[2] + q * b[2],
];
