import { join } from "node:path";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { JournalPosition } from "../ports/journal.ts";
import type { TelemetryArchive } from "../ports/telemetry-archive.ts";
import type { Series, TelemetryPoint } from "../ports/telemetry-store.ts";
import { openEmbeddedTelemetryStore } from "../telemetry/embedded/open.ts";
import { noteWholeArchive } from "../telemetry/tiered/tier-start.ts";
import type { MigrationStep } from "./migrate-data.ts";

/**
 * What a process with a journal of its own answers from its own store, days back, and one more for the time until
 * it starts. More is copied for nothing; less would be missing in its answers.
 */
const LOCAL_DAYS = 5;
/** Days ahead of now: clocks of devices may be. */
const AHEAD_DAYS = 1;
/** Points of one write. */
const BATCH_POINTS = 5_000;

/**
 * Copies the newest days from the archive into the telemetry store of a data folder, which stands there as complete
 * up to `position`. Copying something twice changes nothing.
 * @throws DomainError `STORE_UNAVAILABLE`, `STORE_LOCKED`.
 */
export async function fillLocalTelemetry(options: {
  readonly dataDir: string;
  readonly archive: Pick<TelemetryArchive, "read">;
  /** Assets with the project that each is in. */
  readonly assets: ReadonlyMap<AssetId, ProjectId>;
  readonly position: JournalPosition;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly onStep: (step: MigrationStep) => void;
}): Promise<number> {
  const { dataDir, archive, assets, position, nowMs, signal, onStep } = options;
  const store = await openEmbeddedTelemetryStore({ dir: join(dataDir, "telemetry") });
  let items = 0;
  let done = 0;
  const total = assets.size * (LOCAL_DAYS + AHEAD_DAYS);
  try {
    for (const [assetId, projectId] of assets) {
      for (let day = -LOCAL_DAYS; day < AHEAD_DAYS; day += 1) {
        signal.throwIfAborted();
        const fromMs = nowMs + day * DAY_MS;
        const series = await archive.read({ assetId, fromMs, toMs: fromMs + DAY_MS });
        const points = pointsIn(series, assetId, projectId);
        for (let i = 0; i < points.length; i += BATCH_POINTS) {
          await store.write(points.slice(i, i + BATCH_POINTS), position);
        }
        items += points.length;
        done += 1;
        onStep({ phase: "telemetry", done, total, items });
      }
    }
    await store.write([], position);
    await store.flush();
    await noteWholeArchive(dataDir);
    return items;
  } finally {
    await store.close();
  }
}

/** Rows as points that yield to any other of their time: the archive keeps no precedence. */
function pointsIn(series: Series, assetId: AssetId, projectId: ProjectId): TelemetryPoint[] {
  const columns = [...series.columns];
  return Array.from(series.timesMs, (fixTimeMs, row) => {
    const fields: Record<string, number> = {};
    for (const [name, values] of columns) {
      const value = values[row];
      if (value !== undefined && !Number.isNaN(value)) fields[name] = value;
    }
    return { assetId, projectId, fixTimeMs, seq: -1, payloadHash: 0, fields };
  });
}
