import { describe, expect, it } from "vitest";
import type { Limit } from "../../../domain/equipment/maintenance.ts";
import { MOCKED_FIELD } from "../../../domain/equipment/mocked-position.ts";
import type { Reading } from "../../../domain/equipment/reading.ts";
import { viewOf } from "../../../ingest/asset-state/track-view.ts";
import { metersNow } from "../../../ingest/stages/maintenance/maintenance-view.ts";
import { fixAt, squareFence } from "../../support/square-fence.ts";
import { openTimelineRun, PROJECT } from "../../support/timeline-run.ts";

const MINUTE = 60_000;
const T0 = Date.parse("2026-06-01T08:00:00Z");
const calendar = { time_zone: "UTC", shift: { start: "00:00", end: "24:00" } };

const mocked = (reading: Reading): Reading => ({
  ...reading,
  fields: { ...reading.fields, [MOCKED_FIELD]: 1, speed_kmh: 30, engine_on: 1 },
});

/** Outside, then an app that puts the phone into the fence for ten minutes, then outside again. */
const visit = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((minute) => {
  const at = T0 + minute * MINUTE;
  return minute >= 2 && minute < 12 ? mocked(fixAt(at, "in")) : fixAt(at, "out");
});

describe("a mocked position", () => {
  it("a mocked position enters and leaves no fence and adds no distance, while the engine beside it still counts", async () => {
    const run = openTimelineRun(calendar, [squareFence("yard", PROJECT)]);
    for (const reading of visit) await run.take(reading);

    expect(run.table()).toEqual([]);
    expect(run.track.days.at(-1)?.distanceM).toBe(0);
    expect(run.track.days.at(-1)?.engineOnMs).toBeGreaterThan(8 * MINUTE);
  });

  it("a mocked position does not count either when its readings come late and are read back from the store", async () => {
    const sorted = openTimelineRun(calendar, [squareFence("yard", PROJECT)]);
    for (const reading of visit) await sorted.take(reading);
    const mixed = openTimelineRun(calendar, [squareFence("yard", PROJECT)]);
    for (const reading of visit.toReversed()) await mixed.take(reading);
    await mixed.rerun();

    expect(mixed.table()).toEqual([]);
    expect(mixed.track.days.at(-1)).toMatchObject({
      distanceM: 0,
      engineOnMs: sorted.track.days.at(-1)?.engineOnMs,
    });
  });

  it("a mocked position does not move the meter by which services fall due", async () => {
    const run = openTimelineRun(calendar);
    const at = (minute: number, km: number): Reading => {
      const { fields, ...reading } = fixAt(T0 + minute * MINUTE, "out");
      return { ...reading, fields: { ...fields, odometer_km: km } };
    };
    await run.take(at(0, 1_000));
    await run.take(mocked(at(60, 1_090)));
    expect(metersNow(run.track).meters.km.machine).toBe(1_000);
    await run.take(at(61, 1_001));
    expect(metersNow(run.track).meters.km.machine).toBe(1_001);
  });

  it("a mocked position exceeds no limit by its speed, in order and when its readings come late", async () => {
    const limit: Limit = {
      ...{ id: "fast", name: "fast", field: "speed_kmh", bound: "above" as const },
      ...{ level: 20, clearAt: 15, forMs: 0, severity: "warning" as const },
    };
    const fast = (reading: Reading): Reading => ({
      ...reading,
      fields: { ...reading.fields, speed_kmh: 30 },
    });
    const inOrder = openTimelineRun(calendar, [], [limit]);
    for (const reading of visit) await inOrder.take(reading);
    const mixed = openTimelineRun(calendar, [], [limit]);
    for (const reading of visit.toReversed()) await mixed.take(reading);
    await mixed.rerun();
    expect([inOrder.table(), mixed.table()]).toEqual([[], []]);

    await inOrder.take(fast(fixAt(T0 + 20 * MINUTE, "out")));
    expect(inOrder.table()).toHaveLength(1);
  });

  it("a mocked position would be a visit if it were measured", async () => {
    const run = openTimelineRun(calendar, [squareFence("yard", PROJECT)]);
    for (const { fields, ...reading } of visit) {
      const { [MOCKED_FIELD]: _mark, ...measured } = fields;
      await run.take({ ...reading, fields: measured });
    }

    expect(run.table()).toHaveLength(2);
  });
});

describe("the newest position of an asset", () => {
  it("the newest position of an asset is shown as mocked until a measured one follows", async () => {
    const run = openTimelineRun(calendar, []);
    const shown = () => viewOf(run.track).fix?.isMocked;
    run.track.fixOrigin = { timeSource: "device", receivedAtMs: T0 };
    const put = (reading: Reading) => {
      const { fixTimeMs, seq, payloadHash } = reading;
      for (const [name, value] of Object.entries(reading.fields)) {
        run.track.latest.set(name, { value, fixTimeMs, seq, payloadHash });
      }
    };
    put(mocked(fixAt(T0, "in")));
    expect(shown()).toBe(true);
    put(fixAt(T0 + MINUTE, "out"));
    expect(shown()).toBeUndefined();
  });
});
