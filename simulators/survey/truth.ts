import { createRandom } from "../random.ts";
import { cameraAxes, type TrueLens } from "./camera.ts";
import type { ImageFault, SurveyFault } from "./faults.ts";
import type { TruthRasters } from "./files/truth-raster.ts";
import type { SurveyOptions } from "./options.ts";
import type { Place, SitePoint } from "./place.ts";
import { alongAndRight } from "./place.ts";
import type { SurveyPlan } from "./plan-survey.ts";
import type { TrueMark } from "./render/render-image.ts";
import type { Target } from "./scene/target.ts";
import { type PileEvent, type PileShape, pileOutline, pileVolume } from "./site/pile.ts";
import { type GeodeticPosition, geodeticPosition } from "./wgs84.ts";

type Point2 = readonly [eastM: number, northM: number];
type Point3 = readonly [eastM: number, northM: number, upM: number];

/**
 * What is true of a simulated survey: the content of truth.json. Places are ENU at `origin` (x east,
 * y north, z up, metres); pixels are those of the stored file, (0, 0) the middle of the upper left
 * one; volumes are above the ground as it is without the pile.
 */
export interface SurveyTruth {
  readonly format: "plumbline-survey-truth/1";
  readonly options: SurveyOptions;
  readonly origin: GeodeticPosition;
  /** Nominal ground sample distance at the origin, metres. */
  readonly gsdM: number;
  /** The rectangle that the strips cover. */
  readonly area: readonly Point2[];
  readonly surveyFaults: readonly SurveyFault[];
  readonly lenses: readonly TrueLensRecord[];
  readonly cameras: readonly TrueCamera[];
  readonly piles: readonly TruePile[];
  readonly zones: readonly TrueZone[];
  readonly controlPoints: readonly TrueControlPoint[];
  /** A distance that was measured on the ground; empty under snow. */
  readonly scaleBars: readonly TrueScaleBar[];
  readonly rasters: TruthRasters;
}

/** A lens as it is, in pixels of the stored files (formula: `TrueLens` in camera.ts, OpenCV's order). */
export interface TrueLensRecord extends TrueLens {
  readonly model: string;
  readonly serial: string;
  /** What the tags make of it. */
  readonly taggedFocalPx: number;
}

export interface TrueCamera {
  readonly image: string;
  /** Index into `lenses`. */
  readonly lens: number;
  /** When the middle row was read. */
  readonly centre: Point3;
  /** DJI's angles: clockwise from north, above the horizon, clockwise along the view. */
  readonly yawDeg: number;
  readonly pitchDeg: number;
  readonly rollDeg: number;
  /**
   * Camera from ENU, row-major: rows are the camera's right, down and forward axes. Of the camera that
   * took the picture: where the stored pixels were turned (`rotated`), right and down are reversed.
   */
  readonly rotation: readonly number[];
  readonly velocityMps: Point3;
  readonly timeS: number;
  readonly faults: readonly ImageFault[];
  /** Error of the tags where they are there: tagged less true, metres and degrees. */
  readonly tagError: {
    readonly position: Point3;
    readonly yawDeg: number;
    readonly pitchDeg: number;
    readonly rollDeg: number;
  };
}

export interface TruePile {
  readonly id: string;
  readonly material: string;
  readonly shape: PileShape;
  /** What has happened to it up to this epoch. */
  readonly events: readonly PileEvent[];
  readonly volumeM3: number;
  /** By formula, or summed over cells of 2.5 cm. */
  readonly volumeBy: "closed" | "numeric";
  /** Ground that it covers. */
  readonly areaM2: number;
  readonly centre: Point2;
  /** Polygon to measure in: open ring, counter-clockwise, the same at every epoch. */
  readonly outline: readonly Point2[];
  /** The same in degrees. */
  readonly outlineLonLat: readonly (readonly [lonDeg: number, latDeg: number])[];
}

export interface TrueZone {
  readonly id: string;
  readonly kind: "building";
  readonly ring: readonly Point2[];
  readonly ringLonLat: readonly (readonly [lonDeg: number, latDeg: number])[];
  readonly storeys: number;
  readonly plannedStoreys: number;
  /** Top of the uppermost slab above the ground. */
  readonly heightM: number;
}

export interface TrueControlPoint {
  readonly name: string;
  readonly position: Point3;
  /** As surveyed: with the errors of a good receiver, and in degrees. */
  readonly surveyed: GeodeticPosition & {
    readonly sigmaM: { readonly horizontal: number; readonly vertical: number };
  };
  readonly marks: readonly PointMark[];
}

/** `u`, `v`: as a person clicked it; `trueU`, `trueV`: where it is. */
export interface PointMark {
  readonly image: string;
  readonly u: number;
  readonly v: number;
  readonly trueU: number;
  readonly trueV: number;
}

export interface TrueScaleBar {
  /** As measured. */
  readonly lengthM: number;
  readonly sigmaM: number;
  readonly trueLengthM: number;
  readonly ends: readonly {
    readonly name: string;
    readonly position: Point3;
    readonly marks: readonly PointMark[];
  }[];
}

/** Errors of what people add: surveyed points (network RTK), tape, clicks in the picture. Chosen. */
const SURVEYED_M = { horizontal: 0.01, vertical: 0.015 };
const TAPE_M = 0.005;
const CLICK_PX = 0.3;

export function createTruth({
  plan,
  options,
  targets,
  marks,
  rasters,
  origin,
}: {
  readonly plan: SurveyPlan;
  readonly options: SurveyOptions;
  readonly targets: readonly Target[];
  /** By capture. */
  readonly marks: readonly (readonly TrueMark[])[];
  readonly rasters: TruthRasters;
  readonly origin: GeodeticPosition;
}): SurveyTruth {
  const random = createRandom(`survey-${options.seed}/marks-${options.epoch}`);
  const lonLat = (places: readonly Place[]) =>
    places.map((place) => {
      const { lonDeg, latDeg } = geodeticPosition(origin, { ...place, upM: 0 });
      return [round(lonDeg, 9), round(latDeg, 9)] as const;
    });
  const marksOf = (name: string): PointMark[] => {
    const drawn = random.fork(name);
    return plan.captures.flatMap(({ name: image }, i) =>
      (marks[i] ?? [])
        .filter(({ target }) => target === name)
        .map(({ u, v }) => ({
          image,
          u: round(u + CLICK_PX * drawn.gaussian(), 2),
          v: round(v + CLICK_PX * drawn.gaussian(), 2),
          trueU: round(u, 4),
          trueV: round(v, 4),
        })),
    );
  };
  const { area, site } = plan;
  const corner = (forward: number, right: number) =>
    alongAndRight(
      area.centre,
      area.azimuthRad,
      forward * area.halfLengthM,
      right * area.halfWidthM,
    );
  return {
    format: "plumbline-survey-truth/1",
    options,
    origin,
    gsdM: plan.gsdM,
    area: [corner(-1, -1), corner(-1, 1), corner(1, 1), corner(1, -1)].map(pair),
    surveyFaults: options.faults.flatMap((request) => ("images" in request ? [] : [request.fault])),
    lenses: plan.bodies.map(({ lens, model, serial, nominalFocalPx }) => ({
      ...lens,
      model,
      serial,
      taggedFocalPx: nominalFocalPx,
    })),
    cameras: plan.captures.map((capture) => {
      const { centre, attitude, tagged, velocityMps } = capture;
      const axes = cameraAxes(attitude);
      return {
        image: capture.name,
        lens: capture.camera,
        centre: triple(centre),
        ...attitude,
        rotation: [...axes.right, ...axes.down, ...axes.forward],
        velocityMps,
        timeS: capture.timeS,
        faults: capture.faults,
        tagError: {
          position: [
            tagged.position.eastM - centre.eastM,
            tagged.position.northM - centre.northM,
            tagged.position.upM - centre.upM,
          ],
          yawDeg: tagged.attitude.yawDeg - attitude.yawDeg,
          pitchDeg: tagged.attitude.pitchDeg - attitude.pitchDeg,
          rollDeg: tagged.attitude.rollDeg - attitude.rollDeg,
        },
      };
    }),
    piles: site.piles.map((pile) => {
      const { volumeM3, areaM2, method } = pileVolume(pile, site.epoch);
      const outline = pileOutline(pile);
      return {
        id: pile.id,
        material: pile.material,
        shape: pile.shape,
        events: pile.events.filter(({ epoch }) => epoch <= site.epoch),
        volumeM3,
        volumeBy: method,
        areaM2,
        centre: pair(pile.centre),
        outline: outline.map(pair),
        outlineLonLat: lonLat(outline),
      };
    }),
    zones: site.buildings.map((building) => {
      const { centre, azimuthRad, halfLengthM, halfWidthM } = building;
      const ring = [
        alongAndRight(centre, azimuthRad, -halfLengthM, -halfWidthM),
        alongAndRight(centre, azimuthRad, -halfLengthM, halfWidthM),
        alongAndRight(centre, azimuthRad, halfLengthM, halfWidthM),
        alongAndRight(centre, azimuthRad, halfLengthM, -halfWidthM),
      ];
      return {
        id: building.id,
        kind: "building",
        ring: ring.map(pair),
        ringLonLat: lonLat(ring),
        storeys: building.storeysAt(site.epoch),
        plannedStoreys: building.storeys,
        heightM: building.heightAtM(site.epoch),
      };
    }),
    controlPoints: targets
      .filter(({ name }) => name.startsWith("gcp-"))
      .map((target) => {
        const drawn = random.fork(`surveyed-${target.name}`);
        const surveyed = geodeticPosition(origin, {
          eastM: target.eastM + SURVEYED_M.horizontal * drawn.gaussian(),
          northM: target.northM + SURVEYED_M.horizontal * drawn.gaussian(),
          upM: target.upM + SURVEYED_M.vertical * drawn.gaussian(),
        });
        return {
          name: target.name,
          position: triple(target),
          surveyed: { ...surveyed, sigmaM: SURVEYED_M },
          marks: marksOf(target.name),
        };
      }),
    scaleBars: scaleBars(),
    rasters,
  };

  function scaleBars(): TrueScaleBar[] {
    const ends = targets.filter(({ name }) => name.startsWith("scale-"));
    const [from, to] = ends;
    if (from === undefined || to === undefined) return [];
    const trueLengthM = Math.hypot(
      to.eastM - from.eastM,
      to.northM - from.northM,
      to.upM - from.upM,
    );
    return [
      {
        lengthM: round(trueLengthM + TAPE_M * random.fork("tape").gaussian(), 4),
        sigmaM: TAPE_M,
        trueLengthM,
        ends: ends.map((end) => ({
          name: end.name,
          position: triple(end),
          marks: marksOf(end.name),
        })),
      },
    ];
  }
}

function pair({ eastM, northM }: Place): Point2 {
  return [round(eastM, 4), round(northM, 4)];
}
function triple({ eastM, northM, upM }: SitePoint): Point3 {
  return [eastM, northM, upM];
}
function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
