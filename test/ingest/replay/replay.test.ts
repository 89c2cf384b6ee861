import { beforeEach, describe, expect, it } from "vitest";
import type { DECODER_NAMES } from "../../../domain/equipment/asset.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { compileMapping } from "../../../ingest/decoders/mapping/compile.ts";
import type { AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import {
  createReplay,
  createReplayRequests,
  type ReplayOutcome,
} from "../../../ingest/replay/replay.ts";
import type { QuarantineEntry } from "../../../storage/ports/equipment/quarantine.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { byName, edgePayload } from "../sparkplug/edge-messages.ts";

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

/** An asset of project `projectId` that speaks Sparkplug B under that name. */
function sparkplugEntry(id: string, hardware_id: string, projectId = "p1"): AssetEntry {
  const entry = assetEntry(id, projectId);
  return { ...entry, asset: { ...entry.asset, decoder: "sparkplug", hardware_id } };
}

describe("a replay from quarantine", () => {
  it("a replay from quarantine of a device behind an edge node is that device's, once it is registered", async () => {
    directory.change("van", sparkplugEntry("van", "g/e"));
    const payload = edgePayload({ seq: 4, metrics: [byName("speed", 7)] });
    const of = (topic: string) => ({ ...quarantined({}, topic, "sparkplug"), payload });
    const entry = of("spBv1.0/g/DDATA/e/pump");
    expect(await replay(entry)).toEqual({
      accepted: false,
      reason: 'nobody is registered with hardware_id "g/e/pump"',
    });
    directory.change("pump", sparkplugEntry("pump", "g/e/pump", "p2"));
    expect(await replay(entry)).toEqual({ accepted: true });
    expect(await replay(of("spBv1.0/g/NDATA/e"))).toEqual({ accepted: true });
    // Also when the edge node goes by another name by now.
    directory.change("van", sparkplugEntry("van", "g/other"));
    expect(await replay(entry)).toEqual({ accepted: true });
    const subjects = journal
      .entries()
      .map((one) => one.type === "readings" && [one.batch.assetId, one.batch.projectId]);
    expect(subjects).toEqual([
      ["pump", "p2"],
      ["van", "p1"],
      ["pump", "p2"],
    ]);
  });

  it("a replay from quarantine is read by the decoder that the asset is registered with by now, on topics that mean it", async () => {
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

  it("a replay from quarantine is read by the format it came with where the registration means no topic like it any more", async () => {
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

  it("a replay from quarantine is read by the mapping that the type has by now", async () => {
    const entry = quarantined({ v: 5 }, "sites/p1/assets/van/mapping", "mapping");
    expect(await replay(entry)).toEqual({
      accepted: false,
      reason: "there is no mapping for the type of the asset",
    });
    const mapping = compileMapping({ fields: { speed_kmh: { pointer: "/v", unit: "m/s" } } });
    directory.change("van", { ...assetEntry("van"), mapping });
    expect(await replay(entry)).toEqual({ accepted: true });
    expect(journal.entries()).toMatchObject([
      { batch: { readings: [{ fields: { speed_kmh: 18 } }] } },
    ]);
  });

  it("a replay from quarantine journals notices as of the time the message arrived, the same each time", async () => {
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

  it("a replay from quarantine stores what can be read of it, the same each time, and stays for the rest", async () => {
    const bad = { latitude: 95, longitude: 13.4 };
    const entry = quarantined(
      [{ speed_kmh: 5 }, bad],
      "sites/p1/assets/van/telemetry",
      "telemetry",
    );
    const outcome = {
      accepted: false,
      reason:
        "1 of 2 readings refused, the others are stored: reading 1: latitude 95 is outside -90 to 90",
    };
    expect([await replay(entry), await replay(entry)]).toEqual([outcome, outcome]);

    const [first, second] = journal.entries();
    expect(first).toMatchObject({ batch: { readings: [{ fields: { speed_kmh: 5 } }] } });
    expect(second).toEqual(first);
  });

  it("a replay from quarantine is done without a record when there is nothing to keep", async () => {
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
