import type { OrientedCamera, Reconstruction } from "../../reconstruction/reconstruction.ts";
import { looksDown } from "../block/survey-block.ts";

/** A tie point needs so many images of the flight to be one of its own. */
const MIN_VIEWS = 2;

export interface SplitFlights {
  /** The present flight alone: its cameras and the points that it sees; scale and lenses are shared. */
  readonly own: Reconstruction;
  /** Cameras of the earlier flight; `image` counts from its first. */
  readonly earlier: readonly OrientedCamera[];
}

/**
 * Takes two flights that were adjusted together apart. What the earlier one alone saw, such as material
 * that is gone by now, is in `own` no more. Of the summary, reprojection error and share of nadir images
 * are those of `own`, all else is of the adjustment as a whole.
 * @param images of the present flight; those from there on are of the earlier one
 */
export function splitFlights(joint: Reconstruction, images: number): SplitFlights {
  const { cameras, observations, points, summary } = joint;
  // Cameras are in the order of the images: those of the present flight come first.
  const own = cameras.filter(({ image }) => image < images);
  const kept = ownObservations(observations, own.length, points.length / 3);
  const numbers = new Int32Array(points.length / 3).fill(-1);
  const keptPoints: number[] = [];
  for (const k of kept) {
    const point = observations.point[k] ?? 0;
    if (numbers[point] !== -1) continue;
    numbers[point] = keptPoints.length / 3;
    keptPoints.push(...points.subarray(point * 3, point * 3 + 3));
  }
  const seen = own.reduce((sum, camera) => sum + camera.observations, 0);
  const squares = own.reduce((sum, camera) => sum + camera.observations * camera.rmsPx ** 2, 0);
  const nadir = own.filter(({ pose }) => looksDown(pose.rotation));
  return {
    own: {
      ...joint,
      cameras: own,
      points: Float64Array.from(keptPoints),
      observations: {
        point: Int32Array.from(kept, (k) => numbers[observations.point[k] ?? 0] ?? 0),
        camera: Int32Array.from(kept, (k) => observations.camera[k] ?? 0),
        u: Float32Array.from(kept, (k) => observations.u[k] ?? 0),
        v: Float32Array.from(kept, (k) => observations.v[k] ?? 0),
      },
      summary: {
        ...summary,
        rmsPx: Math.sqrt(squares / Math.max(1, seen)),
        nadirShare: nadir.length / Math.max(1, own.length),
      },
    },
    earlier: cameras
      .slice(own.length)
      .map((camera) => ({ ...camera, image: camera.image - images })),
  };
}

/** Observations by the first `cameras` cameras, of points that enough of them see. */
function ownObservations(
  { point, camera }: Reconstruction["observations"],
  cameras: number,
  points: number,
): readonly number[] {
  const views = new Int32Array(points);
  camera.forEach((by, k) => {
    const at = point[k] ?? 0;
    if (by < cameras) views[at] = (views[at] ?? 0) + 1;
  });
  const kept: number[] = [];
  camera.forEach((by, k) => {
    if (by < cameras && (views[point[k] ?? 0] ?? 0) >= MIN_VIEWS) kept.push(k);
  });
  return kept;
}
