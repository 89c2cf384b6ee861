import type { AssetIntake } from "./readings/asset-intake.ts";
import type { Meaning } from "./readings/conversation.ts";
import type { IntakeCounters } from "./readings/counters.ts";

/** A record for the journal. */
export interface JournalBody {
  readonly kind: number;
  readonly body: Uint8Array;
}

/** Most messages have one record; they share it. */
export const NO_MORE: readonly JournalBody[] = [];

/** What to do with a message, and what to count once that is done. One shape for all: every message has one. */
export interface Decision {
  readonly kind: number;
  /** The journal record; `undefined`: nothing of the message is kept. */
  readonly body: Uint8Array | undefined;
  /** Records that go before it; the message is durable when all are. */
  readonly more: readonly JournalBody[];
  /** What the rate of `payer` is charged with, in readings. */
  readonly cost: number;
  /** `undefined`: the asset of the session. */
  readonly payer: AssetIntake | undefined;
  readonly readings: number;
  readonly notices: number;
  /** Parts that are understood and not kept. */
  readonly ignored: number;
  /** As what it is counted when it could not be read. */
  readonly quarantined: keyof IntakeCounters | undefined;
  /** Why it could not be read, for people. */
  readonly reason: string | undefined;
  /** What is remarkable about its readings, a line each; `undefined`: nothing. */
  readonly remarks: readonly string[] | undefined;
  /** Newest fix time of its readings, ms since the Unix epoch; `undefined`: it has none. */
  readonly newestFixMs: number | undefined;
  /** What follows from it beside its records, where it belongs to a conversation. */
  readonly meaning: Meaning | undefined;
}

/** Whether anything of the message is kept. */
export const isKept = (decision: Decision): decision is Decision & JournalBody =>
  decision.body !== undefined;

/** Newest fix time of readings, ms since the Unix epoch; `undefined` for none. */
export function newestFix(readings: readonly { readonly fixTimeMs: number }[]): number | undefined {
  let newest: number | undefined;
  for (const { fixTimeMs } of readings) {
    if (newest === undefined || fixTimeMs > newest) newest = fixTimeMs;
  }
  return newest;
}

/** The decision with only those of its records; there is at least one. */
export function withOnly(decision: Decision, records: readonly JournalBody[]): Decision {
  const last = records.at(-1);
  if (last === undefined) return decision;
  const { kind, body } = last;
  return { ...decision, kind, body, more: records.slice(0, -1) };
}
