import type { components } from "../../client/index.ts";
import type { Span } from "../time/span.ts";

type Row = components["schemas"]["Telemetry"]["data"][number];

/** Rows that one answer has at most. */
export const MOST_ROWS = 1_000;
/** Shortest row, s: devices report every few seconds, some every minute. */
const SHORTEST_S = 60;

/** Length of a row, s, with which a whole range is one answer. */
export const rowSeconds = ({ fromMs, toMs }: Span): number =>
  Math.max(SHORTEST_S, Math.ceil((toMs - fromMs) / 1_000 / (MOST_ROWS - 2)));

/** For how long the engine was on, as far as readings say it. */
interface EngineTime {
  readonly onMs: number;
  /** Share of the range with readings of the engine, percent. */
  readonly seenPercent: number;
}

/**
 * Adds up the share of readings with the engine on, row by row. Rows without a reading count neither as on nor as off;
 * `undefined` where no reading says anything of the engine.
 */
export function engineTime(
  rows: readonly Row[],
  { fromMs, toMs }: Span,
  rowMs: number,
): EngineTime | undefined {
  const seen = rows.filter((row) => row["engine_on"] !== undefined);
  if (seen.length === 0) return undefined;
  const onMs = seen.reduce((sum, row) => sum + Number(row["engine_on"]) * rowMs, 0);
  const seenPercent = Math.min(100, (100 * seen.length * rowMs) / (toMs - fromMs));
  return { onMs, seenPercent };
}

/** The means of a field, each in the middle of its row. */
export function samplesOf(
  rows: readonly Row[],
  field: string,
  rowMs: number,
): readonly { readonly ms: number; readonly value: number }[] {
  return rows.flatMap((row) => {
    const value = row[field];
    return typeof value === "number" ? [{ ms: Date.parse(row.timestamp) + rowMs / 2, value }] : [];
  });
}
