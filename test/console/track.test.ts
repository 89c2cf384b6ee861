import { describe, expect, it } from "vitest";
import {
  gapFeatures,
  lateFeatures,
  placeFeatures,
  runFeatures,
} from "../../console/map/track-features.ts";
import { classLooks } from "../../console/map/track-looks.ts";
import { trackStyle } from "../../console/map/track-style.ts";
import { speedSeries } from "../../console/pages/track/speed-series.ts";
import { LATE_MS } from "../../console/time/late.ts";
import { incidentsOf, lastingAt } from "../../console/track/incidents.ts";
import { momentAt, timeNear } from "../../console/track/moment.ts";
import { segmentSpeed, speedClass } from "../../console/track/speed.ts";
import { type Track, type TrackPoint, trackOf } from "../../console/track/track.ts";
import { LATE_AFTER_S } from "../../domain/equipment/lateness.ts";

const T0 = Date.UTC(2026, 2, 5, 10);
const iso = (s: number) => new Date(T0 + s * 1_000).toISOString();
const point = (s: number, longitude: number, more: Partial<TrackPoint> = {}): TrackPoint => ({
  ms: T0 + s * 1_000,
  latitude: 0,
  longitude,
  piece: 0,
  speedKmh: undefined,
  heading: undefined,
  accuracyM: undefined,
  isAccuracyEstimated: false,
  isTimeOfReceipt: false,
  lateMs: undefined,
  isLateUnknown: false,
  ...more,
});

const NOTHING_KNOWN = {
  ...{ distance_m: null, moving_s: null, stopped_s: null, unknown_s: null },
  max_speed_kmh: null,
};
const track = (points: readonly TrackPoint[], more: Partial<Track> = {}): Track => ({
  ...{ id: "a", name: "A", points, gaps: [], stops: [], crossings: [], lacksCrossings: false },
  ...{ summary: NOTHING_KNOWN, positions: points.length, mocked: 0, isThinned: false },
  ...{ late: 0, mostLateMs: undefined, lateUnknown: 0, lateStretches: [], lacksStretches: false },
  ...more,
});

describe("a track of the API", () => {
  it("keeps its pieces apart, and what is null is not known instead of 0", () => {
    const at = { latitude: 1, longitude: 2, speed_kmh: null, heading: null, accuracy_meters: null };
    const { points } = trackOf({
      ...{ asset_id: "a", name: "A", project_id: "p", positions: 3, mocked: 0, is_thinned: false },
      pieces: [
        { points: [{ ...at, timestamp: iso(0), flags: ["clock_corrected"] }] },
        { points: [{ ...at, timestamp: iso(900), flags: ["accuracy_from_hdop"] }] },
      ],
      ...{ gaps: [], stops: [], crossings: [], crossings_complete: true, summary: NOTHING_KNOWN },
      late: { positions: 0, most_s: null, unknown: 0, stretches: [], stretches_complete: true },
    });
    const place = { latitude: 1, longitude: 2 };
    expect(points).toEqual([
      { ...point(0, 2), ...place, isTimeOfReceipt: true },
      { ...point(900, 2), ...place, piece: 1, isAccuracyEstimated: true },
    ]);
  });
});

describe("late positions of a track", () => {
  const at = { latitude: 0, speed_kmh: null, heading: null, accuracy_meters: null };
  const late = [
    { ...at, longitude: 0, timestamp: iso(0) },
    { ...at, longitude: 1, timestamp: iso(10), received_late_s: 7_800 },
    { ...at, longitude: 3, timestamp: iso(30), received_late_s: 7_780 },
    { ...at, longitude: 4, timestamp: iso(40) },
  ];
  const stretch = { from: iso(10), to: iso(30), duration_s: 20, positions: 3, most_s: 7_800 };
  const one = trackOf(
    {
      ...{ asset_id: "a", name: "A", project_id: "p", positions: 5, mocked: 0, is_thinned: true },
      pieces: [{ points: late }],
      ...{ gaps: [], stops: [], crossings: [], crossings_complete: true, summary: NOTHING_KNOWN },
      late: {
        positions: 3,
        most_s: 7_800,
        unknown: 1,
        stretches: [stretch],
        stretches_complete: true,
      },
    },
    iso(40),
  );

  it("a moment says how late the positions were received that it rests on, or that nobody knows", () => {
    const latenessAt = (s: number) => {
      const moment = momentAt(one, T0 + s * 1_000);
      return moment.kind === "known" ? [moment.lateMs, moment.isLateUnknown] : [];
    };
    expect(latenessAt(0)).toEqual([undefined, true]);
    expect(latenessAt(10)).toEqual([7_800_000, false]);
    expect(latenessAt(20)).toEqual([7_800_000, false]);
    expect(latenessAt(35)).toEqual([7_780_000, false]);
    expect(latenessAt(40)).toEqual([undefined, false]);
  });

  it("late stretches are lines between marks, are in the list, and keep their places in thinned tracks", () => {
    const words = { late: (ms: number) => `${ms / 1_000} s` };
    const shape = (shown: Track) =>
      lateFeatures([shown], words).features.map(({ geometry, properties }) => [
        ...[geometry.type, properties.label, geometry.coordinates],
      ]);
    expect(shape(one)).toEqual([
      [
        "LineString",
        "",
        [
          [1, 0],
          [3, 0],
        ],
      ],
      ["Point", "7800 s", [1, 0]],
      ["Point", "", [3, 0]],
    ]);
    const thinned = { ...one, points: one.points.filter(({ lateMs }) => lateMs === undefined) };
    expect(shape(thinned)).toEqual(shape(one));
    expect(incidentsOf([one]).map(({ kind, fromMs }) => [kind, fromMs - T0])).toEqual([
      ["late", 10_000],
    ]);
  });

  it("the console calls late what the service calls late", () => {
    expect(LATE_MS).toBe(LATE_AFTER_S * 1_000);
  });
});

describe("a moment of a track", () => {
  const driven = track([
    point(0, 0, { speedKmh: 10 }),
    point(10, 0.001, { speedKmh: 20, heading: 90 }),
    point(1_000, 1, { piece: 1 }),
    point(1_010, 1.001, { piece: 1 }),
  ]);
  const at = (s: number) => momentAt(driven, T0 + s * 1_000);

  it("is on the straight line between two positions, and says so", () => {
    expect(at(5)).toMatchObject({
      ...{ kind: "known", longitude: 0.0005, isBetween: true },
      ...{ speedKmh: 10, isSpeedComputed: false },
    });
    expect(at(10)).toMatchObject({ kind: "known", isBetween: false, speedKmh: 20, heading: 90 });
  });

  it("is not known within a gap, after the last position and before the first", () => {
    expect(at(500)).toMatchObject({ kind: "silent", point: driven.points[1] });
    expect(at(1_011)).toEqual({ kind: "silent", point: driven.points[3], next: undefined });
    expect(at(-1)).toEqual({ kind: "unknown", next: driven.points[0] });
    expect(momentAt(track([]), T0)).toEqual({ kind: "unknown", next: undefined });
  });

  it("has a computed speed where none was reported, and none where there is nothing to compute it from", () => {
    // 0.001 degrees of the equator are 111.2 m; in 10 s that is 40 km/h.
    for (const s of [1_000, 1_005, 1_010]) {
      expect(at(s)).toMatchObject({ speedKmh: expect.closeTo(40, 0), isSpeedComputed: true });
    }
    expect(momentAt(track([point(0, 0)]), T0)).toMatchObject({ speedKmh: undefined });
  });
});

describe("the time of a place on a track", () => {
  // There and back: each place is passed twice.
  const loop = track([point(0, 0), point(100, 0.01), point(200, 0)]);

  it("is that of the pass whose time is nearest to the one that is shown", () => {
    const near = (nearS: number) => {
      const ms = timeNear(loop, { latitude: 0.0001, longitude: 0.0025 }, T0 + nearS * 1_000);
      return ms === undefined ? undefined : (ms - T0) / 1_000;
    };
    expect(near(0)).toBeCloseTo(25, 3);
    expect(near(200)).toBeCloseTo(175, 3);
  });

  it("is never within a gap, however near its straight line is", () => {
    const parted = track([point(0, 0), point(1_000, 0.01, { piece: 1 })]);
    expect(timeNear(parted, { latitude: 0, longitude: 0.004 }, T0)).toBe(T0);
    expect(timeNear(track([]), { latitude: 0, longitude: 0 }, T0)).toBeUndefined();
  });
});

describe("the lines of a track on the map", () => {
  const points = [
    point(0, 0, { speedKmh: 0 }),
    point(10, 0.001, { speedKmh: 10 }),
    point(20, 0.002, { speedKmh: 12 }),
    point(30, 0.003, { speedKmh: 40 }),
    point(1_000, 0.01, { piece: 1, speedKmh: 40 }),
    point(1_010, 0.02, { piece: 1, speedKmh: 40 }),
  ];

  it("begin anew where the class of speed changes, at the same place", () => {
    const { features } = runFeatures([track(points)]);
    expect(features.map(({ properties }) => properties.speed)).toEqual([2, 4, 4]);
    expect(features.map(({ geometry }) => geometry.coordinates.map(([lng]) => lng))).toEqual([
      [0, 0.001, 0.002],
      [0.002, 0.003],
      [0.01, 0.02],
    ]);
  });

  it("never join two pieces; the gap is a line of its own with its length", () => {
    const { features } = gapFeatures([track(points)], { duration: (ms) => `${ms / 1_000} s` });
    expect(features).toMatchObject([
      {
        properties: { track: 0, label: "970 s" },
        geometry: {
          coordinates: [
            [0.003, 0],
            [0.01, 0],
          ],
        },
      },
    ]);
  });

  it("take the short way over the antimeridian", () => {
    const [run] = runFeatures([track([point(0, 179.99), point(10, -179.99)])]).features;
    expect(run?.geometry.coordinates[1]?.[0]).toBeCloseTo(180.01, 6);
  });

  it("have stops with their lengths and crossings with what they are, at their times", () => {
    const place = { latitude: 1, longitude: 2 };
    const crossing = { ms: T0, type: "entered", fenceId: "yard", place } as const;
    const { features } = placeFeatures(
      [
        track(points, {
          stops: [{ fromMs: T0, toMs: T0 + 240_000, place }],
          crossings: [{ ...crossing, cause: "crossing", isInferred: true }],
        }),
      ],
      {
        duration: (ms) => `${ms / 60_000} min`,
        crossing: ({ fenceId, isInferred }) => `${fenceId} ${isInferred}`,
      },
    );
    expect(features.map(({ properties }) => properties)).toEqual([
      { track: 0, kind: "stop", ms: T0, label: "4 min" },
      { track: 0, kind: "crossing", ms: T0, label: "yard true" },
    ]);
  });

  it("are dashed where positions are missing, and each class of speed has a colour and a width", () => {
    for (const theme of ["light", "dark"] as const) {
      const layers = trackStyle(theme, undefined, 1).layers;
      const gaps = layers.find(({ id }) => id === "gaps");
      expect(gaps).toMatchObject({ source: "gaps", paint: { "line-dasharray": [3, 3] } });
      const looks = classLooks(theme);
      expect(new Set(looks.map(({ colour }) => colour)).size).toBe(looks.length);
      expect(new Set(looks.map(({ width }) => width)).size).toBe(looks.length);
      // Machines are above lines, and lines above fences.
      const order = ["fences", "gaps", "runs", "machines"].map((id) =>
        layers.findIndex((layer) => layer.id === id),
      );
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  });
});

describe("speeds of a track", () => {
  it("have five classes from standing to a public road", () => {
    expect([0, 0.9, 1, 4.9, 5, 14, 15, 30, 90].map(speedClass)).toEqual([
      0, 0, 1, 1, 2, 2, 3, 4, 4,
    ]);
  });

  it("are as reported, and computed only where neither position has one", () => {
    const reported = segmentSpeed(point(0, 0, { speedKmh: 7 }), point(10, 0.001));
    expect(reported).toEqual({ kmh: 7, isComputed: false });
    const computed = segmentSpeed(point(0, 0), point(10, 0.001));
    expect(computed).toEqual({ kmh: expect.closeTo(40.03, 1), isComputed: true });
  });

  it("are a line of the chart that ends with each piece, in the unit that is shown", () => {
    const points = [
      point(0, 0, { speedKmh: 16.093_44 }),
      point(10, 0, { speedKmh: 0 }),
      point(20, 0, { piece: 1, speedKmh: 32.186_88 }),
    ];
    const { samples, isComputed } = speedSeries({ points }, "imperial");
    expect(isComputed).toBe(false);
    expect(samples.map(({ ms, value }) => [ms - T0, value])).toEqual([
      [0, expect.closeTo(10, 9)],
      [10_000, 0],
      [10_001, null],
      [20_000, expect.closeTo(20, 9)],
    ]);
  });

  it("are computed for the chart if the device reports none at all", () => {
    const { samples, isComputed } = speedSeries(
      { points: [point(0, 0), point(10, 0.001)] },
      "metric",
    );
    expect(isComputed).toBe(true);
    expect(samples).toEqual([{ ms: T0 + 10_000, value: expect.closeTo(40.03, 1) }]);
  });
});

describe("the list beside the map", () => {
  const place = { latitude: 0, longitude: 0 };
  const tracks = [
    track([], {
      stops: [{ fromMs: T0 + 10_000, toMs: T0 + 20_000, place }],
      gaps: [{ fromMs: T0 + 30_000, toMs: T0 + 40_000, distanceM: 5 }],
    }),
    track([], {
      id: "b",
      crossings: [
        ...[{ ms: T0 + 15_000, type: "exited", fenceId: "f", place } as const].map((one) => ({
          ...one,
          cause: "crossing",
          isInferred: false,
        })),
      ],
    }),
  ];

  it("has stops, gaps and crossings of all machines in the order of their times", () => {
    const incidents = incidentsOf(tracks);
    expect(incidents.map(({ kind, track: { id } }) => [kind, id])).toEqual([
      ["stop", "a"],
      ["crossing", "b"],
      ["gap", "a"],
    ]);
    expect(new Set(incidents.map(({ key }) => key)).size).toBe(3);
  });

  it("marks what lasts at a time", () => {
    const kinds = (s: number) =>
      [...lastingAt(incidentsOf(tracks), T0 + s * 1_000)].map((key) => key.split(" ")[1]);
    expect(kinds(9)).toEqual([]);
    expect(kinds(15)).toEqual(["stop", "exited"]);
    expect(kinds(25)).toEqual([]);
    expect(kinds(40)).toEqual(["gap"]);
  });
});
