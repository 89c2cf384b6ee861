import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import { countOf } from "../../support/some-of.ts";
import {
  chances,
  drawing,
  fence,
  outcome,
  shuffled,
  spanOf,
  step,
  takenAsTheyCome,
  takenInOrder,
  versionsOf,
  walk,
} from "../../support/timeline-walk.ts";

describe("readings of 72 h in any order, any number of times", () => {
  it("readings of 72 h in any order, any number of times end in the same crossings, visits, utilisation and open alerts as readings in order", async () => {
    let withVisits = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 60 }),
        fc.array(fence, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        chances,
        async (steps, drawings, every, randoms) => {
          const readings = walk(steps);
          fc.pre(spanOf(readings) < 72 * HOUR_MS);
          const versions = versionsOf(drawings, readings);
          const inOrder = await takenInOrder(readings, versions);

          const next = drawing(randoms);
          const arriving = shuffled(readings, next);
          const run = await takenAsTheyCome(arriving, { learned: versions }, next, every);
          expect(run.track.lateFromMs).toBe(Number.POSITIVE_INFINITY);
          const expected = outcome(inOrder);
          expect(outcome(run)).toEqual(expected);
          if (expected.visits.length > 0) withVisits += 1;
        },
      ),
      { numRuns: countOf({ all: 1_000, some: 100 }) },
    );
    // The property would hold of an evaluator that sees nothing.
    expect(withVisits).toBeGreaterThan(countOf({ all: 300, some: 14 }));
  });
});

describe("readings of weeks, each up to 70 h late, marked historical or not", () => {
  it("readings of weeks, each up to 70 h late, marked historical or not end in the same crossings, days and hours as readings in order, however late the re-runs", async () => {
    let days = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 60 }),
        fc.array(fence, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        chances,
        async (steps, drawings, every, isPast, randoms) => {
          // Silences of up to two days.
          const readings = walk(
            steps.map((one) => ({ ...one, afterS: one.afterS * (one.afterS < 1_200 ? 1 : 24) })),
          );
          const newest = readings.at(-1) as Reading;
          const last = { ...newest, fixTimeMs: newest.fixTimeMs + 1_000 };
          const versions = versionsOf(drawings, readings);
          const next = drawing(randoms);
          const delayed = readings
            .map((one) => ({ one, atMs: one.fixTimeMs + lateBy(next()) }))
            .sort((a, b) => a.atMs - b.atMs)
            .map(({ one }) =>
              isPast && next() % 3 > 0 ? { ...one, isHistorical: true as const } : one,
            );
          const fences = { known: versions };
          const run = await takenAsTheyCome([...delayed, last], fences, next, every);
          const inOrder = await takenInOrder([...readings, last], versions);
          expect(outcome(run)).toEqual(outcome(inOrder));
          days += run.storedDays.size;
        },
      ),
      { numRuns: countOf({ all: 150, some: 15 }) },
    );
    expect(days).toBeGreaterThan(countOf({ all: 300, some: 15 }));
  });
});

/** One in three is late. */
const lateBy = (random: number): number => (random % 3 === 0 ? random % (70 * HOUR_MS) : 0);
