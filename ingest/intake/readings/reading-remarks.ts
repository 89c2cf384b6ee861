import type {
  DecodedReading,
  DeviceNotice,
  ReadingRemark,
} from "../../../domain/equipment/reading.ts";
import { remarkText } from "../../../domain/equipment/remark-text.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { isPossibleTime } from "./clock.ts";
import type { IntakeCounters } from "./counters.ts";

/** How long the same remark is not repeated as an event, ms. Shorter fills `/events` with what is known. */
const REPEAT_MS = DAY_MS;
/** Remarks of an asset that are events in 24 h; a device that makes up names gets no events for more of them. */
const MAX_REMEMBERED = 256;
/** Remarks of one message that become events or are shown; more would not help. */
const MAX_OF_MESSAGE = 16;

/** What is to be said about the readings of one message. */
export interface MessageRemarks {
  /** One line for each, different; `undefined`: nothing. */
  readonly lines: readonly string[] | undefined;
  /** For those that were not reported in the last 24 h. */
  readonly notices: readonly DeviceNotice[];
}

const NOTHING: MessageRemarks = { lines: undefined, notices: [] };

/** Which remarks on an asset's readings were reported, since the start of the process. */
export class ReportedRemarks {
  #reportedMs: Map<string, number> | undefined;

  /** Whether the remark is to be reported now; then it is not again for 24 h. `nowMs`: ms since the Unix epoch. */
  report(remark: ReadingRemark, nowMs: number): boolean {
    this.#reportedMs ??= new Map();
    const key = keyOf(remark);
    const beforeMs = this.#reportedMs.get(key);
    if (beforeMs !== undefined && nowMs - beforeMs < REPEAT_MS) return false;
    if (beforeMs === undefined && !hasRoom(this.#reportedMs, nowMs)) return false;
    // Behind the others, so that the oldest is first.
    this.#reportedMs.delete(key);
    this.#reportedMs.set(key, nowMs);
    return true;
  }

  /** A message whose notices could not be kept: all are to be reported again. */
  forget(): void {
    this.#reportedMs = undefined;
  }
}

/** Whether one more may be remembered, in place of the oldest where that may be reported again anyway. */
function hasRoom(reportedMs: Map<string, number>, nowMs: number): boolean {
  if (reportedMs.size < MAX_REMEMBERED) return true;
  for (const [oldest, atMs] of reportedMs) {
    if (nowMs - atMs < REPEAT_MS) return false;
    reportedMs.delete(oldest);
    return true;
  }
  return true;
}

/**
 * Gathers and counts the remarks on the readings of one message, and on times that cannot be true. `nowMs`: when
 * it came, ms since the Unix epoch; `retentionMs`: how long readings are kept.
 */
export function messageRemarks(
  readings: readonly DecodedReading[],
  reported: ReportedRemarks | undefined,
  nowMs: number,
  retentionMs: number,
  counters: IntakeCounters,
): MessageRemarks {
  let different: Map<string, ReadingRemark> | undefined;
  const note = (remark: ReadingRemark): void => {
    count(remark, counters);
    const key = keyOf(remark);
    different ??= new Map();
    if (different.size < MAX_OF_MESSAGE && !different.has(key)) different.set(key, remark);
  };
  for (const { remarks, deviceTimeMs } of readings) {
    if (deviceTimeMs !== undefined && !isPossibleTime(deviceTimeMs, nowMs, retentionMs)) {
      note(impossibleTime(deviceTimeMs, nowMs, retentionMs));
    }
    if (remarks !== undefined) for (const remark of remarks) note(remark);
  }
  if (different === undefined) return NOTHING;
  const all = [...different.values()];
  const fresh = all.filter((remark) => reported === undefined || reported.report(remark, nowMs));
  return { lines: all.map(remarkText), notices: fresh.map(noticeOf) };
}

/** The device's own notices, and those about its readings. */
export const withRemarks = (
  decoded: readonly DeviceNotice[],
  { notices }: MessageRemarks,
): readonly DeviceNotice[] => (notices.length === 0 ? decoded : [...decoded, ...notices]);

function count({ kind, value }: ReadingRemark, counters: IntakeCounters): void {
  if (kind === "suspect_value") counters.suspect_values += 1;
  else if (kind === "near_miss") counters.near_miss_names += 1;
  else counters.fields_left_out += Number(value);
}

/**
 * Why the time of receipt replaces the time of a reading. The unit it is probably in is named, but never
 * applied.
 */
function impossibleTime(timeMs: number, nowMs: number, retentionMs: number): ReadingRemark {
  const isPossible = (ms: number) => isPossibleTime(ms, nowMs, retentionMs);
  const why = isPossible(timeMs * 1_000)
    ? "seconds in place of milliseconds"
    : isPossible(timeMs / 1_000)
      ? "a thousand times a possible time, so that its unit is another"
      : timeMs > nowMs
        ? "ahead of the server's clock"
        : "older than readings are kept";
  const problem = `${why}; the time of receipt is used`;
  return { kind: "suspect_value", name: "timestamp", value: timeMs, problem };
}

const keyOf = ({ kind, name }: ReadingRemark): string => `${kind} ${name}`;

function noticeOf({ kind, name, value, problem }: ReadingRemark): DeviceNotice {
  const data = { name, value, problem };
  return { kind, timeMs: undefined, data };
}
