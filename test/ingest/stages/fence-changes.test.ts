import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { applyFenceChanges } from "../../../ingest/stages/fence-changes.ts";
import { type AssetTrack, newAssetTrack } from "../../../ingest/track/asset-track.ts";
import type { GeofenceVersion } from "../../../storage/ports/equipment/geofences.ts";
import { fixAt, squareFence } from "../../support/square-fence.ts";
import { openTimelineRun, PROJECT } from "../../support/timeline-run.ts";

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
  const timeline = new FenceTimeline();
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
  it("a fence that is learned late is evaluated from its beginning where the asset was in its project then", () => {
    const fence = squareFence("a", THERE, { validFromMs: T0 + HOUR });
    expect(lateFromMs(fence)).toBe(T0 + HOUR);
  });

  it("a fence that is learned late is evaluated from the asset's arrival in the project where that was later", () => {
    const fence = squareFence("a", THERE, { validFromMs: T0 - 2 * HOUR });
    expect(lateFromMs(fence)).toBe(T0);
  });

  it("a fence that is learned of late of a project that the asset has left for good asks for no re-run", () => {
    const fence = squareFence("a", HERE, { validFromMs: T0 + HOUR });
    expect(lateFromMs(fence)).toBe(Number.POSITIVE_INFINITY);
  });

  it("a fence that is learned of late while a re-run has come past its beginning asks for another one", async () => {
    const run = openTimelineRun({ time_zone: "UTC", shift: { start: "00:00", end: "24:00" } });
    const { latitude: _, longitude: __, ...fields } = fixAt(0, "in").fields;
    await run.take({ ...fixAt(T0 + 2 * HOUR, "in"), fields });
    // So many that the fold yields to other work once.
    for (let i = 0; i < 5_100; i += 1) await run.take(fixAt(T0 + i * 1_000, "in"));
    const fence = squareFence("a", PROJECT, { validFromMs: T0 + 1_000_000 });
    let calls = 0;
    await run.rerun(async () => {
      calls += 1;
      // Just before the fold begins: this runs when it yields.
      if (calls === 2) setImmediate(() => run.learn([fence]));
    });
    expect(run.track.lateFromMs).toBe(T0 + 1_000_000);
    await run.rerun();
    expect(run.table()).toEqual([`${T0 + 1_000_000} a equipment.geofence.entered false`]);
  });
});
