import type { AssetId, ProjectId } from "../../../domain/ids.ts";

/** A message that could not be decoded, kept for a person to check and to replay. */
export interface QuarantineEntry {
  /** `{journalId}-{sequence}`: a replay of the journal stores it once. */
  readonly id: string;
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly receivedAtMs: number;
  readonly topic: string;
  readonly format: string;
  readonly reason: string;
  readonly payload: Uint8Array;
  readonly replayedAtMs: number | undefined;
}

export interface QuarantinePage {
  readonly entries: readonly QuarantineEntry[];
  readonly total: number;
  /** Messages counted but not kept (more than 1,000 per asset and day). */
  readonly dropped: number;
}

export interface QuarantineRecords {
  /** Newest first. `projectIds` absent: all projects. */
  list(filter: {
    readonly assetId?: AssetId;
    readonly projectIds?: readonly ProjectId[];
    /** From its other end. */
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<QuarantinePage>;
  find(id: string): Promise<QuarantineEntry | undefined>;
  /** Ends a request for it, too. @throws DomainError `QUARANTINE_NOT_FOUND`. */
  markReplayed(id: string, atMs: number): Promise<void>;
  /** Asks a process with a journal to replay a message. @throws DomainError `QUARANTINE_NOT_FOUND`. */
  requestReplay(id: string, atMs: number): Promise<void>;
  /** Messages whose replay was asked for and is yet to be done, oldest request first. */
  requestedReplays(limit: number): Promise<readonly QuarantineEntry[]>;
  /** Ends a request that cannot be met. */
  dropReplayRequest(id: string): Promise<void>;
  /**
   * Deletes a bounded number of messages received before `beforeMs`, with the counts of days that
   * ended before, and yields whether more are left.
   */
  expire(beforeMs: number): Promise<boolean>;
}
