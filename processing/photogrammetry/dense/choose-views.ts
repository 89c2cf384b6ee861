import type { Vector3 } from "../../geometry/rotation.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import { type Intrinsics, type Pose, type Projection, project } from "../camera/camera.ts";

/** A camera that may see a tile; its lens may be of any size, also other than its image's. */
export interface ViewCandidate {
  readonly pose: Pose;
  readonly lens: Intrinsics;
}

/**
 * Views further from the vertical than this are left out, rad: a cell of the ground is then more than 1.6 times as
 * deep as in the picture from above. Wider takes views in which one pixel covers much ground, narrower leaves
 * walls and corners without any.
 */
const MAX_OFF_NADIR_RAD = (50 * Math.PI) / 180;
/**
 * A view that holds none of the tile counts as this much further from the vertical, rad. Larger prefers views
 * that hold all of it, smaller those that look straight down on a part.
 */
const MISSING_RAD = (40 * Math.PI) / 180;
/** Views that hold less of the tile than this are left out. */
const MIN_COVERAGE = 0.2;
/**
 * Angle between the rays of two views that matches best, rad, and the spread around it: less measures
 * heights badly, more sees different pictures.
 */
const BEST_PARALLAX_RAD = (18 * Math.PI) / 180;
const PARALLAX_SPREAD_RAD = (12 * Math.PI) / 180;
/** Views nearer to each other than this are one view for heights, rad; their weight falls to this. */
const SAME_VIEW_RAD = (3 * Math.PI) / 180;
const SAME_VIEW_WEIGHT = 0.01;
/** Views of a tile: the pairs, and with them the time, grow with the square. */
const VIEWS = 5;
/** Where a part of the tile is seen by too few of them, others that see it are added, up to this many. */
const MAX_VIEWS = 8;
/** Views that every point of the tile should have. */
const WANTED_PER_POINT = 4;
/** Points of the tile that are projected, along each edge. */
const SAMPLES = 5;
/** Pixels from the image's border that count as outside. */
const BORDER_PX = 2;

/**
 * Chooses the views for a tile: first the one nearest to the vertical, then in turn the one whose rays meet
 * those of the chosen views at the best angles. Each is weighted by its share of the tile. Five, and up to
 * eight where points of the tile have fewer than four. Indices into `cameras`, best first; ties go to the
 * lower index.
 */
export function chooseViews(
  cameras: readonly ViewCandidate[],
  frame: GridFrame,
  surface: Float32Array,
): readonly number[] {
  const points = samplePoints(frame, surface);
  const middle = points[(points.length - 1) / 2];
  if (middle === undefined) return [];
  const open = cameras.flatMap((camera, index) => {
    const ray = direction(camera.pose.centre, middle);
    const offNadirRad = Math.acos(Math.min(1, Math.max(-1, -ray[2])));
    // First what costs little: most cameras of a large survey are elsewhere.
    if (offNadirRad > MAX_OFF_NADIR_RAD) return [];
    const holds = heldPoints(camera, points);
    const coverage = holds.reduce((sum, held) => sum + Number(held), 0) / points.length;
    return coverage < MIN_COVERAGE ? [] : [{ index, ray, holds, coverage, offNadirRad }];
  });
  const first = argMin(open, (view) => view.offNadirRad + (1 - view.coverage) * MISSING_RAD);
  if (first === undefined) return [];
  const chosen = [first];
  while (chosen.length < MAX_VIEWS) {
    const rest = open.filter((view) => !chosen.includes(view));
    const wants = points.map(
      (_, k) => chosen.filter((view) => view.holds[k]).length < WANTED_PER_POINT,
    );
    // After five, only what helps points that lack views.
    const isEnough = chosen.length >= VIEWS;
    const next = argMin(rest, (view) => {
      const helped = view.holds.filter((held, k) => held && wants[k]).length / points.length;
      if (isEnough && helped === 0) return Number.POSITIVE_INFINITY;
      const weights = chosen.map((other) => pairWeight(view.ray, other.ray));
      const share = isEnough ? helped : view.coverage;
      return -share * weights.reduce((sum, weight) => sum + weight, 0);
    });
    if (next === undefined) break;
    chosen.push(next);
  }
  return chosen.map((view) => view.index);
}

function samplePoints(frame: GridFrame, surface: Float32Array): readonly Vector3[] {
  const at = (k: number, cells: number) => Math.round((k * (cells - 1)) / (SAMPLES - 1));
  return Array.from({ length: SAMPLES * SAMPLES }, (_, k) => {
    const row = at(Math.floor(k / SAMPLES), frame.height);
    const column = at(k % SAMPLES, frame.width);
    return [
      frame.westM + (column + 0.5) * frame.cellM,
      frame.northM - (row + 0.5) * frame.cellM,
      surface[row * frame.width + column] ?? 0,
    ];
  });
}

/** Of each point, whether the image holds it. */
function heldPoints({ pose, lens }: ViewCandidate, points: readonly Vector3[]): readonly boolean[] {
  const at: Projection = { u: 0, v: 0, depth: 0 };
  return points.map(
    (point) =>
      project(lens, pose, point, at) &&
      at.u >= BORDER_PX &&
      at.v >= BORDER_PX &&
      at.u < lens.widthPx - 1 - BORDER_PX &&
      at.v < lens.heightPx - 1 - BORDER_PX,
  );
}

function pairWeight(a: Vector3, b: Vector3): number {
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const parallaxRad = Math.acos(Math.min(1, Math.max(-1, cosine)));
  if (parallaxRad < SAME_VIEW_RAD) return SAME_VIEW_WEIGHT;
  return Math.exp(-(((parallaxRad - BEST_PARALLAX_RAD) / PARALLAX_SPREAD_RAD) ** 2) / 2);
}

function direction(from: Vector3, to: Vector3): Vector3 {
  const ray = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const;
  const length = Math.hypot(...ray);
  return [ray[0] / length, ray[1] / length, ray[2] / length];
}

function argMin<T>(items: readonly T[], cost: (item: T) => number): T | undefined {
  let best: T | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const value = cost(item);
    if (value < least) {
      best = item;
      least = value;
    }
  }
  return best;
}
