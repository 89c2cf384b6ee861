import { describe, expect, it } from "vitest";
import { scoreFleet } from "./fleet-score.ts";
import { machine, record, truthOf } from "./scene.ts";

/** Into the yard at 10 s, to its middle, and out at 50 s; 10 m/s, a fix every 4 s. */
const VISIT = {
  way: [
    [0, -100],
    [7, -30],
    [10, 0],
    [13, 30],
    [20, 100],
    [40, 100],
    [47, 30],
    [50, 0],
    [53, -30],
    [60, -100],
  ],
  fixesS: Array.from({ length: 16 }, (_, i) => 4 * i),
  visitsS: [[10, 50]],
} as const;

describe("scoreFleet", () => {
  it("scoreFleet finds a visit recorded at the fixes after its crossings, 2 s late", () => {
    const score = scoreFleet(truthOf(machine(VISIT)), [
      record("entered", 12),
      record("exited", 52),
    ]);

    expect(score).toMatchObject({
      truth: { clear: { all: 2, seen: 2 }, within_noise: { all: 0 }, between_fixes: { all: 0 } },
      recorded: 2,
      precision: 1,
      recall: 1,
      recallOfAll: 1,
      offMs: { median: 2_000, p99: 2_000 },
      missed: [],
      wrong: [],
    });
  });

  it("scoreFleet reads records by a clock that is 60 s ahead", () => {
    const truck = machine({ ...VISIT, clockSkewS: 60 });
    const score = scoreFleet(truthOf(truck), [record("entered", 72), record("exited", 112)]);

    expect([score.precision, score.recall]).toEqual([1, 1]);
  });

  it("scoreFleet counts an unrecorded crossing as missed", () => {
    const score = scoreFleet(truthOf(machine(VISIT)), [record("entered", 12)]);

    expect([score.precision, score.recall]).toEqual([1, 0.5]);
    expect(score.missed).toMatchObject([{ type: "exited", timesMs: [50_000] }]);
  });

  it("scoreFleet counts a second record of one crossing as doubled and leaves the nearer one", () => {
    const score = scoreFleet(truthOf(machine(VISIT)), [
      record("entered", 14),
      record("entered", 12),
      record("exited", 52),
    ]);

    expect(score.falseByKind).toEqual({ doubled: 1, inferred: 0, within_noise: 0, elsewhere: 0 });
    expect(score.wrong).toMatchObject([{ atMs: 14_000 }]);
    expect(score.precision).toBeCloseTo(2 / 3, 10);
    expect(score.repeated).toBe(0);
  });

  it("scoreFleet calls an exit and an entry of a machine that stands within the noise of the edge noise, not a doubled exit", () => {
    // It comes in, stands 3 m inside for 500 s, and leaves.
    const way = [
      [0, -80],
      [40, 3],
      [540, 3],
      [580, -80],
    ] as const;
    const fixesS = Array.from({ length: 60 }, (_, i) => i * 10);
    const truck = machine({ way, fixesS, visitsS: [[39, 541]] });
    const stand = [record("entered", 40), record("exited", 541)];
    const jitter = [record("exited", 530), record("entered", 535)];

    expect(scoreFleet(truthOf(truck), [...stand, ...jitter]).falseByKind).toEqual({
      ...{ doubled: 0, inferred: 0, within_noise: 2, elsewhere: 0 },
    });
    const [exit] = jitter;
    expect(
      scoreFleet(truthOf(truck), exit === undefined ? [] : [...stand, exit]).falseByKind,
    ).toEqual({
      ...{ doubled: 1, inferred: 0, within_noise: 0, elsewhere: 0 },
    });
  });

  it("scoreFleet does not call an entry doubled that is reported late, after the machine had left and come back", () => {
    // Never farther from the edge than the noise, so that its first entry may be reported at any time.
    const way = [
      [0, 5],
      [40, 5],
      [60, -5],
      [140, -5],
      [160, 5],
      [900, 5],
    ] as const;
    const fixesS = Array.from({ length: 90 }, (_, i) => i * 10);
    const truck = machine({
      ...{ way, fixesS },
      visitsS: [
        [undefined, 50],
        [150, undefined],
      ],
    });
    const score = scoreFleet(truthOf(truck), [
      record("entered", 20),
      record("exited", 55),
      record("entered", 800),
    ]);

    expect(score.falseByKind).toEqual({ doubled: 0, inferred: 0, within_noise: 1, elsewhere: 0 });
    expect(score.wrong).toMatchObject([{ atMs: 800_000 }]);
  });

  it("scoreFleet counts the same row twice", () => {
    const rows = [record("entered", 12), { ...record("entered", 12), eventId: "other" }];
    expect(scoreFleet(truthOf(machine(VISIT)), rows).repeated).toBe(1);
  });

  it("scoreFleet distinguishes records 80 m from the edge, 5 m beside it and inferred between fixes", () => {
    const way = [
      [0, -80],
      [20, -5],
      [100, -5],
      [200, -80],
    ] as const;
    const truck = machine({ way, fixesS: [0, 50, 100, 150, 200], visitsS: [] });
    const score = scoreFleet(truthOf(truck), [
      record("entered", 250),
      record("exited", 50),
      { ...record("exited", 160), inferred: true },
    ]);

    expect(score.falseByKind).toEqual({
      doubled: 0,
      inferred: 1,
      within_noise: 1,
      elsewhere: 1,
    });
    expect(score.precision).toBe(0);
  });

  it("scoreFleet asks for no record of a crossing within the noise, and takes one that is there for true", () => {
    const shallow = {
      way: [
        [0, -50],
        [5, 0],
        [6, 9],
        [7, 0],
        [12, -50],
      ],
      fixesS: [0, 6, 12],
      visitsS: [[5, 7]],
    } as const;
    const truth = truthOf(machine(shallow));

    expect(scoreFleet(truth, [])).toMatchObject({ precision: 1, recall: 1, recallOfAll: 0 });
    const seen = scoreFleet(truth, [record("entered", 6), record("exited", 12)]);
    expect(seen).toMatchObject({ precision: 1, recall: 1, recallOfAll: 1 });
  });

  it("scoreFleet expects a first fix inside to be recorded, and not as a crossing", () => {
    const parked = {
      way: [
        [0, 50],
        [100, 50],
      ],
      fixesS: [0, 50],
      visitsS: [[undefined, undefined]],
    } as const;
    const truth = truthOf(machine(parked));

    expect(scoreFleet(truth, [record("entered", 0, "first_fix")])).toMatchObject({
      recorded: 0,
      starts: { inside: 1, seen: 1, wrong: 0 },
    });
    expect(scoreFleet(truth, []).starts).toEqual({ inside: 1, seen: 0, wrong: 0 });
    const outside = truthOf(machine(VISIT));
    const wrong = scoreFleet(outside, [record("entered", 0, "first_fix")]);
    expect(wrong.starts).toEqual({ inside: 0, seen: 0, wrong: 1 });
  });

  it("scoreFleet counts records that no crossing explains by their cause", () => {
    const rows = [record("exited", 30, "fence_changed")];
    expect(scoreFleet(truthOf(machine(VISIT)), rows).otherCauses).toBe(1);
  });
});
