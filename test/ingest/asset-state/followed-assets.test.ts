import { afterEach, describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { type FollowedAssets, followAssets } from "../../../ingest/asset-state/followed-assets.ts";
import { viewOf } from "../../../ingest/asset-state/track-view.ts";
import { newAssetTrack } from "../../../ingest/track/asset-track.ts";
import { packTrack } from "../../../ingest/track/track-codec.ts";
import { commit as commitAt } from "../../contracts/records/rows.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const DIGGER = "digger-1" as AssetId;

function trackAt(latitude: number) {
  const track = newAssetTrack(DIGGER, "yard" as ProjectId);
  const rank = { fixTimeMs: 1_000 * latitude, seq: -1, payloadHash: 7 };
  track.latest.set("latitude", { value: latitude, ...rank });
  track.latest.set("longitude", { value: 13, ...rank });
  track.fixOrigin = { timeSource: "device", receivedAtMs: 99 };
  return track;
}

describe("assets followed from another process", () => {
  const opened: FollowedAssets[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.stop();
  });

  async function open() {
    const records = openMemoryRecords();
    const warnings: unknown[] = [];
    let sequence = 0;
    const commit = (latitude: number, state = packTrack(trackAt(latitude))) =>
      records.pipeline.commit(commitAt(++sequence, { states: [{ assetId: DIGGER, state }] }));
    await commit(1);
    const log = { warn: (...what: unknown[]) => warnings.push(what) };
    const followed = await followAssets({ changes: records.stateChanges, pollMs: 5, log });
    opened.push(followed);
    return { records, followed, commit, warnings };
  }

  it("followed assets show what the pipeline shows, from the first read on", async () => {
    const { followed } = await open();
    expect(followed.state(DIGGER)).toEqual(viewOf(trackAt(1)));
    expect(followed.state("nobody" as AssetId)).toBeUndefined();
    expect(followed.stalled).toBeUndefined();
  });

  it("followed assets report a replaced state and show the new one", async () => {
    const { followed, commit } = await open();
    const notified: AssetId[] = [];
    followed.onChange((assetId) => notified.push(assetId));
    followed.state(DIGGER);
    await commit(2);
    await until("the change", () => notified.length > 0, PATIENT_MS);
    expect(notified).toEqual([DIGGER]);
    expect(followed.state(DIGGER)?.fix?.latitude).toBe(2);
  });

  it("the follower of assets shows what it knows while the records are away, and misses nothing of that time", async () => {
    const { records, followed, commit, warnings } = await open();
    records.away = true;
    await until("the failure", () => warnings.length > 0, PATIENT_MS);
    expect(followed.state(DIGGER)?.fix?.latitude).toBe(1);
    records.away = false;
    await commit(3);
    await until("the state", () => followed.state(DIGGER)?.fix?.latitude === 3, PATIENT_MS);
    expect(warnings).toHaveLength(1);
  });

  it("the follower of assets shows nothing of a state that another version of the program wrote", async () => {
    const { followed, commit, warnings } = await open();
    const notified: AssetId[] = [];
    followed.onChange((assetId) => notified.push(assetId));
    await commit(0, '{"v":0}');
    await until("the change", () => notified.length > 0, PATIENT_MS);
    expect(followed.state(DIGGER)).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });
});
