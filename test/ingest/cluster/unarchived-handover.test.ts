import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import {
  UnarchivedHandover,
  type UnarchivedHandoverOptions,
} from "../../../ingest/cluster/unarchived-handover.ts";
import { encodeHandedOver } from "../../../ingest/journal-record/handed-over.ts";
import {
  decodeRecord,
  RECORD_KIND,
  TICK_BODY,
} from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import type { StrandedRecord } from "../../../storage/ports/equipment/stranded.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
const log = pino({ level: "silent" });
let journal: ManualJournal;
let put: (readonly StrandedRecord[])[];

beforeEach(() => {
  journal = manualJournal();
  put = [];
});

const bodyOf = (asset: string, seconds: readonly number[]) =>
  encodeReadings(
    {
      assetId: asset as AssetId,
      projectId: "p1" as ProjectId,
      receivedAtMs: T0,
      readings: seconds.map((second) => ({
        fixTimeMs: T0 + second * 1_000,
        timeSource: "device" as const,
        rawTimeMs: undefined,
        seq: -1,
        payloadHash: second,
        fields: { second },
        faults: undefined,
      })),
    },
    { clientHash: 1, packetId: 2, payloadHash: 3 },
  );

function append(kind: number, body: Uint8Array): void {
  journal.append(kind, T0, body, () => undefined);
  journal.commit();
}
const readings = (asset: string, ...seconds: number[]) =>
  append(RECORD_KIND.readings, bodyOf(asset, seconds));

function open(archivedSequence: number, options: Partial<UnarchivedHandoverOptions> = {}) {
  let polls = 0;
  return new UnarchivedHandover({
    journal,
    // Everything from the second poll on.
    archived: () => (polls++ === 0 ? archivedSequence : journal.syncedSequence),
    stranded: { add: async (records) => void put.push(records) },
    shardOf: () => 7,
    aloneSinceMs: () => undefined,
    log,
    now: () => T0,
    ...options,
  });
}

/** What was handed over in the end. */
async function handOver(
  archivedSequence: number,
  options: Partial<UnarchivedHandoverOptions> = {},
): Promise<readonly StrandedRecord[]> {
  const handover = open(archivedSequence, options);
  await handover.begin();
  await until("it is handed over", () => put.length > 0, PATIENT_MS);
  await handover.stop();
  return put.flat();
}

/** The readings of a record, as seconds. */
function secondsOf({ record }: StrandedRecord): readonly number[] {
  const entry = decodeRecord(record);
  if (entry?.type !== "readings") throw new Error("no readings");
  return entry.batch.readings.map(({ fields }) => fields["second"] ?? Number.NaN);
}

describe("what a node had received and not archived when it died", () => {
  it("what a node had not archived when it died is handed to the owners as the oldest reading of each asset", async () => {
    readings("a1", 1);
    readings("a1", 30, 20, 25);
    append(RECORD_KIND.tick, TICK_BODY);
    readings("a2", 40);
    readings("a1", 50);
    const found = await handOver(1);
    expect(found.map(({ sequence, shard }) => [sequence, shard])).toEqual([
      [2, 7],
      [4, 7],
    ]);
    expect(found.map(secondsOf)).toEqual([[20], [40]]);
  });

  it("what a node had not archived when it died keeps the name under which it was acknowledged elsewhere", async () => {
    const origin = { journalId: "first", sequence: 12 };
    const record = { kind: RECORD_KIND.readings, body: bodyOf("a1", [5]) };
    append(RECORD_KIND.handedOver, encodeHandedOver({ origin, record }));
    expect(await handOver(0)).toMatchObject([origin]);
  });

  it("nothing is handed over where all is archived or no other node can have processed it", async () => {
    readings("a1", 1);
    readings("a2", 1);
    const idle = open(2);
    await idle.begin();
    await idle.stop();
    expect(put).toEqual([]);
    const aloneSinceMs = (assetId: AssetId) => (assetId === "a1" ? T0 - 1 : T0);
    expect(await handOver(0, { aloneSinceMs })).toMatchObject([{ sequence: 2 }]);
  });

  it("what a node had received and not archived waits until all nodes can read all of it", async () => {
    readings("a1", 1);
    readings("a1", 2);
    let archived = 0;
    const handover = open(0, {
      archived: () => archived++,
    });
    await handover.begin();
    await until("it is handed over", () => put.length > 0, PATIENT_MS);
    // Asked once to begin with, and until it said 2.
    expect(archived).toBe(3);
  });

  it("what a node had not archived when it died is tried again while the record store is away, and left when the node stops", async () => {
    readings("a1", 1);
    let tries = 0;
    const add = async () => {
      tries += 1;
      throw new DomainError("STORE_UNAVAILABLE", "away");
    };
    const handover = open(0, { stranded: { add } });
    await handover.begin();
    await until("it is tried again", () => tries === 2, PATIENT_MS);
    await handover.stop();
    expect(tries).toBe(2);
  });
});
