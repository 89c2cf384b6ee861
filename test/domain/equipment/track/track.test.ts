import { describe, expect, it } from "vitest";
import { lateStretches } from "../../../../domain/equipment/track/late-stretches.ts";
import { stopsWithin, type TrackStop } from "../../../../domain/equipment/track/stops.ts";
import { thinnedRows } from "../../../../domain/equipment/track/thin-track.ts";
import { trackFigures } from "../../../../domain/equipment/track/track-figures.ts";
import { piecesOf, type TrackFixes } from "../../../../domain/equipment/track/track-fixes.ts";
import { offsetLocation } from "../../../../domain/geodesy.ts";

const ORIGIN = { latitude: 53.5, longitude: 9.9 };

interface Fix {
  readonly s: number;
  readonly eastM?: number;
  readonly northM?: number;
  readonly speed?: number;
  /** Seconds until its receipt, of one that was late. */
  readonly late?: number;
}

/** Fixes at metres from one place and seconds from the epoch. */
function trackOf(rows: readonly Fix[]): TrackFixes {
  const places = rows.map(({ eastM = 0, northM = 0 }) => offsetLocation(ORIGIN, eastM, northM));
  const none = new Float64Array(rows.length).fill(Number.NaN);
  return {
    timesMs: Float64Array.from(rows, ({ s }) => s * 1_000),
    latitudes: Float64Array.from(places, ({ latitude }) => latitude),
    longitudes: Float64Array.from(places, ({ longitude }) => longitude),
    speedsKmh: Float64Array.from(rows, ({ speed }) => speed ?? Number.NaN),
    headings: none,
    accuraciesM: none,
    latesS: Float64Array.from(rows, ({ late }) => late ?? Number.NaN),
    flags: new Uint8Array(rows.length),
  };
}

const seconds = (n: number, fix: (s: number) => Omit<Fix, "s"> = () => ({}), from = 0) =>
  Array.from({ length: n }, (_, i): Fix => ({ s: from + i, ...fix(i) }));
const stopsOf = (track: TrackFixes): readonly TrackStop[] =>
  piecesOf(track.timesMs)
    .flatMap((piece) => [...stopsWithin(track, piece)])
    .filter((stop) => stop !== undefined);

describe("pieces of a track", () => {
  it("a step of 5 min stays in its piece, and one of 5 min and 1 s begins the next", () => {
    const { timesMs } = trackOf([{ s: 0 }, { s: 300 }, { s: 601 }, { s: 602 }]);
    expect(piecesOf(timesMs)).toEqual([
      { start: 0, end: 2 },
      { start: 2, end: 4 },
    ]);
    expect(piecesOf(new Float64Array(0))).toEqual([]);
  });
});

describe("stops of a track", () => {
  it("a machine that drives, stands for 4 min and drives on has one stop of 4 min", () => {
    const drive = seconds(60, (i) => ({ eastM: i * 10 }));
    const stand = seconds(241, (i) => ({ eastM: 600, northM: (i % 3) * 4 }), 60);
    const on = seconds(60, (i) => ({ eastM: 600, northM: 40 + i * 10 }), 301);
    const track = trackOf([...drive, ...stand, ...on]);
    const [stop, ...more] = stopsOf(track);
    expect(more).toEqual([]);
    // It comes within 25 m two seconds early.
    expect((track.timesMs[stop?.start ?? 0] as number) / 1_000).toBeGreaterThanOrEqual(57);
    expect((track.timesMs[stop?.start ?? 0] as number) / 1_000).toBeLessThanOrEqual(60);
    expect((track.timesMs[(stop?.end ?? 1) - 1] as number) / 1_000).toBe(300);
  });

  it("a paver at 0.2 m/s does not stop", () => {
    expect(stopsOf(trackOf(seconds(3_600, (i) => ({ eastM: i * 0.2 }))))).toEqual([]);
  });

  it("a stay of 179 s is no stop, and one of 180 s is", () => {
    expect(stopsOf(trackOf(seconds(180)))).toEqual([]);
    expect(stopsOf(trackOf(seconds(181)))).toHaveLength(1);
  });

  it("positions that jump away for 50 s do not end a stop, and for 70 s they do", () => {
    const away = (from: number, to: number) => (i: number) => ({
      eastM: i >= from && i < to ? 400 : 0,
    });
    expect(stopsOf(trackOf(seconds(1_000, away(400, 450))))).toHaveLength(1);
    expect(stopsOf(trackOf(seconds(1_000, away(400, 470))))).toHaveLength(2);
  });

  it("a silence over 5 min ends a stop: nobody knows where the machine was", () => {
    const track = trackOf([...seconds(301), ...seconds(301, () => ({}), 1_000)]);
    expect(stopsOf(track).map(({ start, end }) => [start, end])).toEqual([
      [0, 301],
      [301, 602],
    ]);
  });

  it("the search for stops goes through a row 30 times at most, whatever the device sends", () => {
    // 10 Hz at the pace that nearly is a stop: every candidate fails as late as it can.
    const rows = Array.from({ length: 200_000 }, (_, i) => ({ s: i / 10, eastM: (i / 10) * 0.17 }));
    const turns = [...stopsWithin(trackOf(rows), { start: 0, end: rows.length })];
    expect(turns.length).toBeGreaterThan(0);
    expect(turns.length * 20_000).toBeLessThan(rows.length * 30);
  });
});

describe("figures of a track", () => {
  it("distance is that of the steps outside stops and gaps; times add up to the whole", () => {
    const drive = seconds(61, (i) => ({ eastM: i * 10, speed: i }));
    const later = seconds(11, (i) => ({ eastM: 5_000 + i * 10 }), 1_000);
    const track = trackOf([...drive, ...later]);
    const pieces = piecesOf(track.timesMs);
    const figures = trackFigures(track, pieces, stopsOf(track));
    expect(figures.distanceM).toBeCloseTo(700, 0);
    expect({ ...figures, distanceM: 0 }).toEqual({
      distanceM: 0,
      movingMs: 70_000,
      stoppedMs: 0,
      unknownMs: 940_000,
      maxSpeedKmh: 60,
    });
  });

  it("noise within a stop is no distance", () => {
    const track = trackOf(seconds(600, (i) => ({ eastM: (i % 2) * 8 })));
    const figures = trackFigures(track, piecesOf(track.timesMs), stopsOf(track));
    expect([figures.distanceM, figures.movingMs, figures.stoppedMs]).toEqual([0, 0, 599_000]);
    expect(figures.maxSpeedKmh).toBeNull();
  });

  it("of a track without positions nothing is known, and of one position no distance", () => {
    const nothing = trackFigures(trackOf([]), [], []);
    expect(Object.values(nothing)).toEqual([null, null, null, null, null]);
    const one = trackOf([{ s: 0 }]);
    expect(trackFigures(one, piecesOf(one.timesMs), []).distanceM).toBeNull();
  });
});

describe("late stretches of a track", () => {
  it("a late stretch has late fixes only, and ends with its piece", () => {
    const track = trackOf(
      [{ s: 0 }, { s: 1, late: 90 }, { s: 2, late: 89 }, { s: 3 }, { s: 4, late: 61 }].concat([
        { s: 400, late: 70 },
        { s: 401 },
        { s: 402, late: 99 },
      ]),
    );
    expect(lateStretches(track, piecesOf(track.timesMs))).toEqual([
      { start: 1, end: 3 },
      { start: 4, end: 5 },
      { start: 5, end: 6 },
      { start: 7, end: 8 },
    ]);
  });
});

describe("thinned tracks", () => {
  /** Ten laps of 500 s with a spike of one fix to the north, one of speed, and a stop at the end. */
  const rows = [
    ...seconds(5_000, (i) => ({
      eastM: 400 * Math.cos(i / 80),
      northM: i === 3_333 ? 2_000 : 400 * Math.sin(i / 80),
      speed: i === 1_234 ? 99 : 20,
    })),
    ...seconds(400, () => ({ eastM: 900 }), 5_000),
    ...seconds(3, (i) => ({ eastM: 900 + i }), 6_000),
  ];
  const track = trackOf(rows);
  const pieces = piecesOf(track.timesMs);
  const stops = stopsOf(track);
  const kept = thinnedRows(track, pieces, stops, [], 200);

  it("a thinned track keeps the extremes, and the ends of its pieces and stops", () => {
    expect(kept.length).toBeLessThanOrEqual(200);
    expect(stops).toHaveLength(1);
    const ends = [...pieces, ...stops].flatMap(({ start, end }) => [start, end - 1]);
    expect([...kept]).toEqual(expect.arrayContaining([...ends, 3_333, 1_234]));
    expect([...kept]).toEqual([...new Set(kept)].toSorted((a, b) => a - b));
  });

  it("a track of ten laps that is thinned to 200 points stays within 250 m of the whole one at every second", () => {
    let worst = 0;
    const at = (row: number, name: "latitudes" | "longitudes") => track[name][row] as number;
    for (let k = 1; k < kept.length; k += 1) {
      const [a, b] = [kept[k - 1] as number, kept[k] as number];
      for (let row = a; row <= b && b < 3_300; row += 1) {
        const part = (row - a) / (b - a);
        const off = (name: "latitudes" | "longitudes") =>
          at(row, name) - (at(a, name) + part * (at(b, name) - at(a, name)));
        worst = Math.max(worst, Math.hypot(off("latitudes") * 111_000, off("longitudes") * 66_000));
      }
    }
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(250);
  });

  it("a thinned track keeps both ends of its late stretches, and its shape beside many of them", () => {
    const late = [{ start: 2_000, end: 2_601 }];
    expect([...thinnedRows(track, pieces, stops, late, 200)]).toEqual(
      expect.arrayContaining([2_000, 2_600]),
    );
    const many = Array.from({ length: 2_500 }, (_, i) => ({ start: i * 2, end: i * 2 + 1 }));
    const rowsOfMany = thinnedRows(track, pieces, stops, many, 200);
    expect(rowsOfMany.length).toBeLessThanOrEqual(200);
    expect([...rowsOfMany].filter((row) => row > 2_600 && row < 5_000).length).toBeGreaterThan(30);
  });

  it("a track of more pieces than points keeps within the limit", () => {
    const sparse = trackOf(Array.from({ length: 1_000 }, (_, i) => ({ s: i * 600, eastM: i })));
    const few = thinnedRows(sparse, piecesOf(sparse.timesMs), [], [], 10);
    expect(few.length).toBeLessThanOrEqual(10);
    expect([few[0], few.at(-1)]).toEqual([0, 999]);
  });
});
