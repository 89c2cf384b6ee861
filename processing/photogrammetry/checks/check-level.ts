import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { asPercent, rounded } from "../../numeric/rounding.ts";
import { PLAN_DRIFT_M } from "../orient/precision/straight-positions.ts";
import type { AdjustmentSummary } from "../reconstruction/reconstruction.ts";

const DEGREES = 180 / Math.PI;
/** Gates HEIGHTS_INCONSISTENT, POSITIONS_DRIFT and MODEL_TILTED. */
export function checkLevel(summary: AdjustmentSummary): readonly GateFinding[] {
  return [...checkHeights(summary), ...checkDrift(summary), ...checkTilt(summary)];
}

function checkDrift({ positionDrift, isHeldByControl }: AdjustmentSummary): readonly GateFinding[] {
  // Positions beside control points that hold the block shape nothing.
  if (positionDrift?.isDoubted !== true || isHeldByControl) return [];
  const { eastM, northM } = positionDrift;
  return [
    {
      gate: "POSITIONS_DRIFT",
      severity: "warn",
      value: rounded(Math.hypot(eastM, northM), 1),
      threshold: PLAN_DRIFT_M,
      unit: "m by which the positions in the files drift from the first image to the last",
      advice:
        "The drift was taken off the positions, and the interval of the scale contains what that leaves: use " +
        "ground control points, a measured distance or RTK where it matters.",
      images: [],
    },
  ];
}

function checkHeights({
  heights,
  gpsResidualM,
  isLevelledByGround,
}: AdjustmentSummary): readonly GateFinding[] {
  const finding = (value: number, unit: string, advice: string): readonly GateFinding[] => [
    {
      gate: "HEIGHTS_INCONSISTENT",
      severity: "warn",
      value: rounded(value, 1),
      threshold: LIMITS.gpsVerticalM,
      unit,
      advice,
      images: [],
    },
  ];
  if (heights?.isDoubted) {
    return finding(
      Math.max(Math.abs(heights.driftM), heights.spreadM),
      "m by which the heights in the files drift or scatter",
      isLevelledByGround
        ? "The heights contradict each other and the files hold no attitudes, so the ground was taken to be level " +
            "within 3 degrees: use ground control points, or send the original files with their attitudes."
        : "The heights contradict the attitudes of the camera, so the model was levelled by those and not by the " +
            "heights. Its absolute height is unknown: use ground control points or RTK where it matters.",
    );
  }
  if (gpsResidualM === undefined || gpsResidualM.vertical <= LIMITS.gpsVerticalM) return [];
  return finding(
    gpsResidualM.vertical,
    "m of vertical scatter between positions by tags and by pixels",
    "The heights in the files contradict each other or the pictures; the model may be tilted: use ground " +
      "control points, or send the original files.",
  );
}

function checkTilt(summary: AdjustmentSummary): readonly GateFinding[] {
  // A block that control points hold is as level as they are.
  if (summary.isHeldByControl) return [];
  const finding = (value: number, threshold: number, unit: string): readonly GateFinding[] => [
    {
      gate: "MODEL_TILTED",
      severity: "warn",
      value,
      threshold,
      unit,
      advice:
        "If the site is not that steep, the model is tilted and volumes above a level are wrong: use " +
        "ground control points, or send the original files with their attitudes.",
      images: [],
    },
  ];
  const { expectedNadirShare, nadirShare, groundTiltRad } = summary;
  const lost = expectedNadirShare - nadirShare;
  if (lost > LIMITS.nadirLost) {
    return finding(
      asPercent(lost),
      asPercent(LIMITS.nadirLost),
      "% of the images look down by their attitudes and not in the model",
    );
  }
  const slopeDeg = groundTiltRad * DEGREES;
  return slopeDeg > LIMITS.groundTiltDeg
    ? finding(rounded(slopeDeg, 1), LIMITS.groundTiltDeg, "degrees of slope of the mapped ground")
    : [];
}
