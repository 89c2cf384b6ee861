import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { EnuFrame } from "../../geometry/enu.ts";
import type { SurveyImage } from "../../photogrammetry/camera/survey-image.ts";
import type {
  ControlTarget,
  ImageMark,
  ScaleBarTarget,
} from "../../photogrammetry/orient/block/orientation.ts";
import type { ControlPoint, ScaleBar } from "../port/engine.ts";
import { placingPoints } from "../port/placing-points.ts";
import type { SurveyBlock } from "./survey-block.ts";

/**
 * The control points that place a survey whose images have no positions of their own; empty: images have them,
 * or the points do not place them (see {@link placingPoints}).
 */
export function placingControl(
  points: readonly ControlPoint[],
  images: readonly SurveyImage[],
): readonly ControlPoint[] {
  const placed = images.filter(({ position }) => position !== undefined).length;
  if (placed >= LIMITS.positionedShare * images.length) return [];
  return placingPoints(
    points,
    images.map(({ name }) => name),
  );
}

type Marks = readonly { readonly image: string; readonly u: number; readonly v: number }[];

/** Control points in the block's frame and at its working size; marks in other images are left out. */
export function controlTargets(
  points: readonly ControlPoint[],
  block: SurveyBlock,
  frame: EnuFrame,
): readonly ControlTarget[] {
  return points.map((point) => ({
    name: point.name,
    position: frame.toEnu(point),
    sigmaM: point.sigmaM,
    isCheck: point.isCheck,
    marks: workingMarks(point.marks, block),
  }));
}

export function scaleBarTargets(
  bars: readonly ScaleBar[],
  block: SurveyBlock,
): readonly ScaleBarTarget[] {
  return bars.map(({ lengthM, sigmaM, ends: [from, to] }) => ({
    lengthM,
    sigmaM,
    ends: [workingMarks(from.marks, block), workingMarks(to.marks, block)],
  }));
}

function workingMarks(marks: Marks, { images, files }: SurveyBlock): readonly ImageMark[] {
  return marks.flatMap(({ image: name, u, v }) => {
    const image = images.findIndex((one) => one.name === name);
    const full = images[image];
    const file = files[image];
    if (full === undefined || file === undefined) return [];
    // The corner of the image stays where it is, half a pixel beside the middle of pixel 0.
    const scaled = (pixel: number, size: number, fullSize: number) =>
      ((pixel + 0.5) * size) / fullSize - 0.5;
    return [
      {
        image,
        u: scaled(u, file.widthPx, full.widthPx),
        v: scaled(v, file.heightPx, full.heightPx),
      },
    ];
  });
}
