import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import { createTranslator } from "../../ingest/forwarding/translate.ts";
import { openJournal } from "../../storage/journal/journal.ts";
import type { ForwardFormat } from "../../storage/ports/events/forwarders.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import { assetEntry, fixedDirectory } from "../../test/support/fixed-directory.ts";
import { batchOf, journalReadings, readingOf } from "../../test/support/readings.ts";

/** A journal full of positions, and the messages that they come to. */
export interface Filled {
  readonly journal: Journal;
  readonly directory: AssetDirectory;
  readonly traccar: readonly string[];
  readonly plumbline: readonly string[];
  close(): Promise<void>;
}

/** So many readings of ten fields, one message each, of the assets in turn. */
export async function filledJournal(assets: number, readings: number): Promise<Filled> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-bench-forward-"));
  const journal = await openJournal({ dir, minFreeBytes: 0 });
  const directory = fixedDirectory(Array.from({ length: assets }, (_, i) => assetEntry(`a${i}`)));
  const nowMs = Date.now();
  await Promise.all(
    Array.from({ length: readings }, (_, i) => {
      const fields = {
        latitude: 52.5 + i / 1e6,
        longitude: 13.4,
        speed_kmh: 17.4,
        heading: 270,
        accuracy_meters: 2.5,
        engine_on: 1,
        engine_hours: 8_376.2,
        fuel_level_percent: 63,
        coolant_temperature_c: 82,
        odometer_km: 70_439 + i / 1e3,
      };
      const batch = batchOf(`a${i % assets}`, [readingOf(fields, nowMs + i)]);
      return journalReadings(journal, batch, nowMs);
    }),
  );
  const records = await journal.read(1, { records: readings, bytes: 1024 ** 3 });
  const bodiesIn = (format: ForwardFormat): readonly string[] => {
    const forwarder = { format, topic: undefined, projectIds: undefined, startAtMs: 0 };
    const journalId = journal.id;
    const translate = createTranslator({
      forwarder,
      journalId,
      directory,
      lastFix: () => undefined,
    });
    return records.flatMap((record) => translate(record).messages.map(({ body }) => body));
  };
  return {
    journal,
    directory,
    traccar: bodiesIn("traccar"),
    plumbline: bodiesIn("plumbline"),
    async close() {
      await journal.close();
      await rm(dir, { recursive: true });
    },
  };
}
