/** Part of a data folder. */
export type CheckedStore =
  | "journal"
  | "records"
  | "telemetry"
  | "secret"
  | "node"
  | "processing"
  | "files";

/** A file that is not as it was written. */
export interface Finding {
  readonly store: CheckedStore;
  /** Path below the data folder. */
  readonly file: string;
  readonly problem: string;
  /** What is in it, as far as that is still known. */
  readonly holds: string;
  /** What it can be rebuilt from; empty: from nothing available. */
  readonly sources: readonly string[];
}

/** Receives the steps of a check or a repair while it goes on. */
export type OnStep = (step: string) => void;

/** Words for a span of time, ms since the Unix epoch. */
export function spanText(fromMs: number, toMs: number): string {
  return `${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}`;
}
