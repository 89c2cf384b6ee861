import { beforeEach, describe, expect, it } from "vitest";
import type { DECODER_NAMES } from "../../domain/asset.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { createReplay, createReplayRequests, type ReplayOutcome } from "../../ingest/replay.ts";
import type { QuarantineEntry } from "../../storage/ports.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../support/manual-journal.ts";

const RECEIVED_MS = Date.UTC(2026, 5, 1, 8);
const settings = { retentionDays: 90 };

let journal: ManualJournal;
let directory: FixedDirectory;

beforeEach(() => {
  journal = manualJournal();
  directory = fixedDirectory([assetEntry("van")]);
});

function register(decoder: (typeof DECODER_NAMES)[number]): void {
  const entry = assetEntry("van");
  directory.change("van", { ...entry, asset: { ...entry.asset, decoder } });
}

const quarantined = (payload: unknown, topic: string, format: string): QuarantineEntry => ({
  id: "q1",
  assetId: "van" as AssetId,
  projectId: "p1" as ProjectId,
  receivedAtMs: RECEIVED_MS,
  topic,
  format,
  reason: "could not be read",
  payload: Buffer.from(JSON.stringify(payload)),
  replayedAtMs: undefined,
});

/** Replays and makes durable what that appends. */
async function replay(entry: QuarantineEntry): Promise<ReplayOutcome> {
  const outcome = createReplay(journal, directory, settings)(entry);
  journal.commit();
  return outcome;
}

const fix = { _type: "location", lat: 52, lon: 13, tst: RECEIVED_MS / 1_000 - 5 };

describe("a replay from quarantine", () => {
  it("is read by the decoder that the asset is registered with by now, on topics that mean it", async () => {
    const entry = quarantined(fix, "sites/p1/assets/van/device", "nmea");
    register("nmea");
    expect(await replay(entry)).toMatchObject({ accepted: false });
    register("owntracks");
    expect(await replay(entry)).toEqual({ accepted: true });
    expect(await replay(quarantined(fix, "owntracks/van/phone", "nmea"))).toEqual({
      accepted: true,
    });
    expect(journal.entries()).toMatchObject(
      [1, 2].map(() => ({ batch: { readings: [{ fields: { latitude: 52 } }] } })),
    );
  });

  it("is read by the format it came with where the registration means no topic like it any more", async () => {
    register("thingsboard");
    const onVendorTopic = quarantined(fix, "owntracks/van/phone", "owntracks");
    const onOurTopic = quarantined(fix, "sites/p1/assets/van/owntracks", "owntracks");
    expect(await replay(onVendorTopic)).toEqual({ accepted: true });
    expect(await replay(onOurTopic)).toEqual({ accepted: true });
    const unknown = quarantined(fix, "sites/p1/assets/van/morse", "morse");
    expect(await replay(unknown)).toEqual({
      accepted: false,
      reason: 'no decoder for format "morse"',
    });
  });

  it("journals notices as of the time the message arrived, the same each time", async () => {
    const transition = { _type: "transition", event: "leave", tst: RECEIVED_MS / 1_000 + 3_600 };
    const entry = quarantined(transition, "sites/p1/assets/van/owntracks", "owntracks");
    await replay(entry);
    await replay(entry);
    const [first, second] = journal.entries();
    expect(first).toMatchObject({
      batch: { receivedAtMs: RECEIVED_MS, readings: [] },
      notices: [{ kind: "transition", occurredAtMs: RECEIVED_MS, timeSource: "received" }],
    });
    expect(second).toEqual(first);
  });

  it("is done without a record when there is nothing to keep", async () => {
    const entry = quarantined({ _type: "waypoints" }, "sites/p1/assets/van/owntracks", "owntracks");
    expect(await replay(entry)).toEqual({ accepted: true });
    expect(journal.records).toEqual([]);
    const asked: string[] = [];
    const requestReplay = async (id: string) => {
      asked.push(id);
    };
    const ask = createReplayRequests({ requestReplay }, directory, settings);
    expect(await ask(entry)).toEqual({ accepted: true, isLeftToIngest: true });
    expect(asked).toEqual(["q1"]);
    expect(await ask({ ...entry, assetId: "gone" as AssetId })).toEqual({
      accepted: false,
      reason: "the asset no longer exists",
    });
  });
});
