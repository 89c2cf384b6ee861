import { pino } from "pino";
import { readSettings } from "../../../config/settings.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { startIngest } from "../../../roles/ingest.ts";
import { createClosers } from "../../../roles/process/closers.ts";
import { createStart, openCommon } from "../../../roles/process/common.ts";
import type { Damage } from "../../../storage/check/damage-log.ts";
import { explainDamage } from "../../../storage/check/found-damage.ts";
import { openStores } from "../../../storage/open.ts";
import { until } from "../../support/until.ts";

/** Assets of the site. */
export const IDS = ["truck-1", "truck-2"] as const;

/** What a folder answers, in a form that can be compared. */
export interface StoredTruth {
  /** Field `number` of the stored rows of each asset, ascending. */
  readonly numbers: Readonly<Record<string, readonly number[]>>;
  /** Ids of assets, keys, fences and events, each sorted. */
  readonly assets: readonly string[];
  readonly keys: readonly string[];
  readonly fences: readonly string[];
  readonly events: readonly string[];
  readonly quarantined: readonly string[];
}

/** The stores of a folder with the readers of its journal, as the service starts them, without the API. */
export interface RunningStores {
  readonly damage: readonly Damage[];
  /** Waits for the readers of the journal, then reads everything. */
  truth(): Promise<StoredTruth>;
  close(): Promise<void>;
}

/** Starts what the service starts first. @throws as the service does, with the line that it would say. */
export async function startStores(dataDir: string): Promise<RunningStores> {
  const settings = readSettings({ DATA_DIR: dataDir, MQTT_HOST: "127.0.0.1", MQTT_PORT: "0" });
  const closers = createClosers();
  const start = await createStart(settings, pino({ level: "silent" }), closers);
  try {
    const stores = await openStores(settings, start.disk, start.damage);
    closers.push(() => stores.close());
    const common = await openCommon(start, stores.records);
    await startIngest(start, common, stores);
    const { records, telemetry } = stores;
    const lag = async () => {
      const values = (await start.metrics.getSingleMetric("plumbline_journal_lag_records")?.get())
        ?.values;
      return Math.max(0, ...(values ?? []).map(({ value }) => value));
    };
    return {
      damage: start.damage.list(),
      async truth() {
        await until(
          "the readers of the journal have no lag",
          async () => (await lag()) === 0,
          60_000,
        );
        const numbers: Record<string, readonly number[]> = {};
        for (const id of IDS) {
          const query = { assetId: id as AssetId, fromMs: 0, toMs: Date.now() + 3_600_000 };
          const { columns } = await telemetry.read(query);
          numbers[id] = [...(columns.get("number") ?? [])].filter(
            (number) => !Number.isNaN(number),
          );
        }
        const { rows } = await records.assets.changesSince(0);
        const fences = await records.geofences.changesSince(0);
        const page = await records.quarantine.list({ limit: 100, offset: 0 });
        const events = await records.events.after(0, { limit: 10_000 });
        return {
          numbers,
          assets: rows.map(({ asset }) => asset.id).sort(),
          keys: (await records.apiKeys.list()).map(({ name }) => name).sort(),
          fences: fences.rows.map(({ geofenceId }) => geofenceId).sort(),
          events: events
            .filter(({ type }) => type.startsWith("equipment."))
            .map(({ id, revision }) => `${id}.${revision}`)
            .sort(),
          quarantined: page.entries.map(({ id }) => id).sort(),
        };
      },
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close().catch(() => undefined);
    throw explainDamage(settings, error);
  }
}
