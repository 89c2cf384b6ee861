import { createRandom } from "../../randomness/random.ts";
import { alongAndRight, type Place, type SitePoint } from "../coordinates/place.ts";
import { type GeodeticPosition, geodeticPosition } from "../coordinates/wgs84.ts";
import { cameraAxes } from "../flight/camera.ts";
import type { SurveyOptions } from "../options/options.ts";
import type { TrueMark } from "../render/render-image.ts";
import type { Target } from "../scene/target.ts";
import { pileOutline, pileVolume } from "../site/pile.ts";
import type { SurveyPlan } from "../site/plan-survey.ts";
import type { Point2, Point3, PointMark, SurveyTruth, TrueScaleBar } from "./truth.ts";
import type { TruthRasters } from "./truth-raster.ts";

/**
 * Errors of what people add: surveyed points (as of network RTK), tape, clicks in the picture. Smaller ones
 * promise more than surveyors do.
 */
const SURVEYED_M = { horizontal: 0.01, vertical: 0.015 };
const TAPE_M = 0.005;
const CLICK_PX = 0.3;

/** Puts together what is true of a survey that was flown and rendered. */
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
