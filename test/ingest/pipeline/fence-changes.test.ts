import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { createFenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { type AssetTrack, newAssetTrack } from "../../../ingest/pipeline/asset-track.ts";
import { applyFenceChanges } from "../../../ingest/pipeline/fence-changes.ts";
import type { GeofenceVersion } from "../../../storage/ports/geofences.ts";
import { squareFence } from "../../support/square-fence.ts";

const ASSET = "truck-1" as AssetId;
const [HERE, THERE] = ["here" as ProjectId, "there" as ProjectId];
const HOUR = 3_600_000;
const T0 = 1_780_000_000_000;

/** When the fold of a truck, that went from here to there at T0 and was heard of 4 h later, is made again. */
function lateFromMs(version: GeofenceVersion): number {
  const track: AssetTrack = newAssetTrack(ASSET, THERE);
  const rank = { fixTimeMs: T0 + 4 * HOUR, seq: -1, payloadHash: 0 };
  track.latest.set("latitude", { ...rank, value: 52.5 });
  track.fences.clockMs = T0 + 4 * HOUR;
  const timeline = createFenceTimeline();
  timeline.assign(ASSET, [
    { assetId: ASSET, projectId: HERE, validFromMs: 0, validToMs: T0 },
    { assetId: ASSET, projectId: THERE, validFromMs: T0, validToMs: undefined },
  ]);
  timeline.apply([version]);
  const output = {
    raise: () => undefined,
    alert: () => undefined,
    visit: () => undefined,
    share: () => undefined,
    touch: () => undefined,
  };
  const names = { asset: () => "", geofence: () => ({ name: "", kind: "zone" as const }) };
  const learned = { instantsMs: [version.validFromMs], newAssets: [] };
  applyFenceChanges(learned, [track], timeline, { output, names });
  return track.lateFromMs;
}

describe("a fence that is learned of late", () => {
  it("is looked for from its beginning on where the asset was in its project then", () => {
    const fence = squareFence("a", THERE, { validFromMs: T0 + HOUR });
    expect(lateFromMs(fence)).toBe(T0 + HOUR);
  });

  it("is looked for from the asset's coming on where that was later", () => {
    const fence = squareFence("a", THERE, { validFromMs: T0 - 2 * HOUR });
    expect(lateFromMs(fence)).toBe(T0);
  });

  it("of a project that the asset has left for good asks for no re-run", () => {
    const fence = squareFence("a", HERE, { validFromMs: T0 + HOUR });
    expect(lateFromMs(fence)).toBe(Number.POSITIVE_INFINITY);
  });
});
