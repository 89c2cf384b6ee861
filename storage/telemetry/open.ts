import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import type { TelemetryArchive } from "../ports/telemetry-archive.ts";
import { type EmbeddedTelemetryOptions, openEmbeddedTelemetryStore } from "./embedded/open.ts";
import { openInfluxArchive } from "./influx/open.ts";
import { type InfluxSettings, influxTarget } from "./influx/target.ts";
import { createTieredStore, type TieredTelemetryStore } from "./tiered/store.ts";
import { forgetTierStart, readTierStart } from "./tiered/tier-start.ts";

/** What the telemetry stores need of the settings. */
export type TelemetrySettings = InfluxSettings & Pick<Settings, "dataDir" | "retentionDays">;

type EmbeddedStore = Awaited<ReturnType<typeof openEmbeddedTelemetryStore>>;

/** The telemetry stores of a process that takes messages in. */
export interface OpenedTelemetry {
  /** The store of this machine alone. */
  readonly local: EmbeddedStore;
  /** With `INFLUX_URL`: the archive, and the store over both. */
  readonly tier:
    | { readonly archive: TelemetryArchive; readonly store: TieredTelemetryStore }
    | undefined;
}

/**
 * `onDamage` gets every damaged file of the local store. Whether the archive is there is not checked.
 * @throws DomainError as `openEmbeddedTelemetryStore`.
 */
export async function openTelemetry(
  settings: TelemetrySettings,
  onDamage?: EmbeddedTelemetryOptions["onDamage"],
): Promise<OpenedTelemetry> {
  const { dataDir, retentionDays } = settings;
  const local = await openEmbeddedTelemetryStore({
    dir: join(dataDir, "telemetry"),
    ...(onDamage === undefined ? {} : { onDamage }),
  });
  try {
    const archive = openArchive(settings);
    if (archive === undefined) {
      await forgetTierStart(dataDir);
      return { local, tier: undefined };
    }
    const keepAllUntilMs = await readTierStart(dataDir, {
      hasTelemetry: local.durablePosition !== undefined,
      retentionDays,
      nowMs: Date.now(),
    });
    const store = createTieredStore(local, archive, { keepAllUntilMs, now: Date.now });
    return { local, tier: { archive, store } };
  } catch (error) {
    await local.close();
    throw error;
  }
}

/** The archive that the settings name; `undefined` without `INFLUX_URL`. */
export function openArchive(
  settings: InfluxSettings & Pick<Settings, "retentionDays">,
): TelemetryArchive | undefined {
  const target = influxTarget(settings);
  return target && openInfluxArchive(target, { retentionDays: settings.retentionDays });
}
