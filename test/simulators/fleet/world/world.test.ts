import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isInside, spanM } from "../../../../simulators/fleet/site/plane.ts";
import { createCrossingWatch, type Visit } from "../../../../simulators/fleet/world/crossings.ts";
import { createWorkLedger } from "../../../../simulators/fleet/world/work-ledger.ts";
import { buildWorld, live } from "../../scene.ts";

// Tens of machine hours each; 1 s when the machine is idle.

function fingerprint(seed: number): string {
  const hash = createHash("sha256");
  live(buildWorld(seed, 10), 1_200, (tick) => {
    const { point, speedMps, headingDeg, loadPercent, payloadKg } = tick.motionAt(tick.toMs);
    const values = [point.eastM, point.northM, speedMps, headingDeg, loadPercent, payloadKg];
    hash.update(Float64Array.from(values));
    hash.update(JSON.stringify(tick.vitals));
  });
  return hash.digest("hex");
}

describe("the world", () => {
  it("the world lives the same 20 minutes byte for byte from the same seed, others from another", () => {
    const first = fingerprint(7);
    expect(fingerprint(7)).toBe(first);
    expect(fingerprint(8)).not.toBe(first);
  });

  it("the world keeps every machine within its speed and accelerations, without a jump, over an hour", () => {
    let driven = 0;
    // Worst excess over each bound, in the unit of the bound.
    const excess = { reachM: -1, speedMps: -1, gainMps2: -1, brakeMps2: -1, seamMps: 0 };
    const lastMps = new Map<number, number>();
    live(buildWorld(3, 10), 3_600, (tick, asset, index) => {
      const { limits } = asset.plan.spec;
      for (let ms = tick.fromMs; ms < tick.toMs; ms += 200) {
        const [a, b] = [tick.motionAt(ms), tick.motionAt(ms + 200)];
        const fastest = Math.max(a.speedMps, b.speedMps);
        // A chord is never longer than the path along it; 0.2 s of acceleration may come on top.
        const reachM = (fastest + limits.accelerationMps2 * 0.2) * 0.2;
        const gainMps2 = (b.speedMps - a.speedMps) / 0.2;
        excess.reachM = Math.max(excess.reachM, spanM(a.point, b.point) - reachM);
        excess.speedMps = Math.max(excess.speedMps, b.speedMps - limits.maxSpeedMps);
        excess.gainMps2 = Math.max(excess.gainMps2, gainMps2 - limits.accelerationMps2);
        excess.brakeMps2 = Math.max(excess.brakeMps2, -gainMps2 - limits.decelerationMps2);
        if (fastest > 0) driven += 1;
      }
      const startMps = tick.motionAt(tick.fromMs).speedMps;
      excess.seamMps = Math.max(excess.seamMps, Math.abs(startMps - (lastMps.get(index) ?? 0)));
      lastMps.set(index, tick.motionAt(tick.toMs).speedMps);
    });
    expect(driven).toBeGreaterThan(10_000);
    expect(excess.reachM).toBeLessThan(1e-6);
    expect(excess.speedMps).toBeLessThan(1e-9);
    // Durations are rounded to whole ms: a stop may lose 1 ms of braking within the 200 ms.
    expect(excess.gainMps2).toBeLessThan(0.01);
    expect(excess.brakeMps2).toBeLessThan(0.01);
    expect(excess.seamMps).toBeLessThan(1e-9);
  });

  it("the world makes haul trucks queue, load 28 to 40 t, haul it loaded and come back empty", () => {
    const seen = new Map<string, { min: number; max: number }>();
    live(buildWorld(5, 10), 10_800, (tick, asset) => {
      if (asset.plan.spec.type !== "haul_truck") return;
      const { name } = tick.activityAt(tick.fromMs);
      const { payloadKg } = tick.motionAt(tick.fromMs);
      const range = seen.get(name) ?? { min: payloadKg, max: payloadKg };
      seen.set(name, {
        min: Math.min(range.min, payloadKg),
        max: Math.max(range.max, payloadKg),
      });
    });
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining(["queue", "load", "haul", "dump", "return", "off"]),
    );
    expect(seen.get("haul")?.min).toBeGreaterThanOrEqual(28_000);
    expect(seen.get("haul")?.max).toBeLessThanOrEqual(40_000);
    expect(seen.get("return")).toEqual({ min: 0, max: 0 });
  });

  it("the world calls an activity work exactly when the engine is on and speed > 1 km/h or load > 10 %", () => {
    const counts = { work: 0, rest: 0 };
    const wrong = new Set<string>();
    live(buildWorld(11, 10), 3_600, (tick) => {
      for (let ms = tick.fromMs; ms < tick.toMs; ms += 100) {
        const activity = tick.activityAt(ms);
        const { speedMps, loadPercent } = tick.motionAt(ms);
        const works = activity.engineOn && (speedMps * 3.6 > 1 || loadPercent > 10);
        if (works !== activity.working) wrong.add(activity.name);
        counts[works ? "work" : "rest"] += 1;
      }
    });
    expect([...wrong]).toEqual([]);
    expect(Math.min(counts.work, counts.rest)).toBeGreaterThan(10_000);
  });

  it("the world burns fuel and counts hours with the engine on only, warms up, and shows faults that clear", () => {
    const last = new Map<number, { hours: number; fuel: number }>();
    let hottestC = 0;
    const wrong = new Set<string>();
    const faulty = new Set<number>();
    let cleared = 0;
    live(buildWorld(2, 10), 14_400, (tick, _asset, index) => {
      const { engineHours, fuelLevelPercent, coolantTemperatureC, faults } = tick.vitals;
      const before = last.get(index);
      last.set(index, { hours: engineHours, fuel: fuelLevelPercent });
      hottestC = Math.max(hottestC, coolantTemperatureC);
      if (faults.length > 0) faulty.add(index);
      else if (faulty.delete(index)) cleared += 1;
      if (before === undefined) return;
      const isOn = tick.activityAt(tick.fromMs).engineOn;
      const gainedH = engineHours - before.hours;
      if (Math.abs(gainedH - (isOn ? 1 / 3_600 : 0)) > 1e-9) wrong.add("hours");
      if (isOn && fuelLevelPercent >= before.fuel) wrong.add("fuel");
    });
    expect([...wrong]).toEqual([]);
    expect(hottestC).toBeGreaterThan(80);
    expect(hottestC).toBeLessThan(95);
    expect(cleared).toBeGreaterThan(2);
  });
});

describe("createCrossingWatch", () => {
  it("createCrossingWatch finds the crossings of a walk over the track in steps of 20 ms, to 0.1 s", () => {
    const world = buildWorld(4, 10, { fences: 9 });
    const watches = world.assets.map((asset) =>
      createCrossingWatch(asset.fences, asset.start, true),
    );
    const walked = world.assets.map(() => new Map<string, { open: Visit | undefined }>());
    const found: { index: number; visit: Visit }[] = [];
    for (const [index, asset] of world.assets.entries()) {
      for (const fence of asset.fences) {
        const inside = isInside(asset.start, fence.ring);
        const open = { fenceId: fence.id, enteredMs: undefined, exitedMs: undefined };
        walked[index]?.set(fence.id, { open: inside ? open : undefined });
      }
    }
    live(world, 2_400, (tick, asset, index) => {
      watches[index]?.watch(tick);
      if (tick.activities.every((activity) => !activity.moving)) return;
      for (let ms = tick.fromMs + 20; ms <= tick.toMs; ms += 20) {
        const { point } = tick.motionAt(ms);
        for (const fence of asset.fences) {
          const state = walked[index]?.get(fence.id);
          if (state === undefined || isInside(point, fence.ring) === (state.open !== undefined)) {
            continue;
          }
          if (state.open === undefined) {
            state.open = { fenceId: fence.id, enteredMs: ms, exitedMs: undefined };
          } else {
            found.push({ index, visit: { ...state.open, exitedMs: ms } });
            state.open = undefined;
          }
        }
      }
    });

    const expected = found.map(({ index, visit }) => ({ index, ...visit }));
    const actual = watches.flatMap((watch, index) =>
      watch
        .visits()
        .filter((visit) => visit.exitedMs !== undefined)
        .map((visit) => ({ index, ...visit })),
    );
    const key = (visit: (typeof actual)[number]) =>
      [visit.index, visit.fenceId, Math.round((visit.exitedMs ?? 0) / 1_000)].join();
    const byKey = new Map(actual.map((visit) => [key(visit), visit]));
    expect(actual.length).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(60);
    for (const visit of expected) {
      const near = [-1, 0, 1]
        .map((s) => byKey.get(key({ ...visit, exitedMs: (visit.exitedMs ?? 0) + s * 1_000 })))
        .find((one) => Math.abs((one?.exitedMs ?? 0) - (visit.exitedMs ?? 0)) <= 70);
      // 50 ms of rounding to 0.1 s, and up to 20 ms of the walk's own step.
      expect.soft(near, key(visit)).toBeDefined();
      const entered = (near?.enteredMs ?? 0) - (visit.enteredMs ?? 0);
      expect.soft(Math.abs(entered)).toBeLessThanOrEqual(70);
    }
  });
});

describe("createWorkLedger", () => {
  it("createWorkLedger agrees with counting every 0.1 s, over a shift's start, end and midnight", () => {
    // 19:00 on one day to 03:00 on the next; the shift ends at 20:00.
    const startMs = Date.UTC(2026, 2, 2, 19);
    const shift = { start: "06:00", end: "20:00" };
    const world = buildWorld(9, 4, { shift, startMs, fences: 0 });
    const ledgers = world.assets.map((asset) => createWorkLedger(asset.calendar));
    const counted = world.assets.map(() => ({ in: 0, out: 0, on: 0 }));
    live(
      world,
      8 * 3_600,
      (tick, _asset, index) => {
        ledgers[index]?.add(tick);
        const sums = counted[index];
        if (sums === undefined) return;
        for (let ms = tick.fromMs; ms < tick.toMs; ms += 100) {
          const { engineOn } = tick.activityAt(ms);
          const { speedMps, loadPercent } = tick.motionAt(ms);
          if (engineOn) sums.on += 0.1;
          if (!engineOn || (speedMps * 3.6 <= 1 && loadPercent <= 10)) continue;
          const hour = new Date(ms).getUTCHours();
          sums[hour >= 6 && hour < 20 ? "in" : "out"] += 0.1;
        }
      },
      startMs,
    );
    let overtimeS = 0;
    for (const [index, ledger] of ledgers.entries()) {
      const days = ledger.days();
      const total = (pick: (day: (typeof days)[number]) => number) =>
        days.reduce((sum, day) => sum + pick(day), 0);
      // Counting in steps is off by up to 0.1 s at each of the few dozen changes of activity.
      expect.soft(total((day) => day.workingS)).toBeCloseTo(counted[index]?.in ?? -1, -1);
      expect.soft(total((day) => day.overtimeS)).toBeCloseTo(counted[index]?.out ?? -1, -1);
      expect.soft(total((day) => day.engineOnS)).toBeCloseTo(counted[index]?.on ?? -1, -1);
      overtimeS += total((day) => day.overtimeS);
    }
    expect(overtimeS).toBeGreaterThan(300);
  });

  it("createWorkLedger splits work at local midnight", () => {
    const startMs = Date.UTC(2026, 2, 2, 23, 30);
    const world = buildWorld(9, 4, { startMs, fences: 0 });
    const ledgers = world.assets.map((asset) => createWorkLedger(asset.calendar));
    live(world, 3_600, (tick, _asset, index) => ledgers[index]?.add(tick), startMs);
    const days = ledgers.flatMap((ledger) => ledger.days());
    expect(new Set(days.map(({ day }) => day))).toEqual(new Set(["2026-03-02", "2026-03-03"]));
    expect(Math.max(...days.map(({ engineOnS }) => engineOnS))).toBeLessThanOrEqual(1_800);
  });
});
