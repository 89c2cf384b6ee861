import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Crossing, FenceFix } from "./crossing.ts";
import type { FenceFold } from "./fence-fold.ts";
import type { FenceTimeline } from "./fence-timeline.ts";
import type { Phase, Stand } from "./stand.ts";

/** The straight way from one fix to the next. */
export interface Way {
  readonly from: FenceFix;
  readonly to: FenceFix;
}

/** A believed fix, and everything it is judged by. */
export interface JudgeContext {
  readonly fold: FenceFold;
  /** The fold's stand, this fix included. */
  readonly stand: Stand;
  readonly phase: Phase;
  readonly fix: FenceFix;
  /** How the asset came to the fix, where a visit may be inferred from it. */
  readonly ways: readonly Way[];
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly timeline: FenceTimeline;
  readonly emit: (crossing: Crossing) => void;
}
