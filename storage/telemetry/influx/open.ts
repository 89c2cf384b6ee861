import type { TelemetryArchive } from "../../ports/telemetry-archive.ts";
import { BatchSender } from "./batch-sender.ts";
import { runInfluxQl, timeLiteral } from "./influxql.ts";
import { LineBatch } from "./line-batch.ts";
import { MEASUREMENT } from "./line-protocol.ts";
import { openLineSender } from "./line-sender.ts";
import { provisionInflux } from "./provision.ts";
import { readInfluxSeries } from "./read-series.ts";
import type { InfluxTarget } from "./target.ts";

/**
 * Longest wait for an answer, ms. A write that is slower than this is sent again. Less repeats work of a
 * busy server; more notices a dead one later.
 */
const TIMEOUTS = { writeMs: 15_000, readMs: 30_000, prepareMs: 15_000 };

/**
 * The archive on an InfluxDB of version 1, 2 or 3. Opening talks to nobody.
 * `retentionDays` undefined: for ever.
 */
export function openInfluxArchive(
  target: InfluxTarget,
  options: {
    readonly retentionDays: number | undefined;
    readonly timeouts?: typeof TIMEOUTS;
    /** Rows of one answer, for tests. */
    readonly pageRows?: number;
  },
): TelemetryArchive {
  const { retentionDays, timeouts = TIMEOUTS, pageRows } = options;
  return {
    name: `InfluxDB ${withoutSecrets(target.url)}, database ${target.database}`,
    prepare: () => provisionInflux(target, { retentionDays, timeoutMs: timeouts.prepareMs }),
    async newestFixTime(sinceMs) {
      const statement =
        `SELECT *::field FROM "${MEASUREMENT}" WHERE time >= ${timeLiteral(Math.floor(sinceMs))} ` +
        "ORDER BY time DESC LIMIT 1";
      const [table] = await runInfluxQl(target, statement, { timeoutMs: timeouts.readMs });
      const newest = table?.values[0]?.[0];
      return typeof newest === "number" ? newest : undefined;
    },
    openLane() {
      const sender = openLineSender(target, { timeoutMs: timeouts.writeMs });
      const delivery = new BatchSender(sender);
      return {
        openBatch: () => new LineBatch(),
        send: (batch) => {
          if (batch instanceof LineBatch) return delivery.send(batch);
          throw new TypeError("a batch of another archive");
        },
        close: () => sender.close(),
      };
    },
    read: (query) =>
      readInfluxSeries(target, query, {
        timeoutMs: timeouts.readMs,
        ...(pageRows === undefined ? {} : { pageRows }),
      }),
  };
}

/** User and password may be part of a URL. */
function withoutSecrets(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
