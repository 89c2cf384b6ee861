import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { createAssetTracks } from "../../../ingest/pipeline/live-assets.ts";

const TRUCK = "truck-1" as AssetId;
const SITE = "p1" as ProjectId;

/** Tracks, and who was told to look at them again. */
function openTracks() {
  const tracks = createAssetTracks();
  const told: AssetId[] = [];
  tracks.onChange((assetId) => told.push(assetId));
  const read = () => tracks.touch(tracks.track(TRUCK, SITE));
  return { tracks, told, read };
}

describe("the live states of assets", () => {
  it("tell of the first reading whoever had looked before it", () => {
    const { tracks, told, read } = openTracks();
    const before = tracks.state(TRUCK);
    read();
    expect([before, told]).toEqual([undefined, [TRUCK]]);
    expect(tracks.state(TRUCK)?.assetId).toBe(TRUCK);
  });

  it("tell of the first of several changes between two looks", () => {
    const { tracks, told, read } = openTracks();
    read();
    tracks.state(TRUCK);
    read();
    read();
    expect(told).toEqual([TRUCK]);
  });
});
