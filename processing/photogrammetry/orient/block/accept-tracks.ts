import type { BundleState, Observations } from "../../bundle/bundle-problem.ts";
import { projectPoint } from "../../bundle/project-point.ts";
import { type Intrinsics, undistort } from "../../camera/camera.ts";
import type { ImagePoints, Tracks } from "../../matching/tracks.ts";
import { intrinsicsOf, type SurveyBlock } from "./survey-block.ts";
import { meetRays, type Rays, widestAngleCosine } from "./triangulate.ts";

/** Tracks as cameras of a block see them: entries of track t are `start[t]` to `start[t + 1]`. */
export interface BlockTracks {
  /** Index of each track in the survey's tracks. */
  readonly track: Int32Array;
  readonly start: Int32Array;
  /** Ascending within a track. */
  readonly camera: Int32Array;
  readonly u: Float32Array;
  readonly v: Float32Array;
}

/** Chosen tracks, reduced to the images of the block; those that two images do not see are left out. */
export function tracksOfBlock(
  { cameraOfImage }: SurveyBlock,
  keypoints: readonly ImagePoints[],
  tracks: Tracks,
  chosen: Int32Array,
): BlockTracks {
  const track: number[] = [];
  const start = [0];
  const camera: number[] = [];
  const u: number[] = [];
  const v: number[] = [];
  for (const t of chosen) {
    const entries: { readonly camera: number; readonly entry: number }[] = [];
    for (let entry = tracks.start[t] ?? 0; entry < (tracks.start[t + 1] ?? 0); entry += 1) {
      const seenBy = cameraOfImage[tracks.image[entry] ?? 0] ?? -1;
      if (seenBy >= 0) entries.push({ camera: seenBy, entry });
    }
    if (entries.length < 2) continue;
    entries.sort((a, b) => a.camera - b.camera);
    for (const { camera: seenBy, entry } of entries) {
      const points = keypoints[tracks.image[entry] ?? 0];
      const at = tracks.keypoint[entry] ?? 0;
      camera.push(seenBy);
      u.push(points?.x[at] ?? 0);
      v.push(points?.y[at] ?? 0);
    }
    track.push(t);
    start.push(camera.length);
  }
  return {
    track: Int32Array.from(track),
    start: Int32Array.from(start),
    camera: Int32Array.from(camera),
    u: Float32Array.from(u),
    v: Float32Array.from(v),
  };
}

/** Tie points that fit the present cameras. */
export interface AcceptedTracks {
  readonly points: Float64Array;
  readonly observations: Observations;
  /**
   * Share of the tracks tried that gave no point, among those that two images of the present flight see.
   * Cameras in one place on two days give rays that hardly meet, which is not a fault.
   */
  readonly droppedShare: number;
}

export interface AcceptanceLimits {
  /** Farthest that an observation may lie from its point's image, pixels. */
  readonly maxErrorPx: number;
  /** Narrowest that the widest angle between a point's rays may be, rad. */
  readonly minAngleRad: number;
}

/**
 * Share of a track's observations that may be removed as wrong; of three, one. More keeps tracks that are mostly
 * wrong, less drops good ones over one wrong match.
 */
const MAX_REMOVED_SHARE = 1 / 3;

/** Entries of the track at hand that still count, their rays, and where those meet. */
interface Scratch {
  readonly entry: Int32Array;
  readonly rays: Rays;
  readonly point: Float64Array;
  readonly pixel: Float64Array;
}

/**
 * Triangulates tracks from the present cameras. While an observation lies too far off, the worst one is
 * removed and the point found again; a track that loses too many, or whose rays are near parallel, is
 * dropped.
 */
export function acceptTracks(
  block: SurveyBlock,
  state: BundleState,
  tracks: BlockTracks,
  limits: AcceptanceLimits,
): AcceptedTracks {
  const lenses = intrinsicsOf(block, state);
  const directions = worldDirections(block, state, lenses, tracks);
  const longest = block.images.length;
  const scratch: Scratch = {
    entry: new Int32Array(longest),
    rays: { origin: new Float64Array(longest * 3), direction: new Float64Array(longest * 3) },
    point: new Float64Array(3),
    pixel: new Float64Array(2),
  };
  const points: number[] = [];
  const point: number[] = [];
  const entries: number[] = [];
  let tried = 0;
  let kept = 0;
  for (let t = 0; t < tracks.track.length; t += 1) {
    const isOwn = ownViews(block, tracks, t) >= 2;
    if (isOwn) tried += 1;
    const count = settle(block, state, tracks, directions, t, limits, scratch);
    if (count === 0) continue;
    if (isOwn) kept += 1;
    for (let i = 0; i < count; i += 1) {
      point.push(points.length / 3);
      entries.push(scratch.entry[i] ?? 0);
    }
    points.push(...scratch.point);
  }
  return {
    points: Float64Array.from(points),
    observations: {
      point: Int32Array.from(point),
      camera: Int32Array.from(entries, (e) => tracks.camera[e] ?? 0),
      u: Float32Array.from(entries, (e) => tracks.u[e] ?? 0),
      v: Float32Array.from(entries, (e) => tracks.v[e] ?? 0),
    },
    droppedShare: tried === 0 ? 0 : (tried - kept) / tried,
  };
}

/** Images of the present flight that see a track. */
function ownViews({ priors }: SurveyBlock, { start, camera }: BlockTracks, track: number): number {
  let views = 0;
  for (let e = start[track] ?? 0; e < (start[track + 1] ?? 0); e += 1) {
    if (priors[camera[e] ?? 0]?.isOfEarlierFlight !== true) views += 1;
  }
  return views;
}

/** Unit directions in the world of all entries, three numbers each. */
function worldDirections(
  { cameraLens }: SurveyBlock,
  { rotations: r }: BundleState,
  lenses: readonly Intrinsics[],
  { camera, u, v }: BlockTracks,
): Float64Array {
  const directions = new Float64Array(camera.length * 3);
  for (let e = 0; e < camera.length; e += 1) {
    const c = camera[e] ?? 0;
    const lens = lenses[cameraLens[c] ?? 0];
    if (!lens) continue;
    const [x, y] = undistort(lens, u[e] ?? 0, v[e] ?? 0);
    const length = Math.sqrt(x * x + y * y + 1);
    for (let axis = 0; axis < 3; axis += 1) {
      const at = c * 9 + axis;
      directions[e * 3 + axis] =
        ((r[at] ?? 0) * x + (r[at + 3] ?? 0) * y + (r[at + 6] ?? 0)) / length;
    }
  }
  return directions;
}

/** Leaves a track's good entries and its point in `scratch`; returns their number, 0 = dropped. */
function settle(
  { cameraLens }: SurveyBlock,
  state: BundleState,
  tracks: BlockTracks,
  directions: Float64Array,
  track: number,
  { maxErrorPx, minAngleRad }: AcceptanceLimits,
  { entry, rays, point, pixel }: Scratch,
): number {
  const from = tracks.start[track] ?? 0;
  const total = (tracks.start[track + 1] ?? 0) - from;
  for (let i = 0; i < total; i += 1) entry[i] = from + i;
  const fewest = Math.max(2, total - Math.floor(total * MAX_REMOVED_SHARE));
  for (let count = total; count >= fewest; count -= 1) {
    for (let i = 0; i < count; i += 1) {
      const e = entry[i] ?? 0;
      const c = tracks.camera[e] ?? 0;
      for (let axis = 0; axis < 3; axis += 1) {
        rays.origin[i * 3 + axis] = state.centres[c * 3 + axis] ?? 0;
        rays.direction[i * 3 + axis] = directions[e * 3 + axis] ?? 0;
      }
    }
    if (!meetRays(rays, count, point)) return 0;
    let worst = 0;
    let worstError = -1;
    for (let i = 0; i < count; i += 1) {
      const e = entry[i] ?? 0;
      const c = tracks.camera[e] ?? 0;
      const isSeen = projectPoint(state, c, cameraLens[c] ?? 0, point, 0, pixel);
      const du = (pixel[0] ?? 0) - (tracks.u[e] ?? 0);
      const dv = (pixel[1] ?? 0) - (tracks.v[e] ?? 0);
      const error = isSeen ? Math.sqrt(du * du + dv * dv) : Number.POSITIVE_INFINITY;
      if (error > worstError) {
        worst = i;
        worstError = error;
      }
    }
    if (worstError <= maxErrorPx) {
      return widestAngleCosine(rays, count) <= Math.cos(minAngleRad) ? count : 0;
    }
    entry.copyWithin(worst, worst + 1, count);
  }
  return 0;
}
