import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { pointsOf } from "../../../ingest/journal-record/journal-points.ts";
import { RECORD_KIND, TICK_BODY } from "../../../ingest/journal-record/journal-record.ts";
import { ReadingColumns } from "../../../ingest/journal-record/reading-columns.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import { RecordPoints } from "../../../ingest/journal-record/record-points.ts";
import type { JournalRecord } from "../../../storage/ports/journal.ts";
import { openEmbeddedTelemetryStore } from "../../../storage/telemetry/embedded/open.ts";
import { pointsOfRun } from "../../support/points-of-run.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { all, rowsOf } from "../../support/telemetry-points.ts";

const RECEIVED_MS = Date.UTC(2026, 10, 20, 12);
const ASSETS = ["truck-1", "crane", "roller"] as AssetId[];
const NAMES = ["latitude", "longitude", "speed_kmh", "my_own"];

/** Messages of no, one and several readings, some of them late, with a tick between any two. */
function records(count: number): readonly JournalRecord[] {
  const random = seededRandom(7);
  const below = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, i) => {
    if (i % 2 === 1) return { sequence: i + 1, timeMs: 0, kind: RECORD_KIND.tick, body: TICK_BODY };
    const readings = Array.from({ length: below(4) }, () => ({
      fixTimeMs: RECEIVED_MS - below(300) * 1_000,
      timeSource: "device" as const,
      rawTimeMs: below(5) === 0 ? RECEIVED_MS : undefined,
      seq: below(3) - 1,
      payloadHash: below(2 ** 32),
      fields: Object.fromEntries(
        NAMES.filter(() => below(3) > 0).map((name) => [
          name,
          below(8) === 0 ? Number.NaN : random(),
        ]),
      ),
      faults: undefined,
    }));
    const subject = { assetId: ASSETS[below(3)] as AssetId, projectId: "site" as ProjectId };
    const batch = { ...subject, receivedAtMs: RECEIVED_MS, readings };
    const body = encodeReadings(batch, { clientHash: 1, packetId: 2, payloadHash: 3 });
    return { sequence: i + 1, timeMs: 0, kind: RECORD_KIND.readings, body };
  });
}

it("the points of records that are read as they are taken are those of all records at once", () => {
  for (const count of [0, 1, 2, 500]) {
    const run = new RecordPoints(records(count), new ReadingColumns());
    expect(pointsOfRun(run)).toEqual(pointsOf(records(count)));
  }
});

it("the local store has the same rows of points that come as a run as of points in a list", async () => {
  const folder = await mkdtemp(join(tmpdir(), "record-points-"));
  // So small that some points have to wait for others to be sealed.
  const stores = await Promise.all(
    ["run", "list"].map((name) =>
      openEmbeddedTelemetryStore({ dir: join(folder, name), memoryPoints: 50 }),
    ),
  );
  const [run, list] = stores;
  if (run === undefined || list === undefined) throw new Error("no stores");
  const position = { journalId: "j", sequence: 500 };
  await run.writeRun(new RecordPoints(records(500), new ReadingColumns()), position);
  await list.write(pointsOf(records(500)), position);
  for (const assetId of ASSETS) {
    const rows = rowsOf(await run.read(all(assetId)));
    expect(rows.length).toBeGreaterThan(20);
    expect(rows).toEqual(rowsOf(await list.read(all(assetId))));
  }
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true });
});
