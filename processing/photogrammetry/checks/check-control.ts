import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { rounded } from "../../numeric/rounding.ts";
import type {
  ControlFigures,
  ControlPointFigures,
  Reconstruction,
} from "../reconstruction/reconstruction.ts";

/** Gates CONTROL_INCONSISTENT, CONTROL_LEFT_OUT and CONTROL_RESIZED. @param names of the images */
export function checkControl(
  { summary: { control }, cameras, lenses }: Reconstruction,
  names: readonly string[],
  fullWidthPx: readonly number[],
): readonly GateFinding[] {
  if (control === undefined) return [];
  const [camera] = cameras;
  const workingPx = lenses[camera?.lens ?? 0]?.widthPx ?? 1;
  const toFull = (fullWidthPx[camera?.image ?? 0] ?? workingPx) / workingPx;
  return [
    ...checkFit(control),
    ...checkLeftOut(control, names, toFull),
    ...checkSize(control, fullWidthPx[camera?.image ?? 0] ?? 0),
  ];
}

/** The finding of control points that fit no block, where nothing else places it. */
export function contradictedControl(rmsM: number): GateFinding {
  return {
    gate: "CONTROL_INCONSISTENT",
    severity: "reject",
    value: Number.isFinite(rmsM) ? rounded(rmsM, 2) : 0,
    threshold: Number.isFinite(rmsM) ? LIMITS.controlLeastM : LIMITS.controlPoints,
    unit: Number.isFinite(rmsM)
      ? "m rms between control points and the block of the pictures"
      : "control points that the pictures place",
    advice: FIT_ADVICE,
    images: [],
  };
}

const FIT_ADVICE =
  "Check that easting comes before northing, the coordinate system, and that pixels are those of the files " +
  "sent (column, row), from the upper left corner.";

function checkFit({
  rmsM,
  sigmaM,
  declaredM,
  isContradicted,
  points,
}: ControlFigures): readonly GateFinding[] {
  const thresholdM = Math.max(LIMITS.controlSigmas * inSpace(declaredM), LIMITS.controlLeastM);
  const measures = isContradicted
    ? [{ value: rmsM.fit ?? Number.NaN, unit: "m rms of the control points" }]
    : [
        { value: rmsM.check ?? 0, unit: "m rms of the check points" },
        {
          value: sigmaM === undefined ? 0 : inSpace(sigmaM),
          unit: "m standard deviation of the control points, by their residuals",
        },
        // One or two points are never left out in turn.
        { value: rmsM.used ?? 0, unit: "m rms of the control points" },
      ];
  const [worst] = measures.sort((p, q) => q.value - p.value);
  if (worst === undefined || (!isContradicted && worst.value <= thresholdM)) return [];
  return [
    {
      gate: "CONTROL_INCONSISTENT",
      severity: "warn",
      value: rounded(Number.isFinite(worst.value) ? worst.value : 0, 3),
      threshold: rounded(thresholdM, 3),
      unit: worst.unit,
      advice: isContradicted
        ? `${contradiction(points)}, and none was used. ${FIT_ADVICE}`
        : "The control points contradict each other by more than their stated standard deviation. They were " +
          "believed as far as they agree, and scale and volumes carry that. Check the coordinates and marks " +
          "with the largest residuals in the report.",
      images: [],
    },
  ];
}

/** One or two points are compared with the positions, more with each other through the block. */
function contradiction(points: ControlFigures["points"]): string {
  const count = points.filter(({ use }) => use !== "check").length;
  return count < LIMITS.controlPoints
    ? "The control points contradict the positions in the files"
    : `No three or more of the ${count} control points fit the block`;
}

function inSpace({ horizontal, vertical }: { horizontal: number; vertical: number }): number {
  return Math.hypot(Math.SQRT2 * horizontal, vertical);
}

function checkLeftOut(
  { points, isContradicted }: ControlFigures,
  names: readonly string[],
  toFull: number,
): readonly GateFinding[] {
  if (isContradicted) return [];
  const outside = points.filter(({ use }) => use === "left_out");
  const marks = points
    .filter(({ use }) => use === "used")
    .flatMap(({ name, marks: of }) =>
      of.filter(({ isUsed }) => !isUsed).map((mark) => ({ name, ...mark })),
    );
  if (outside.length + marks.length === 0) return [];
  const unused = [
    ...outside.map((point) => `point "${point.name}" (${distanceText(point, toFull)})`),
    ...marks.map(
      ({ name, image, offPx }) =>
        `the mark of "${name}" in ${names[image] ?? ""} (${Math.round(offPx * toFull)} px off)`,
    ),
  ];
  const more = unused.length > MOST_LISTED ? ` and ${unused.length - MOST_LISTED} more` : "";
  return [
    {
      gate: "CONTROL_LEFT_OUT",
      severity: "warn",
      value: unused.length,
      threshold: 0,
      unit: "control points or marks that do not fit the others",
      advice: `Not used: ${unused.slice(0, MOST_LISTED).join(", ")}${more}. Correct them, or remove them.`,
      images: [...new Set(marks.map(({ image }) => names[image] ?? ""))],
    },
  ];
}

/** Points and marks that a finding names; the report lists all. */
const MOST_LISTED = 8;

function distanceText({ errorM, marks }: ControlPointFigures, toFull: number): string {
  if (errorM !== undefined) return `${rounded(Math.hypot(...errorM), 2)} m off`;
  const farthest = Math.max(0, ...marks.map(({ offPx }) => offPx));
  if (marks.length === 0) return "no image of the block shows it";
  return Number.isFinite(farthest) ? `${Math.round(farthest * toFull)} px off` : "behind a camera";
}

function checkSize({ markScale }: ControlFigures, fullPx: number): readonly GateFinding[] {
  if (markScale === 1) return [];
  return [
    {
      gate: "CONTROL_RESIZED",
      severity: "warn",
      value: Math.round(fullPx / markScale),
      threshold: fullPx,
      unit: "px of width of the pictures that were marked",
      advice:
        "The marks fit only as pixels of pictures of another size, and were taken so. Send marks in pixels of the " +
        "files sent.",
      images: [],
    },
  ];
}
