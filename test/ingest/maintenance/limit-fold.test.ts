import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Limit, limitsOf } from "../../../domain/equipment/maintenance.ts";
import {
  advanceLimits,
  advanceLimitsTo,
  copyLimitFold,
  type LimitChange,
  type LimitFold,
  type LimitRules,
  newLimitFold,
  packLimitFold,
  unpackLimitFold,
} from "../../../ingest/maintenance/limit-fold.ts";

const MIN = 60_000;
const hot = { id: "hot", field: "t", above: 105, clear_at: 100 };

/** Limits that are in force from the given times on, ms. */
function rulesOf(
  ...plans: readonly (readonly [fromMs: number, limits: readonly Limit[]])[]
): LimitRules {
  return {
    limitsAt: (atMs) => plans.findLast(([fromMs]) => fromMs <= atMs)?.[1] ?? [],
    changes: (fromMs, toMs) =>
      plans.map(([atMs]) => atMs).filter((atMs) => atMs > fromMs && atMs <= toMs),
  };
}

const rulesWith = (rule: object): LimitRules =>
  rulesOf([0, limitsOf({ limits: [{ ...hot, ...rule }] })]);

/** Folds samples of field `t` at minutes; returns the changes. */
function fold(
  rules: LimitRules,
  samples: readonly (readonly [minute: number, value: number | undefined])[],
  state: LimitFold = newLimitFold(),
): readonly (readonly [
  LimitChange["type"],
  minute: number,
  value: number | undefined,
  cause?: string,
])[] {
  const changes: (readonly [LimitChange["type"], number, number | undefined, string?])[] = [];
  for (const [minute, value] of samples) {
    const fields = value === undefined ? { other: 1 } : { t: value, other: 1 };
    advanceLimits(
      state,
      { tMs: minute * MIN, fields },
      rules,
      ({ type, atMs, value: at, cause }) => {
        changes.push(cause === "level" ? [type, atMs / MIN, at] : [type, atMs / MIN, at, cause]);
      },
    );
  }
  return changes;
}

describe("a limit", () => {
  it("a limit is exceeded above its level and over at its clear level, not between", () => {
    const samples = [
      [1, 105],
      [2, 105.1],
      [3, 104],
      [4, 106],
      [5, 100.1],
      [6, 100],
      [7, 104],
    ] as const;
    expect(fold(rulesWith({}), samples)).toEqual([
      ["exceeded", 2, 105.1],
      ["cleared", 6, 100],
    ]);
  });

  it("a limit works downwards too", () => {
    const rules = rulesWith({ above: undefined, below: 10, clear_at: 15 });
    expect(
      fold(rules, [
        [1, 10],
        [2, 9.9],
        [3, 14.9],
        [4, 15],
      ]),
    ).toEqual([
      ["exceeded", 2, 9.9],
      ["cleared", 4, 15],
    ]);
  });

  it("clears at the limit itself when the plan says no more", () => {
    expect(
      fold(rulesWith({ clear_at: undefined }), [
        [1, 106],
        [2, 105],
      ]),
    ).toEqual([
      ["exceeded", 1, 106],
      ["cleared", 2, 105],
    ]);
  });

  it("a limit with a duration is dated at the first sample of the run that lasted", () => {
    const rules = rulesWith({ for_s: 180 });
    const samples = [
      [1, 110],
      [2, 99],
      [3, 107],
      [4, 108],
      [5, 109],
      [6, 106],
      [7, 90],
    ] as const;
    expect(fold(rules, samples)).toEqual([
      ["exceeded", 3, 107],
      ["cleared", 7, 90],
    ]);
  });

  it("a limit with a duration begins anew after a value that is not beyond it, also above the clear level", () => {
    expect(
      fold(rulesWith({ for_s: 120 }), [
        [1, 110],
        [2, 103],
        [3, 110],
        [4, 110],
      ]),
    ).toEqual([]);
  });

  it("a limit counts a silence of the field of 5 min, and begins anew after a longer one", () => {
    const rules = rulesWith({ for_s: 300 });
    expect(
      fold(rules, [
        [1, 110],
        [6, 110],
      ]),
    ).toEqual([["exceeded", 1, 110]]);
    expect(
      fold(rules, [
        [1, 110],
        [6.1, 110],
        [11, 110],
      ]),
    ).toEqual([]);
    expect(
      fold(rules, [
        [1, 110],
        [6.1, 110],
        [11.1, 110],
      ]),
    ).toEqual([["exceeded", 6.1, 110]]);
  });

  it("a limit is not held up by readings that do not carry the field", () => {
    const rules = rulesWith({ for_s: 120 });
    expect(
      fold(rules, [
        [1, 110],
        [2, undefined],
        [3, 110],
        [4, Number.NaN],
      ]),
    ).toEqual([["exceeded", 1, 110]]);
  });

  it("a limit stays exceeded over any silence", () => {
    expect(
      fold(rulesWith({}), [
        [1, 110],
        [600, 104],
        [601, 100],
      ]),
    ).toEqual([
      ["exceeded", 1, 110],
      ["cleared", 601, 100],
    ]);
  });
});

describe("a plan that changes", () => {
  const limits = limitsOf({ limits: [hot] });

  it("a plan that changes ends what it no longer has at the change, not at the next sample", () => {
    expect(
      fold(rulesOf([0, limits], [3 * MIN, []]), [
        [1, 110],
        [5, 110],
      ]),
    ).toEqual([
      ["exceeded", 1, 110],
      ["cleared", 3, undefined, "plan_changed"],
    ]);
  });

  it("a plan that changes ends and begins anew what it has otherwise", () => {
    const critical = limits.map((limit) => ({ ...limit, severity: "critical" as const }));
    expect(
      fold(rulesOf([0, limits], [3 * MIN, critical]), [
        [1, 110],
        [5, 111],
      ]),
    ).toEqual([
      ["exceeded", 1, 110],
      ["cleared", 3, undefined, "plan_changed"],
      ["exceeded", 5, 111],
    ]);
  });

  it("a plan that changes leaves alone what it still has, whatever else is new", () => {
    const more = limitsOf({ limits: [hot, { id: "b", field: "u", below: 1 }] });
    expect(
      fold(rulesOf([0, limits], [3 * MIN, more]), [
        [1, 110],
        [5, 100],
      ]),
    ).toEqual([
      ["exceeded", 1, 110],
      ["cleared", 5, 100],
    ]);
  });

  it("a sample is evaluated by the plan of its own time", () => {
    expect(
      fold(rulesOf([2 * MIN, limits]), [
        [1, 110],
        [3, 111],
      ]),
    ).toEqual([["exceeded", 3, 111]]);
  });
});

describe("the fold", () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 });
  const values = fc.infiniteStream(fc.constantFrom(90, 100, 103, 106, 110, undefined));
  const rules = rulesOf(
    [0, limitsOf({ limits: [{ ...hot, for_s: 120 }] })],
    [
      20 * MIN,
      limitsOf({
        limits: [
          { ...hot, for_s: 60 },
          { id: "cold", field: "t", below: 95 },
        ],
      }),
    ],
    [40 * MIN, []],
    [45 * MIN, limitsOf({ limits: [hot] })],
  );

  it("the fold goes on from any copy, stored or not, as if it had never stopped", () => {
    fc.assert(
      fc.property(minutes, values, fc.nat(30), (unsorted, stream, cut) => {
        const samples = unsorted
          .toSorted((a, b) => a - b)
          .map((minute) => [minute, stream.next().value] as const);
        const whole = newLimitFold();
        const changes = fold(rules, samples, whole);
        const first = newLimitFold();
        const before = fold(rules, samples.slice(0, cut), first);
        const copy = copyLimitFold(first);
        const stored = unpackLimitFold(JSON.parse(JSON.stringify(packLimitFold(first))));
        for (const rest of [first, copy, stored]) {
          expect([...before, ...fold(rules, samples.slice(cut), rest)]).toEqual(changes);
          expect(rest).toEqual(whole);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("the fold ends equal whether or not it received changes of the plan between two samples", () => {
    fc.assert(
      fc.property(minutes, values, fc.integer({ min: 1, max: 59 }), (unsorted, stream, pause) => {
        const samples = unsorted
          .toSorted((a, b) => a - b)
          .map((minute) => [minute, stream.next().value] as const);
        const changes: LimitChange[] = [];
        const state = newLimitFold();
        const of = ([minute, value]: readonly [number, number | undefined]) => ({
          tMs: minute * MIN,
          fields: value === undefined ? {} : { t: value },
        });
        const emit = (change: LimitChange) => changes.push(change);
        for (const sample of samples) {
          const at = pause * MIN;
          // Only a time that no later sample falls before.
          if (at < sample[0] * MIN) advanceLimitsTo(state, at, rules, emit);
          advanceLimits(state, of(sample), rules, emit);
        }
        expect(changes.map(({ type, atMs }) => [type, atMs / MIN])).toEqual(
          fold(rules, samples).map(([type, minute]) => [type, minute]),
        );
      }),
    );
  });
});
