import { join } from "node:path";
import { DAY_MS } from "../../domain/time.ts";
import type { JournalPosition } from "../ports/journal.ts";
import { migrate } from "../records/migrate.ts";
import { openPglite } from "../records/pglite/open.ts";
import { openEmbeddedTelemetryStore } from "../telemetry/embedded/open.ts";
import { PART_MS } from "./copy-telemetry.ts";
import { listTables, quoted } from "./tables.ts";

/** How much a migration would copy. */
export interface CopyCounts {
  readonly tables: number;
  readonly rows: number;
  readonly assets: number;
  readonly points: number;
  /** The journal's place up to which the telemetry is complete. */
  readonly position: JournalPosition | undefined;
}

/** Counts what the embedded stores of a data folder hold, without points that are about to expire. */
export async function countCopies(
  dataDir: string,
  options: {
    readonly hasRecords: boolean;
    readonly retentionDays: number;
    readonly nowMs: number;
    readonly signal: AbortSignal;
  },
): Promise<CopyCounts> {
  const { hasRecords, retentionDays, nowMs, signal } = options;
  const { tables, rows } = hasRecords ? { tables: 0, rows: 0 } : await countRows(dataDir);
  const store = await openEmbeddedTelemetryStore({ dir: join(dataDir, "telemetry") });
  try {
    const { durablePosition: position } = store;
    const assetIds = store.assetIds();
    const span = store.timeSpan() ?? { fromMs: 0, toMs: 0 };
    const cutoffMs = nowMs - (retentionDays - 1) * DAY_MS;
    let points = 0;
    for (const assetId of assetIds) {
      for (let fromMs = Math.max(span.fromMs, cutoffMs); fromMs < span.toMs; fromMs += PART_MS) {
        signal.throwIfAborted();
        const toMs = Math.min(fromMs + PART_MS, span.toMs);
        points += (await store.export({ assetId, fromMs, toMs })).length;
      }
    }
    return { tables, rows, assets: assetIds.length, points, position };
  } finally {
    await store.close();
  }
}

async function countRows(
  dataDir: string,
): Promise<{ readonly tables: number; readonly rows: number }> {
  const records = await openPglite(join(dataDir, "records"));
  try {
    await migrate(records);
    const tables = await listTables(records);
    let rows = 0;
    for (const { name } of tables) {
      const [found] = await records.query<{ rows: number }>(
        `SELECT count(*)::int AS rows FROM ${quoted(name)}`,
      );
      rows += found?.rows ?? 0;
    }
    return { tables: tables.length, rows };
  } finally {
    await records.close();
  }
}
