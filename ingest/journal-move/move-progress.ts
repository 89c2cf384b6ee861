import type { MigrationStep } from "../../storage/migration/migrate-data.ts";

/** How a move is watched and stopped. */
export interface MoveProgress {
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly onStep: (step: MigrationStep) => void;
}

/** What moved. */
export interface Moved {
  /** Messages and what else concerns one asset; not what concerns all. */
  readonly records: number;
  /** Whether an earlier run had begun. */
  readonly isResumed: boolean;
}
