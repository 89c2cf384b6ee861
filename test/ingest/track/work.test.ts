import { describe, expect, it } from "vitest";
import { offsetLocation } from "../../../domain/geodesy.ts";
import {
  advanceWork,
  MAX_GAP_MS,
  newWorkState,
  type WorkSample,
} from "../../../ingest/track/work.ts";

const T0 = Date.parse("2026-06-01T08:00:00Z");
const yard = { latitude: 52.5, longitude: 13.4 };
const nothing: Omit<WorkSample, "tMs"> = {
  latitude: Number.NaN,
  longitude: Number.NaN,
  accuracyM: 3,
  speedKmh: Number.NaN,
  engineOn: Number.NaN,
  loadPercent: Number.NaN,
};

/** Folds samples given as seconds after T0 and returns seconds of work and engine, and metres. */
function fold(samples: readonly (Partial<WorkSample> & { readonly s: number })[]) {
  const state = newWorkState();
  const sum = { workingS: 0, engineOnS: 0, meters: 0 };
  for (const { s, ...sample } of samples) {
    advanceWork(
      state,
      { ...nothing, ...sample, tMs: T0 + s * 1000 },
      {
        working: (from, to) => {
          sum.workingS += (to - from) / 1000;
        },
        engineOn: (from, to) => {
          sum.engineOnS += (to - from) / 1000;
        },
        travelled: (_at, meters) => {
          sum.meters += meters;
        },
      },
    );
  }
  return { ...sum, state };
}

const every = (stepS: number, count: number, sample: Partial<WorkSample>) =>
  Array.from({ length: count + 1 }, (_, i) => ({ s: i * stepS, ...sample }));

describe("working time", () => {
  it("working time counts an engine that runs without load or speed reported as work", () => {
    const { workingS, engineOnS } = fold(every(10, 60, { engineOn: 1 }));
    expect({ workingS, engineOnS }).toEqual({ workingS: 600, engineOnS: 600 });
  });

  it("working time does not count an engine that idles: speed 0, load 10 %", () => {
    const { workingS, engineOnS } = fold(
      every(10, 60, { engineOn: 1, speedKmh: 0, loadPercent: 10 }),
    );
    expect({ workingS, engineOnS }).toEqual({ workingS: 0, engineOnS: 600 });
  });

  it.each([
    ["speed above 1 km/h", { engineOn: 1, speedKmh: 1.1 }, 600],
    ["load above 10 %", { engineOn: 1, speedKmh: 0, loadPercent: 10.1 }, 600],
    ["movement with the engine off (towed)", { engineOn: 0, speedKmh: 20 }, 0],
    ["movement of a machine that reports no engine", { speedKmh: 20 }, 600],
    ["a machine that reports nothing", {}, 0],
  ])("of %s", (_name, sample, workingS) => {
    expect(fold(every(10, 60, sample)).workingS).toBe(workingS);
  });

  it("working time credits nothing for a silence of more than 5 min, all of one of 5 min", () => {
    const limitS = MAX_GAP_MS / 1000;
    expect(fold(every(limitS, 1, { engineOn: 1 })).workingS).toBe(300);
    expect(fold(every(limitS + 1, 1, { engineOn: 1 })).workingS).toBe(0);
  });

  it("working time believes an engine report for 5 min while other readings go on", () => {
    const readings = every(60, 10, {}).map((sample, i) =>
      i === 0 ? { ...sample, engineOn: 1 } : sample,
    );
    // Held at 0, 60, ... 300 s; the interval that starts at 300 s is the last one credited.
    expect(fold(readings).workingS).toBe(360);
  });

  it("working time of a machine that reports positions only is its movement, credited once", () => {
    // 2 m/s east for 10 min at 1 Hz; every fifth fix or so is more than 10 m from the anchor.
    const track = Array.from({ length: 601 }, (_, s) => ({ s, ...offsetLocation(yard, 2 * s, 0) }));
    const { workingS, meters } = fold(track);
    expect(workingS).toBeGreaterThan(590);
    expect(workingS).toBeLessThanOrEqual(600);
    expect(meters).toBeGreaterThan(1_180);
    expect(meters).toBeLessThanOrEqual(1_201);
  });

  it("working time of a parked machine whose fixes wander by 4 m is none", () => {
    const track = Array.from({ length: 3_600 }, (_, s) => ({
      s,
      ...offsetLocation(yard, 4 * Math.sin(s / 40), 4 * Math.cos(s / 55)),
    }));
    expect(fold(track)).toMatchObject({ workingS: 0, meters: 0 });
  });

  it("working time is not made by one outlier 5 km away", () => {
    const track = Array.from({ length: 120 }, (_, s) => ({
      s,
      ...(s === 30 ? offsetLocation(yard, 5_000, 0) : yard),
    }));
    expect(fold(track)).toMatchObject({ workingS: 0, meters: 0 });
  });
});

describe("course of a device that reports none", () => {
  it("the course of a device that reports none is taken from fixes more than twice the accuracy apart", () => {
    const track = Array.from({ length: 30 }, (_, s) => ({ s, ...offsetLocation(yard, 0, 5 * s) }));
    const { state } = fold(track);
    expect(state.derivedSpeedKmh).toBeCloseTo(18, 1);
    expect(state.derivedHeading).toBeCloseTo(0, 1);
  });

  it("the course of a device that reports none is not known before the fixes show it, and its speed is 0 a minute after the machine stopped", () => {
    const { state: parked } = fold(every(1, 10, yard));
    expect([parked.derivedSpeedKmh, parked.derivedHeading]).toEqual([Number.NaN, Number.NaN]);
    const { state: stayed } = fold(every(1, 100, yard));
    expect([stayed.derivedSpeedKmh, stayed.derivedHeading]).toEqual([0, Number.NaN]);
    const track = Array.from({ length: 120 }, (_, s) => ({
      s,
      ...offsetLocation(yard, 5 * Math.min(s, 30), 0),
    }));
    const { state } = fold(track);
    expect(state.derivedSpeedKmh).toBe(0);
    expect(state.derivedHeading).toBeCloseTo(90, 1);
  });
});
