import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Crossing, FenceFix } from "./crossing.ts";
import type { FenceFold } from "./fence-fold.ts";
import type { FenceTimeline } from "./fence-timeline.ts";
import type { Phase, Stay } from "./stay.ts";

/** The straight line from one fix to the next. */
export interface Leg {
  readonly from: FenceFix;
  readonly to: FenceFix;
}

/** A believed fix, and everything needed to evaluate fences for it. */
export interface EvaluationContext {
  readonly fold: FenceFold;
  /** The fold's stay, this fix included. */
  readonly stay: Stay;
  readonly phase: Phase;
  readonly fix: FenceFix;
  /** How the asset came to the fix, where a visit may be inferred from it. */
  readonly legs: readonly Leg[];
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly timeline: FenceTimeline;
  readonly emit: (crossing: Crossing) => void;
}
