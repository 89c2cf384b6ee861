import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { createAssetTracks } from "../../../ingest/asset-state/live-assets.ts";
import { RerunSchedule } from "../../../ingest/pipeline/rerun-schedule.ts";
import { restoreTracks } from "../../../ingest/pipeline/restore.ts";
import { type AssetTrack, newAssetTrack } from "../../../ingest/track/asset-track.ts";
import { packTrack, unpackTrack } from "../../../ingest/track/track-codec.ts";
import { fixAt, squareFence } from "../../support/square-fence.ts";
import { ASSET, openTimelineRun, PROJECT, type TimelineRun } from "../../support/timeline-run.ts";

const MINUTE = 60_000;
const T0 = Date.parse("2026-06-01T08:00:00Z");
const calendar = { time_zone: "UTC", shift: { start: "00:00", end: "24:00" } };
/** Minutes in which another partition had the asset: it published a visit, and the archive has none of its readings. */
const LACKING = [T0 + 10 * MINUTE, T0 + 30 * MINUTE] as const;

let run: TimelineRun;

/** 40 minutes, the 20th to 24th minute in the fence, one fix of the first minutes late. */
beforeEach(async () => {
  run = openTimelineRun(calendar, [squareFence("yard", PROJECT)]);
  for (let minute = 0; minute <= 29; minute += 1) {
    if (minute !== 5) await run.take(fixOf(minute));
  }
  const atOther = await restored(packTrack(run.track));
  run.restart(() => atOther);
  for (let minute = 30; minute <= 40; minute += 1) await run.take(fixOf(minute));
  // As many late ones as are missing: a count would not show it.
  for (let second = 1; second <= 20; second += 1) await run.take(fixAt(T0 + second * 1_000, "out"));
  expect(await run.take(fixOf(5))).toBe("late");
});

const fixOf = (minute: number) =>
  fixAt(T0 + minute * MINUTE, minute >= 20 && minute < 25 ? "in" : "out");

/** The track as the node that takes over loads it. */
async function restored(state: string): Promise<AssetTrack> {
  const live = createAssetTracks();
  const records = { states: async () => [{ assetId: ASSET, state }] };
  await restoreTracks(live, records, { newest: async () => [] }, pino({ level: "silent" }), [
    PROJECT,
  ]);
  const track = live.find(ASSET);
  if (track === undefined) throw new Error("the track was not loaded");
  return track;
}

const publishedTypes = () => run.table().map((line) => line.split(" ")[2]);

describe("a re-run that cannot read back what another partition received", () => {
  it("a re-run that cannot read back another partition's readings leaves their events, and the track stays late", async () => {
    const before = run.table();
    expect(before).toHaveLength(2);
    expect(await run.rerunShort(...LACKING, false)).toBe("short");
    expect(run.table()).toEqual(before);
    expect(run.track.lateFromMs).toBe(T0 + 1_000);
    expect(run.events.filter(({ withdrawn }) => withdrawn)).toEqual([]);
  });

  it("a re-run is made once everything can be read, and then publishes nothing new", async () => {
    const before = run.events.length;
    await run.rerunShort(...LACKING, false);
    await run.rerun();
    expect(run.track.lateFromMs).toBe(Number.POSITIVE_INFINITY);
    expect(run.events).toHaveLength(before);
  });

  it("a re-run is made without the missing readings when asked to; what is read back later is published again", async () => {
    expect(await run.rerunShort(...LACKING, true)).toBe("done");
    expect(publishedTypes()).toEqual([]);
    // The first of them, handed over again by the partition that was late.
    expect(await run.take(fixOf(10))).toBe("late");
    await run.rerun();
    expect(publishedTypes()).toEqual(["equipment.geofence.entered", "equipment.geofence.exited"]);
  });

  it("a re-run that cannot read back what another partition received waits for every partition that had the asset", async () => {
    expect(run.track.unseenMs).toEqual([T0 + 29 * MINUTE]);
    const third = await restored(packTrack(run.track));
    expect(third.unseenMs).toEqual([T0 + 29 * MINUTE, T0 + 5 * MINUTE]);
    run.restart(() => third);
    expect(await run.rerunShort(...LACKING, false)).toBe("short");
    await run.rerun();
    expect(run.track.unseenMs).toEqual([]);
  });

  it("a re-run that cannot read back what another partition received asks for nothing where the only process is started again", async () => {
    run.restart((track) => unpackTrack(ASSET, packTrack({ ...track, unseenMs: [] })) ?? track);
    expect(run.track.unseenMs).toEqual([]);
  });

  it("a re-run that cannot read back what another partition received remembers a few partitions, and none for longer than late readings matter", async () => {
    const { track } = run;
    const hour = 60 * MINUTE;
    const old = { ...track, unseenMs: [track.work.tMs - 73 * hour], lastTakenMs: T0 };
    expect((await restored(packTrack(old))).unseenMs).toEqual([T0]);
    const many = { ...track, unseenMs: Array.from({ length: 20 }, (_, i) => T0 - i) };
    expect((await restored(packTrack(many))).unseenMs).toHaveLength(8);
  });
});

describe("when re-runs are made", () => {
  const track = newAssetTrack(ASSET, PROJECT);
  let nowMs: number;
  let schedule: RerunSchedule;
  beforeEach(() => {
    nowMs = T0;
    schedule = new RerunSchedule(() => nowMs);
  });

  it("re-runs of an asset are made every 5 s at most", () => {
    expect(schedule.isDue(track)).toBe(true);
    schedule.begun(track);
    schedule.ended(track, "overtaken");
    nowMs += 4_999;
    expect(schedule.isDue(track)).toBe(false);
    nowMs += 1;
    expect(schedule.isDue(track)).toBe(true);
  });

  it("a re-run is made without what is missing after a quarter of an hour, tried every 15 s until then", () => {
    schedule.begun(track);
    schedule.ended(track, "short");
    nowMs += 14_999;
    expect(schedule.isDue(track)).toBe(false);
    nowMs += 1;
    expect(schedule.isDue(track)).toBe(true);
    schedule.begun(track);
    schedule.ended(track, "short");
    nowMs = T0 + 15 * MINUTE - 1;
    expect(schedule.isShortAllowed(track)).toBe(false);
    nowMs += 1;
    expect(schedule.isShortAllowed(track)).toBe(true);
    schedule.ended(track, "done");
    // What is missing the next time is waited for anew.
    expect(schedule.isShortAllowed(track)).toBe(false);
  });
});
