import type { ControlFigures } from "./reconstruction.ts";

/**
 * The outcome of control points, as a sentence for the answer: those held back are reported whether they fit
 * or not.
 */
export function controlText({ points, rmsM, isContradicted }: ControlFigures): string {
  const count = (use: string) => points.filter((point) => point.use === use).length;
  const [used, checks, leftOut] = [count("used"), count("check"), count("left_out")];
  const parts = [
    `${used} used${isContradicted ? ", for they do not fit the images" : ""}`,
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
    ...(checks > 0 ? [`${checks} held back as checks (${metres(rmsM.check)} rms)`] : []),
    ...(rmsM.leaveOneOut === undefined
      ? []
      : [`the used ones left out in turn are off by ${metres(rmsM.leaveOneOut)} rms`]),
  ];
  return `Control points: ${parts.join(", ")}.`;
}

function metres(value: number | undefined): string {
  return value === undefined ? "not located" : `${value.toFixed(3)} m`;
}
