import type { Place } from "../coordinates/place.ts";

/** Reflectance of red, green and blue, 0 to 1, linear. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A cuboid that stands upright. */
export interface Block {
  readonly kind: "block";
  /** What it belongs to, e.g. `building-1`. */
  readonly owner: string;
  readonly centre: Place;
  readonly bottomM: number;
  readonly topM: number;
  /** Along and across the azimuth. */
  readonly halfLengthM: number;
  readonly halfWidthM: number;
  /** Direction of its length, rad clockwise from north. */
  readonly azimuthRad: number;
  readonly colour: Colour;
  /** Pattern of its sides; tops are plain. */
  readonly sides: "plain" | "windows" | "ribs";
  readonly seed: number;
}

/** A lump of leaves: an ellipsoid with an upright axis. */
export interface Crown {
  readonly kind: "crown";
  readonly owner: string;
  readonly centre: Place;
  readonly upM: number;
  readonly radiusM: number;
  readonly halfHeightM: number;
  readonly colour: Colour;
  readonly seed: number;
}

/** What stands on the ground and is not part of its height. */
export type Solid = Block | Crown;

/** Height of the solid's upper surface over a place, ENU up in metres; -Infinity beside it. */
export function solidTopM(solid: Solid, eastM: number, northM: number): number {
  const e = eastM - solid.centre.eastM;
  const n = northM - solid.centre.northM;
  if (solid.kind === "crown") {
    const share = 1 - (e * e + n * n) / solid.radiusM ** 2;
    return share < 0 ? Number.NEGATIVE_INFINITY : solid.upM + solid.halfHeightM * Math.sqrt(share);
  }
  const sine = Math.sin(solid.azimuthRad);
  const cosine = Math.cos(solid.azimuthRad);
  const isOver =
    Math.abs(e * sine + n * cosine) <= solid.halfLengthM &&
    Math.abs(e * cosine - n * sine) <= solid.halfWidthM;
  return isOver ? solid.topM : Number.NEGATIVE_INFINITY;
}

/** Distance from its centre within which a solid lies, horizontally, metres. */
export function solidReachM(solid: Solid): number {
  return solid.kind === "crown" ? solid.radiusM : Math.hypot(solid.halfLengthM, solid.halfWidthM);
}
