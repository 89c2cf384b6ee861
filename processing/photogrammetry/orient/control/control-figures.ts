import { minus, type Vector3 } from "../../../geometry/rotation.ts";
import type { ControlFigures, ControlPointFigures } from "../../reconstruction/reconstruction.ts";
import { locate, misfitPx } from "../block/marked-points.ts";
import type { ControlTarget } from "../block/orientation.ts";
import type { SettledBlock } from "../block/settle-block.ts";
import type { ControlUse } from "./controlled-block.ts";

/** What an adjusted block says of each control point and mark. */
export function controlFigures(
  { block, outcome }: SettledBlock,
  { given, used, leaveOneOutM, fitRmsM, isContradicted, markScale }: ControlUse,
): ControlFigures {
  const { state } = outcome.problem;
  const usedByName = new Map(used.map((target) => [target.name, target]));
  const points = given.map((target): ControlPointFigures => {
    const inUse = usedByName.get(target.name);
    const isUsed = (image: number) => inUse?.marks.some((mark) => mark.image === image) ?? false;
    const shown = target.marks.filter(({ image }) => (block.cameraOfImage[image] ?? -1) >= 0);
    const counted = inUse === undefined ? shown : shown.filter(({ image }) => isUsed(image));
    const place = locate(block, state, counted);
    return {
      name: target.name,
      use: useOf(target, inUse),
      errorM: place && minus(place, target.position),
      leaveOneOutM: leaveOneOutM.get(target.name),
      marks: shown.map((mark) => ({
        image: mark.image,
        offPx: misfitPx(block, state, target.position, mark) ?? Number.NaN,
        isUsed: isUsed(mark.image),
      })),
    };
  });
  return {
    points,
    rmsM: {
      used: rmsOf(points.flatMap(({ use, errorM }) => (use === "used" && errorM ? [errorM] : []))),
      check: rmsOf(
        points.flatMap(({ use, errorM }) => (use === "check" && errorM ? [errorM] : [])),
      ),
      leaveOneOut: rmsOf([...leaveOneOutM.values()]),
      fit: Number.isFinite(fitRmsM) ? fitRmsM : undefined,
    },
    sigmaM: used.length === 0 ? undefined : meanSigma(used),
    declaredM: meanSigma(given),
    isContradicted,
    markScale,
  };
}

function useOf(
  { isCheck }: ControlTarget,
  inUse: ControlTarget | undefined,
): ControlPointFigures["use"] {
  if (isCheck) return "check";
  return inUse === undefined ? "left_out" : "used";
}

function meanSigma(targets: readonly ControlTarget[]) {
  const mean = (pick: (target: ControlTarget) => number) =>
    Math.sqrt(targets.reduce((sum, target) => sum + pick(target) ** 2, 0) / targets.length);
  return {
    horizontal: mean(({ sigmaM }) => sigmaM.horizontal),
    vertical: mean(({ sigmaM }) => sigmaM.vertical),
  };
}

function rmsOf(errors: readonly Vector3[]): number | undefined {
  if (errors.length === 0) return undefined;
  return Math.sqrt(
    errors.reduce((sum, error) => sum + Math.hypot(...error) ** 2, 0) / errors.length,
  );
}
