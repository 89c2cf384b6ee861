import type { FenceFix } from "../../ingest/geofence/crossing.ts";
import { isInside, moved, type Point } from "../../simulators/fleet/site/plane.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import {
  accuracyOf,
  correlatedNoise,
  type ReportedAccuracy,
} from "../../test/ingest/geofence/noise.ts";
import { polygon } from "../../test/ingest/geofence/site.ts";
import { fixAt } from "../../test/ingest/geofence/walk.ts";

/** What a fence is drawn around, beside a road. */
export const ROADSIDE_KINDS = ["lane", "gate", "area", "verge", "corner"] as const;
export type RoadsideKind = (typeof ROADSIDE_KINDS)[number];

export interface RoadsideFence {
  readonly kind: RoadsideKind;
  readonly version: GeofenceVersion;
  readonly ring: readonly Point[];
}

/** A drive: where the machine truly was, every `STEP_S` seconds. */
export interface RoadTrip {
  readonly points: readonly Point[];
  readonly fences: readonly RoadsideFence[];
}

/** Fine enough to see every corner that is cut: 7 m at the highest speed. */
const STEP_S = 0.5;
const SPEED_MPS = { least: 3, most: 14, corner: 4 };
const ACCELERATION_MPS2 = 0.8;
/** Share of pieces that end with a stop, and its length, seconds. */
const STOPS = { share: 0.15, least: 5, most: 40 };

/**
 * Draws a drive along a road as it is on building sites and around them: straights of 40 to 300 m,
 * curves of 60 to 400 m radius and corners of 8 to 18 m, with fences across, on, along and beside it.
 */
export function drawRoadTrip(random: () => number, pieces: number, fences: number): RoadTrip {
  const uniform = (least: number, most: number): number => least + random() * (most - least);
  const side = (): number => (random() < 0.5 ? -1 : 1);
  const points: Point[] = [];
  const places: Place[] = [];
  let point: Point = { eastM: 0, northM: 0 };
  let headingDeg = uniform(0, 360);
  let speedMps = SPEED_MPS.least;
  for (let i = 0; i < pieces; i++) {
    const kind = random();
    const isCorner = kind > 0.8;
    const turnDeg = kind < 0.45 ? 0 : side() * (isCorner ? uniform(60, 110) : uniform(15, 70));
    const radiusM = isCorner ? uniform(8, 18) : uniform(60, 400);
    const lengthM =
      turnDeg === 0 ? uniform(40, 300) : (Math.abs(turnDeg) * Math.PI * radiusM) / 180;
    const targetMps = isCorner ? SPEED_MPS.corner : uniform(SPEED_MPS.least, SPEED_MPS.most);
    const startDeg = headingDeg;
    for (let doneM = 0; doneM < lengthM; ) {
      const change = Math.max(-1, Math.min(1, targetMps - speedMps));
      speedMps += change * ACCELERATION_MPS2 * STEP_S;
      doneM += speedMps * STEP_S;
      headingDeg = startDeg + turnDeg * Math.min(1, doneM / lengthM);
      point = moved(point, headingDeg, speedMps * STEP_S);
      points.push(point);
      places.push({ point, headingDeg, turn: isCorner ? Math.sign(turnDeg) : 0 });
    }
    if (random() > STOPS.share) continue;
    const steps = Math.round(uniform(STOPS.least, STOPS.most) / STEP_S);
    for (let step = 0; step < steps; step++) points.push(point);
    speedMps = SPEED_MPS.least;
  }
  return {
    points,
    fences: Array.from({ length: fences }, (_, i) => drawFence(`f${i}`, places, random)),
  };
}

interface Place {
  readonly point: Point;
  readonly headingDeg: number;
  /** In a corner: to which side it turns, right is positive. */
  readonly turn: number;
}

function drawFence(id: string, places: readonly Place[], random: () => number): RoadsideFence {
  const uniform = (least: number, most: number): number => least + random() * (most - least);
  const pick = (from: readonly Place[]): Place =>
    from[Math.floor(random() * from.length)] ?? {
      ...{ point: { eastM: 0, northM: 0 }, headingDeg: 0, turn: 0 },
    };
  const kind = ROADSIDE_KINDS[Math.floor(random() * ROADSIDE_KINDS.length)] ?? "lane";
  const corners = places.filter(({ turn }) => turn !== 0);
  const { point, headingDeg, turn } = pick(
    kind === "corner" && corners.length > 0 ? corners : places,
  );
  const aside = random() < 0.5 ? -90 : 90;
  const ringOf = {
    // A haul road that is crossed at 45 to 90 degrees.
    lane: () => box(point, headingDeg + uniform(45, 135), uniform(60, 200), uniform(8, 15)),
    gate: () => box(point, headingDeg, uniform(15, 30), uniform(15, 30)),
    // A work place that is crossed, cut or passed.
    area: () => {
      const radiusM = uniform(30, 120);
      const centre = moved(point, headingDeg + aside, radiusM * uniform(0, 1.3));
      return star(centre, radiusM, random);
    },
    // Ground along the road, which begins 2 to 15 m beside its middle.
    verge: () =>
      box(moved(point, headingDeg + aside, uniform(2, 15) + 15), headingDeg, uniform(60, 200), 30),
    // A place in the inside of a corner, which the road goes round and a straight line cuts.
    corner: () => {
      const sizeM = uniform(20, 60);
      const inside = (turn === 0 ? 1 : turn) * 90;
      const centre = moved(point, headingDeg + inside, sizeM / 2 + uniform(4, 10));
      return box(centre, headingDeg, sizeM, sizeM);
    },
  }[kind]();
  return { kind, version: polygon(id, ringOf), ring: ringOf };
}

/** A rectangle with its length along a heading. */
function box(centre: Point, headingDeg: number, lengthM: number, widthM: number) {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([along = 0, across = 0]) =>
    moved(moved(centre, headingDeg, (along * lengthM) / 2), headingDeg + 90, (across * widthM) / 2),
  );
}

function star(centre: Point, radiusM: number, random: () => number): readonly Point[] {
  const count = 5 + Math.floor(random() * 6);
  return Array.from({ length: count }, (_, i) =>
    moved(centre, (360 * i) / count, radiusM * (0.7 + 0.6 * random())),
  );
}

/** How a drive is seen. */
export interface Sampling {
  readonly everyS: number;
  readonly sigmaM: number;
  readonly reported: ReportedAccuracy;
}

/** Fixes of a drive; the first one at any time of the first interval. */
export function fixesOf(
  { points }: RoadTrip,
  random: () => number,
  { everyS, sigmaM, reported }: Sampling,
): readonly FenceFix[] {
  const model = { sigmaM, correlationS: 60, intervalS: everyS };
  const [east, north] = [correlatedNoise(random, model), correlatedNoise(random, model)];
  const stride = Math.round(everyS / STEP_S);
  const fixes: FenceFix[] = [];
  for (let i = Math.floor(random() * stride); i < points.length; i += stride) {
    const { eastM = 0, northM = 0 } = points[i] ?? {};
    const accuracyM = accuracyOf(reported, sigmaM);
    fixes.push(fixAt(i * STEP_S, eastM + east(), northM + north(), accuracyM));
  }
  return fixes;
}

/** True visits of a fence: seconds since the start at which they begin and end. */
export function trueVisits(
  { points }: RoadTrip,
  { ring }: RoadsideFence,
): readonly (readonly [fromS: number, toS: number])[] {
  const visits: [number, number][] = [];
  let isIn = false;
  for (const [i, point] of points.entries()) {
    const now = isInside(point, ring);
    if (now && !isIn) visits.push([i * STEP_S, i * STEP_S]);
    const last = visits.at(-1);
    if (now && last !== undefined) last[1] = i * STEP_S;
    isIn = now;
  }
  return visits;
}
