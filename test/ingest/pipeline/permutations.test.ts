import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fence,
  outcome,
  spanOf,
  step,
  takenInOrder,
  takenShuffled,
  versionsOf,
  walk,
} from "../../support/timeline-walk.ts";

const HOUR = 3_600_000;

describe("readings of 72 h in any order, any number of times", () => {
  it("end in the same crossings, visits, utilisation and open alerts as readings in order", async () => {
    let withVisits = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 60 }),
        fc.array(fence, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.nat(), { minLength: 150, maxLength: 150 }),
        async (steps, drawings, every, randoms) => {
          const readings = walk(steps);
          fc.pre(spanOf(readings) < 72 * HOUR);
          const versions = versionsOf(drawings, readings);
          const inOrder = await takenInOrder(readings, versions);

          let at = 0;
          const next = () => randoms[at++ % randoms.length] ?? 0;
          const run = await takenShuffled(readings, versions, next, every);
          expect(run.track.lateFromMs).toBe(Number.POSITIVE_INFINITY);
          expect(outcome(run)).toEqual(outcome(inOrder));
          if (outcome(inOrder).visits.length > 0) withVisits += 1;
        },
      ),
      { numRuns: 1_000 },
    );
    // The property would hold of an evaluator that sees nothing.
    expect(withVisits).toBeGreaterThan(300);
  }, 60_000);
});
