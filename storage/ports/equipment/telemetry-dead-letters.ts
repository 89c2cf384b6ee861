import type { AssetId, ProjectId } from "../../../domain/ids.ts";

/** A point that the archive refuses for good, as it was sent. */
export interface TelemetryDeadLetter {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly fixTimeMs: number;
  /** In line protocol. */
  readonly line: string;
  readonly reason: string;
  readonly refusedAtMs: number;
}

export interface TelemetryDeadLetters {
  /** Keeps them; a line that is there stays as it is. */
  add(letters: readonly TelemetryDeadLetter[]): Promise<void>;
  /** Newest first. */
  list(limit: number): Promise<readonly TelemetryDeadLetter[]>;
  /** Deletes a bounded number refused before `beforeMs`; yields whether more are left. */
  expire(beforeMs: number): Promise<boolean>;
}
