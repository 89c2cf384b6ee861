import { valueNoise } from "../../randomness/noise.ts";
import type { Place } from "../coordinates/place.ts";

/** Body of a stockpile about its centre, as heaped by a conveyor or a truck. */
export type PileShape =
  | { readonly kind: "cone"; readonly heightM: number; readonly radiusM: number }
  | {
      /** A cone that was drawn out: a prism with half a cone at each end. */
      readonly kind: "ridge";
      readonly heightM: number;
      readonly radiusM: number;
      readonly lengthM: number;
      /** Direction of the crest, rad clockwise from north. */
      readonly azimuthRad: number;
    }
  | {
      readonly kind: "frustum";
      readonly heightM: number;
      readonly bottomRadiusM: number;
      readonly topRadiusM: number;
    }
  | {
      /** Tipped loads: the upper envelope of cones with a lumpy skin. */
      readonly kind: "irregular";
      readonly cones: readonly (Place & { readonly heightM: number; readonly radiusM: number })[];
      /** Share of the height that the skin varies by. */
      readonly lumpiness: number;
      readonly seed: number;
    };

/** What happened to a pile before an epoch: a loader's bite out of it, or a load tipped onto it. */
export interface PileEvent extends Place {
  readonly kind: "bite" | "heap";
  /** First epoch that shows it. */
  readonly epoch: number;
  readonly radiusM: number;
  /** Of a heap; a bite goes down to the ground. */
  readonly heightM: number;
}

export type PileMaterial = "gravel" | "sand" | "topsoil" | "rubble";

export interface Pile {
  readonly id: string;
  readonly material: PileMaterial;
  readonly centre: Place;
  readonly shape: PileShape;
  readonly events: readonly PileEvent[];
  /** Nothing of the pile, at any epoch, is farther from its centre. */
  readonly reachM: number;
}

/** Slope of a face that a loader has dug; steeper than the angle of repose. 55 degrees. */
const BITE_SLOPE = Math.tan((55 * Math.PI) / 180);
/**
 * Size of lumps on an irregular pile, metres. Smaller ones average out in its volume, larger ones change its
 * shape.
 */
const LUMP_M = 1.3;

/** Height of a shape above its ground at an offset from its centre, metres; 0 outside. */
function shapeHeightM(shape: PileShape, eastM: number, northM: number): number {
  switch (shape.kind) {
    case "cone":
      return coneM(shape.heightM, shape.radiusM, Math.hypot(eastM, northM));
    case "ridge": {
      const along = eastM * Math.sin(shape.azimuthRad) + northM * Math.cos(shape.azimuthRad);
      const across = eastM * Math.cos(shape.azimuthRad) - northM * Math.sin(shape.azimuthRad);
      const beyondM = Math.max(0, Math.abs(along) - shape.lengthM / 2);
      return coneM(shape.heightM, shape.radiusM, Math.hypot(beyondM, across));
    }
    case "frustum": {
      const { bottomRadiusM, topRadiusM, heightM } = shape;
      const share = (bottomRadiusM - Math.hypot(eastM, northM)) / (bottomRadiusM - topRadiusM);
      return heightM * Math.min(1, Math.max(0, share));
    }
    case "irregular": {
      let heightM = 0;
      for (const cone of shape.cones) {
        const awayM = Math.hypot(eastM - cone.eastM, northM - cone.northM);
        heightM = Math.max(heightM, coneM(cone.heightM, cone.radiusM, awayM));
      }
      if (heightM === 0) return 0;
      const lump = valueNoise(eastM / LUMP_M, northM / LUMP_M, shape.seed);
      return heightM * (1 + shape.lumpiness * lump);
    }
  }
}

function coneM(heightM: number, radiusM: number, awayM: number): number {
  return Math.max(0, heightM * (1 - awayM / radiusM));
}

/** Height of the pile above the ground at a place and an epoch, metres; 0 beside it. */
export function pileHeightM(pile: Pile, epoch: number, eastM: number, northM: number): number {
  const e = eastM - pile.centre.eastM;
  const n = northM - pile.centre.northM;
  if (e * e + n * n > pile.reachM ** 2) return 0;
  let heightM = shapeHeightM(pile.shape, e, n);
  for (const event of pile.events) {
    if (event.epoch > epoch) continue;
    const awayM = Math.hypot(eastM - event.eastM, northM - event.northM);
    if (event.kind === "heap")
      heightM = Math.max(heightM, coneM(event.heightM, event.radiusM, awayM));
    else heightM = Math.min(heightM, BITE_SLOPE * Math.max(0, awayM - event.radiusM));
  }
  return heightM;
}

/** The closed formula of an untouched shape's volume, m3; `undefined` where there is none. */
export function closedVolumeM3(shape: PileShape): number | undefined {
  switch (shape.kind) {
    case "cone":
      return (Math.PI * shape.radiusM ** 2 * shape.heightM) / 3;
    case "ridge":
      return (
        (Math.PI * shape.radiusM ** 2 * shape.heightM) / 3 +
        shape.lengthM * shape.radiusM * shape.heightM
      );
    case "frustum": {
      const { bottomRadiusM: r, topRadiusM: t, heightM: h } = shape;
      return (Math.PI * h * (r * r + r * t + t * t)) / 3;
    }
    case "irregular":
      return undefined;
  }
}

/** Cell of numeric volumes, metres; 2.5 cm gives a cone's closed volume to 1e-5 (tested). */
const CELL_M = 0.025;

export interface PileVolume {
  readonly volumeM3: number;
  /** Ground that the pile covers, m2. */
  readonly areaM2: number;
  readonly method: "closed" | "numeric";
}

/** Volume above the ground at an epoch: by formula while the shape is untouched, else cell by cell. */
export function pileVolume(pile: Pile, epoch: number): PileVolume {
  const { centre, reachM } = pile;
  const cells = Math.ceil((2 * reachM) / CELL_M);
  let sumM = 0;
  let covered = 0;
  for (let row = 0; row < cells; row += 1) {
    const northM = centre.northM - reachM + (row + 0.5) * CELL_M;
    for (let column = 0; column < cells; column += 1) {
      const eastM = centre.eastM - reachM + (column + 0.5) * CELL_M;
      const heightM = pileHeightM(pile, epoch, eastM, northM);
      sumM += heightM;
      if (heightM > 0) covered += 1;
    }
  }
  const areaM2 = covered * CELL_M ** 2;
  const isUntouched = pile.events.every((event) => event.epoch > epoch);
  const closed = isUntouched ? closedVolumeM3(pile.shape) : undefined;
  return closed === undefined
    ? { volumeM3: sumM * CELL_M ** 2, areaM2, method: "numeric" }
    : { volumeM3: closed, areaM2, method: "closed" };
}

/** Corners of an outline, and its distance from the outermost material, metres. */
const OUTLINE_CORNERS = 48;
const OUTLINE_MARGIN_M = 0.4;

/**
 * The polygon to measure the pile in: star-shaped about its centre, counter-clockwise, open; a margin
 * outside of all material of all epochs, so that one polygon serves every epoch.
 */
export function pileOutline(pile: Pile): Place[] {
  const corners: Place[] = [];
  // Between two corners the edge runs inside the circle by 1 - cos(pi / n).
  const chord = Math.cos(Math.PI / OUTLINE_CORNERS);
  const reach = (angle: number) => {
    let awayM = pile.reachM;
    const hasMaterial = () => {
      const eastM = pile.centre.eastM + awayM * Math.cos(angle);
      const northM = pile.centre.northM + awayM * Math.sin(angle);
      return (
        shapeHeightM(pile.shape, eastM - pile.centre.eastM, northM - pile.centre.northM) > 0 ||
        pile.events.some(
          (event) =>
            event.kind === "heap" &&
            Math.hypot(eastM - event.eastM, northM - event.northM) < event.radiusM,
        )
      );
    };
    while (awayM > 0 && !hasMaterial()) awayM -= 0.02;
    return awayM;
  };
  const step = (2 * Math.PI) / OUTLINE_CORNERS;
  for (let i = 0; i < OUTLINE_CORNERS; i += 1) {
    // The toe may bulge between two corners: the widest of five directions counts for each.
    const widestM = Math.max(...[-1, -0.5, 0, 0.5, 1].map((k) => reach((i + k) * step)));
    const awayM = (widestM + OUTLINE_MARGIN_M) / chord;
    corners.push({
      eastM: pile.centre.eastM + awayM * Math.cos(i * step),
      northM: pile.centre.northM + awayM * Math.sin(i * step),
    });
  }
  return corners;
}
