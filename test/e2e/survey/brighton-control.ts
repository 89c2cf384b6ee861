import { join } from "node:path";
import type { ControlPoint, SurveyResult } from "../../../processing/engine/port/engine.ts";
import { createEnuFrame } from "../../../processing/geometry/enu.ts";
import type { Vector3 } from "../../../processing/geometry/rotation.ts";
import { project } from "../../../processing/photogrammetry/camera/camera.ts";
import type { Reconstruction } from "../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import type { SurveyBench } from "../../support/run-survey.ts";
import { copyWithoutPositions } from "../../support/without-positions.ts";
import { type Expectation, holds, within } from "./check.ts";

/** Points made of the first result: half of them shape the second, half check it. */
const POINTS = 16;
/** Images that a point is marked in, at least and at most. */
const VIEWS = { least: 4, most: 8 } as const;
const SIGMA_M = { horizontal: 0.02, vertical: 0.02 } as const;
/** What check points may be off by, rms (issue 16, Must show 3). */
const MOST_CM = 3;

/**
 * The flight again without its positions, by control points that the first result projected into its images. Compared
 * is our result by control alone with our result by GPS.
 */
export async function controlAlone(
  bench: SurveyBench,
  folder: string,
  byGps: SurveyResult,
  profile: {
    readonly workingWidthPx: number;
    readonly dsmCellGsd: number;
    readonly maxKeypoints: number;
  },
  print: (line: string) => void,
): Promise<readonly Expectation[]> {
  const images = join(bench.dir, "without-positions");
  await copyWithoutPositions(join(folder, "images"), images);
  const { reconstruction: known } = byGps;
  if (known === undefined) return [holds("a result by GPS to make marks of", false)];
  const controlPoints = pointsOf(known, byGps);
  // Its surface is not compared: a coarse one will do.
  const result = await bench.run(images, {
    profile: { ...profile, dsmCellGsd: 8 },
    input: { controlPoints },
  });
  const control = result.reconstruction?.summary.control;
  const [check = Number.NaN, apart = Number.NaN] = [control?.rmsM.check, control?.rmsM.leaveOneOut];
  const focal = result.reconstruction?.lenses[0]?.focalPx ?? Number.NaN;
  print(
    `control alone: ${controlPoints.length} points, ${result.reconstruction?.cameras.length} cameras, checks ` +
      `${(100 * check).toFixed(2)} cm, left out in turn ${(100 * apart).toFixed(2)} cm, f ${focal.toFixed(1)} px ` +
      `(by GPS ${known.lenses[0]?.focalPx.toFixed(1)} px); ${result.findings.map(({ gate }) => gate).join(", ")}`,
  );
  return [
    holds(
      "control alone: 18 of 18 images are oriented",
      result.reconstruction?.cameras.length === 18,
    ),
    holds(
      "control alone: nothing else places it",
      result.reconstruction?.summary.placedBy === "control_points",
    ),
    // Marks are projections to a pixel's fraction: to be equal they would have to be one adjustment.
    within("control alone: check points, rms", 100 * check, 0.01, MOST_CM, "cm"),
  ];
}

/** Tie points that many images see, spread over the block one in each cell of a grid of four by four. */
function pointsOf(known: Reconstruction, { images, origin }: SurveyResult): ControlPoint[] {
  const views = new Int32Array(known.points.length / 3);
  for (const point of known.observations.point) views[point] = (views[point] ?? 0) + 1;
  const places = Array.from(views, (count, i): { place: Vector3; count: number } => {
    const [x = 0, y = 0, z = 0] = known.points.subarray(i * 3, i * 3 + 3);
    return { place: [x, y, z], count };
  }).filter(({ count }) => count >= VIEWS.least);
  const span = ([0, 1] as const).map((axis) => {
    const values = places.map(({ place }) => place[axis]).sort((a, b) => a - b);
    return { from: values[0] ?? 0, to: values.at(-1) ?? 0 };
  });
  const best = new Map<number, (typeof places)[number]>();
  const side = Math.sqrt(POINTS);
  for (const one of places) {
    const [column = 0, row = 0] = span.map(({ from, to }, axis) =>
      Math.min(side - 1, Math.floor(((one.place[axis] ?? 0) - from) / ((to - from) / side))),
    );
    const cell = row * side + column;
    if (one.count > (best.get(cell)?.count ?? 0)) best.set(cell, one);
  }
  const frame = createEnuFrame(origin);
  return [...best].map(([cell, { place }]) => ({
    name: `P${cell}`,
    ...frame.toGeodetic(place),
    sigmaM: SIGMA_M,
    // As on a chessboard.
    isCheck: (Math.floor(cell / side) + cell) % 2 === 1,
    marks: marksOf(known, place, images).slice(0, VIEWS.most),
  }));
}

function marksOf(
  { cameras, lenses }: Reconstruction,
  place: Vector3,
  images: SurveyResult["images"],
) {
  return cameras.flatMap(({ image, lens: index, pose }) => {
    const [lens, file] = [lenses[index], images[image]];
    const pixel = { u: 0, v: 0, depth: 0 };
    if (lens === undefined || file === undefined || !project(lens, pose, place, pixel)) return [];
    const isInside =
      pixel.u >= 0 && pixel.v >= 0 && pixel.u < lens.widthPx && pixel.v < lens.heightPx;
    const toFull = (p: number, full: number, size: number) => ((p + 0.5) * full) / size - 0.5;
    const [u, v] = [
      toFull(pixel.u, file.widthPx, lens.widthPx),
      toFull(pixel.v, file.heightPx, lens.heightPx),
    ];
    return isInside ? [{ image: file.name, u, v }] : [];
  });
}
