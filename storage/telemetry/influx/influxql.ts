import { Type } from "typebox";
import { Check } from "typebox/value";
import { DomainError } from "../../../domain/errors.ts";
import { callInflux } from "./http.ts";
import { type InfluxTarget, RETENTION_POLICY } from "./target.ts";

/** One table of an answer; the first column of a SELECT is `time`, in ms. */
export interface InfluxTable {
  readonly columns: readonly string[];
  readonly values: readonly (readonly unknown[])[];
}

const Answer = Type.Object({
  error: Type.Optional(Type.String()),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        error: Type.Optional(Type.String()),
        series: Type.Optional(
          Type.Array(
            Type.Object({
              columns: Type.Array(Type.String()),
              values: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
            }),
          ),
        ),
      }),
    ),
  ),
});

/**
 * Runs one InfluxQL statement at `/query`, which versions 1, 2 and 3 share; `params` are bound to the
 * `$names` in it.
 * @throws DomainError `STORE_UNAVAILABLE` when InfluxDB is away or refuses.
 */
export async function runInfluxQl(
  target: InfluxTarget,
  statement: string,
  options: {
    readonly timeoutMs: number;
    readonly params?: Readonly<Record<string, string>>;
    /** Statements that change something must be posted. */
    readonly method?: "GET" | "POST";
  },
): Promise<readonly InfluxTable[]> {
  const { params = {}, timeoutMs, method = "GET" } = options;
  const query = new URLSearchParams({
    db: target.database,
    q: statement,
    epoch: "ms",
    params: JSON.stringify(params),
  });
  if (method === "GET" && target.dialect === "v1") query.set("rp", RETENTION_POLICY);
  const { status, json, text } = await callInflux(target, `/query?${query}`, { method, timeoutMs });
  const answer = Check(Answer, json) ? json : undefined;
  const error =
    answer?.error ??
    answer?.results?.find((result) => result.error !== undefined)?.error ??
    (status === 200 && answer !== undefined ? undefined : text.slice(0, 500));
  if (error !== undefined) {
    throw new DomainError("STORE_UNAVAILABLE", `InfluxDB answered ${status}: ${error}`);
  }
  return (answer?.results ?? []).flatMap(({ series = [] }) =>
    series.map(({ columns, values = [] }) => ({ columns, values })),
  );
}

/** InfluxDB's times are 64-bit nanoseconds: 1677-09-21 to 2262-04-11. */
const MIN_TIME_MS = -9_223_372_036_854;
const MAX_TIME_MS = 9_223_372_036_854;

/** A time in InfluxQL's integer ms; bounds beyond what InfluxDB can hold are brought to its own. */
export function timeLiteral(ms: number): string {
  return `${Math.min(Math.max(ms, MIN_TIME_MS), MAX_TIME_MS)}ms`;
}
