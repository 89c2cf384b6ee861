import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import RBush from "rbush";
import type { AssetId } from "../../domain/ids.ts";
import { advanceFences } from "../../ingest/geofence/advance.ts";
import { type FenceFold, newFenceFold } from "../../ingest/geofence/fence-fold.ts";
import { holds } from "../../ingest/geofence/fence-shape.ts";
import { FenceTimeline } from "../../ingest/geofence/fence-timeline.ts";
import { isWithin, type SafeDisc, safeBox, safeDisc } from "../../ingest/geofence/safe-disc.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import { PROJECT } from "../../test/ingest/geofence/site.ts";
import type { Tracks } from "./moving-fleet.ts";

/** A method to find the fences that hold each fix: takes fixes `[from, to)`, yields how many hits there were. */
export type Engine = (tracks: Tracks, from: number, to: number) => number;

const AT_MS = 1;

export function timelineOf(fences: readonly GeofenceVersion[], tracks: Tracks): FenceTimeline {
  const timeline = new FenceTimeline();
  timeline.apply(fences);
  for (let a = 0; a < tracks.assets; a++) {
    const assetId = assetName(a);
    timeline.assign(assetId, [
      { assetId, projectId: PROJECT, validFromMs: 0, validToMs: undefined },
    ]);
  }
  return timeline;
}

const assetName = (index: number): AssetId => `ast_${index}` as AssetId;
const position = ({ lonDeg, latDeg }: Tracks, i: number) => ({
  lonDeg: lonDeg[i] ?? 0,
  latDeg: latDeg[i] ?? 0,
});

/** Our index and exact test, every fix. */
export const containment =
  (timeline: FenceTimeline): Engine =>
  (tracks, from, to) => {
    let hits = 0;
    for (let i = from; i < to; i++) {
      hits += timeline.fencesHolding(position(tracks, i), PROJECT, AT_MS).length;
    }
    return hits;
  };

/** The same, left out while the asset stays within its safe disc. */
export function containmentWithSkip(timeline: FenceTimeline, tracks: Tracks): Engine {
  const era = { isCurrent: true };
  const discs = new Array<SafeDisc | undefined>(tracks.assets).fill(undefined);
  const last = new Int32Array(tracks.assets);
  return (_, from, to) => {
    let hits = 0;
    for (let i = from; i < to; i++) {
      const asset = i % tracks.assets;
      const disc = discs[asset];
      if (disc === undefined || !isWithin(disc, tracks.lonDeg[i] ?? 0, tracks.latDeg[i] ?? 0)) {
        const place = position(tracks, i);
        const near = timeline.near(PROJECT, safeBox(place), AT_MS);
        discs[asset] = safeDisc(place, near, era);
        last[asset] = near.reduce((sum, shape) => sum + (holds(shape, place) ? 1 : 0), 0);
      }
      hits += last[asset] ?? 0;
    }
    return hits;
  };
}

/** The least that skipping can cost: every fix is read and compared with a disc of its asset that it never leaves. */
export function fixesRead(tracks: Tracks): Engine {
  const discs = Array.from({ length: tracks.assets }, (_, a) => ({
    ...safeDisc(position(tracks, a), [], { isCurrent: true }),
    radius2: Number.MAX_VALUE,
  }));
  return (_, from, to) => {
    let within = 0;
    for (let i = from; i < to; i++) {
      const disc = discs[i % tracks.assets];
      if (disc && isWithin(disc, tracks.lonDeg[i] ?? 0, tracks.latDeg[i] ?? 0)) within += 1;
    }
    return within;
  };
}

/** The whole reducer; what it counts are crossings. Passes go on from the fold of the pass before. */
export function reducer(timeline: FenceTimeline, tracks: Tracks, skip: boolean): Engine {
  const folds: FenceFold[] = Array.from({ length: tracks.assets }, newFenceFold);
  const names = folds.map((_, a) => assetName(a));
  const options = { skip };
  let crossings = 0;
  const emit = (): void => {
    crossings += 1;
  };
  return (_, from, to) => {
    crossings = 0;
    for (let i = from; i < to; i++) {
      const asset = i % tracks.assets;
      const fold = folds[asset];
      const name = names[asset];
      if (fold === undefined || name === undefined) break;
      const fix = {
        tMs: Math.floor(i / tracks.assets) * 1_000 + 1,
        lonDeg: tracks.lonDeg[i] ?? 0,
        latDeg: tracks.latDeg[i] ?? 0,
        accuracyM: 5,
      };
      advanceFences(fold, fix, name, timeline, emit, options);
    }
    return crossings;
  };
}

/** What most people write: rbush, and turf's test on GeoJSON. */
export function turf(fences: readonly GeofenceVersion[]): Engine {
  const tree = new RBush<{
    minX: number;
    minY: number;
    maxX: number;
    maxY: number;
    polygon: { type: "Polygon"; coordinates: number[][][] };
  }>();
  tree.load(
    fences.map(({ ring }) => {
      const xs = ring.map(([x]) => x);
      const ys = ring.map(([, y]) => y);
      return {
        minX: Math.min(...xs),
        minY: Math.min(...ys),
        maxX: Math.max(...xs),
        maxY: Math.max(...ys),
        polygon: { type: "Polygon" as const, coordinates: [ring.map(([x, y]) => [x, y])] },
      };
    }),
  );
  return (tracks, from, to) => {
    let hits = 0;
    for (let i = from; i < to; i++) {
      const x = tracks.lonDeg[i] ?? 0;
      const y = tracks.latDeg[i] ?? 0;
      for (const { polygon } of tree.search({ minX: x, minY: y, maxX: x, maxY: y })) {
        if (booleanPointInPolygon([x, y], polygon)) hits += 1;
      }
    }
    return hits;
  };
}

/** Every fence for every fix, with an even-odd count over typed arrays and no box test. */
export function bruteForce(fences: readonly GeofenceVersion[]): Engine {
  const rings = fences.map(({ ring }) => Float64Array.from(ring.flat()));
  return (tracks, from, to) => {
    let hits = 0;
    for (let i = from; i < to; i++) {
      const x = tracks.lonDeg[i] ?? 0;
      const y = tracks.latDeg[i] ?? 0;
      for (const ring of rings) if (isInside(ring, x, y)) hits += 1;
    }
    return hits;
  };
}

function isInside(ring: Float64Array, x: number, y: number): boolean {
  let inside = false;
  for (let i = 2; i < ring.length; i += 2) {
    const [ax, ay, bx, by] = [ring[i - 2] ?? 0, ring[i - 1] ?? 0, ring[i] ?? 0, ring[i + 1] ?? 0];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
