import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { createAssetTracks } from "../../../ingest/asset-state/live-assets.ts";

const TRUCK = "truck-1" as AssetId;
const SITE = "p1" as ProjectId;

/** Tracks, and the assets whose change was notified. */
function openTracks() {
  const tracks = createAssetTracks();
  const notified: AssetId[] = [];
  tracks.onChange((assetId) => notified.push(assetId));
  const read = () => tracks.touch(tracks.track(TRUCK, SITE));
  return { tracks, notified, read };
}

describe("the live states of assets", () => {
  it("the first reading notifies whoever had read the state before it", () => {
    const { tracks, notified, read } = openTracks();
    const before = tracks.state(TRUCK);
    read();
    expect([before, notified]).toEqual([undefined, [TRUCK]]);
    expect(tracks.state(TRUCK)?.assetId).toBe(TRUCK);
  });

  it("the first of several changes between two reads is notified", () => {
    const { tracks, notified, read } = openTracks();
    read();
    tracks.state(TRUCK);
    read();
    read();
    expect(notified).toEqual([TRUCK]);
  });
});
