import { inverse, rotate, type Vector3 } from "../../../geometry/rotation.ts";
import type {
  BarObservation,
  BundlePriors,
  BundleState,
  Observations,
} from "../../bundle/bundle-problem.ts";
import { project, undistort } from "../../camera/camera.ts";
import type { ControlTarget, ImageMark, ScaleBarTarget } from "./orientation.ts";
import { intrinsicsOf, poseOf, type SurveyBlock } from "./survey-block.ts";
import { meetRays } from "./triangulate.ts";

/** Points that people marked, as an adjustment takes them. */
export interface MarkedPoints {
  readonly points: Float64Array;
  readonly marks: Observations;
  readonly priors: Pick<BundlePriors, "marked" | "markedSigma">;
  readonly bars: readonly BarObservation[];
  /** Control points that shape the result. */
  readonly usedControl: readonly ControlTarget[];
}

/**
 * Control points that shape the result (those with a mark in the block), then the ends of scale bars
 * (those that two images show).
 */
export function markedPoints(
  block: SurveyBlock,
  state: BundleState,
  control: readonly ControlTarget[],
  scaleBars: readonly ScaleBarTarget[],
): MarkedPoints {
  const points: number[] = [];
  const expected: number[] = [];
  const sigmas: number[] = [];
  const marks: { point: number; camera: number; u: number; v: number }[] = [];
  const add = (position: Vector3, seen: readonly ImageMark[]) => {
    const point = points.length / 3;
    points.push(...position);
    const byCamera = inBlock(block, seen).map((mark) => ({ ...mark, point }));
    marks.push(...byCamera.sort((a, b) => a.camera - b.camera));
    return point;
  };
  const usedControl = control.filter(
    ({ isCheck, marks: seen }) => !isCheck && inBlock(block, seen).length > 0,
  );
  for (const { position, sigmaM, marks: seen } of usedControl) {
    add(locate(block, state, seen) ?? position, seen);
    expected.push(...position);
    sigmas.push(sigmaM.horizontal, sigmaM.horizontal, sigmaM.vertical);
  }
  const bars: BarObservation[] = [];
  for (const { ends, lengthM, sigmaM } of scaleBars) {
    const [from, to] = ends.map((seen) => locate(block, state, seen));
    if (!from || !to) continue;
    bars.push({ a: add(from, ends[0]), b: add(to, ends[1]), lengthM, sigmaM });
    expected.push(0, 0, 0, 0, 0, 0);
    sigmas.push(0, 0, 0, 0, 0, 0);
  }
  return {
    points: Float64Array.from(points),
    marks: {
      point: Int32Array.from(marks, (mark) => mark.point),
      camera: Int32Array.from(marks, (mark) => mark.camera),
      u: Float32Array.from(marks, (mark) => mark.u),
      v: Float32Array.from(marks, (mark) => mark.v),
    },
    priors: { marked: Float64Array.from(expected), markedSigma: Float64Array.from(sigmas) },
    bars,
    usedControl,
  };
}

/** Distance of a mark from where the adjusted point of a used control point projects, pixels. */
export function markMisfit(
  { block, outcome }: SettledMarks,
  point: number,
  mark: ImageMark,
): number {
  const { state } = outcome.problem;
  const [x = 0, y = 0, z = 0] = state.marked.subarray(point * 3, point * 3 + 3);
  return misfitPx(block, state, [x, y, z], mark) ?? 0;
}

interface SettledMarks {
  readonly block: SurveyBlock;
  readonly outcome: { readonly problem: { readonly state: BundleState } };
}

/**
 * Distance of a mark from where a place (ENU) projects, pixels; `undefined` where the block has no camera,
 * infinite behind it.
 */
export function misfitPx(
  block: SurveyBlock,
  state: BundleState,
  place: Vector3,
  mark: ImageMark,
): number | undefined {
  const camera = block.cameraOfImage[mark.image] ?? -1;
  const lens = intrinsicsOf(block, state)[block.cameraLens[camera] ?? 0];
  if (camera < 0 || lens === undefined) return undefined;
  const pixel = { u: 0, v: 0, depth: 0 };
  if (!project(lens, poseOf(state, camera), place, pixel)) return Number.POSITIVE_INFINITY;
  return Math.hypot(pixel.u - mark.u, pixel.v - mark.v);
}

function inBlock({ cameraOfImage }: SurveyBlock, marks: readonly ImageMark[]) {
  return marks.flatMap(({ image, u, v }) => {
    const camera = cameraOfImage[image] ?? -1;
    return camera < 0 ? [] : [{ camera, u, v }];
  });
}

/** Where the marks put a point, ENU metres; `undefined` when fewer than two images of the block show it. */
export function locate(
  block: SurveyBlock,
  state: BundleState,
  marks: readonly ImageMark[],
): Vector3 | undefined {
  const lenses = intrinsicsOf(block, state);
  const origin: number[] = [];
  const direction: number[] = [];
  for (const { camera, u, v } of inBlock(block, marks)) {
    const lens = lenses[block.cameraLens[camera] ?? 0];
    if (!lens) continue;
    const { rotation, centre } = poseOf(state, camera);
    const [x, y] = undistort(lens, u, v);
    const length = Math.hypot(x, y, 1);
    origin.push(...centre);
    direction.push(...rotate(inverse(rotation), [x / length, y / length, 1 / length]));
  }
  const count = origin.length / 3;
  const rays = { origin: Float64Array.from(origin), direction: Float64Array.from(direction) };
  const meeting = new Float64Array(3);
  if (count < 2 || !meetRays(rays, count, meeting)) return undefined;
  const [x = 0, y = 0, z = 0] = meeting;
  return [x, y, z];
}
