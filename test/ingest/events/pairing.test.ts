import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairByOverlap, type Span } from "../../../ingest/events/pairing.ts";

const span = (fromMs: number, toMs: number, subject = "a"): Span => ({ subject, fromMs, toMs });
const OPEN = Number.POSITIVE_INFINITY;

describe("pairing of known and found spans", () => {
  it("gives a found span the known one it shares most time with", () => {
    const known = [span(0, 10), span(12, 30)];
    expect(pairByOverlap(known, [span(8, 25)])).toEqual([known[1]]);
  });

  it("gives each known span away once, the greatest overlap first", () => {
    const known = [span(0, 100)];
    expect(pairByOverlap(known, [span(0, 20), span(30, 90)])).toEqual([undefined, known[0]]);
  });

  it("prefers the earlier of two known spans with the same overlap", () => {
    const known = [span(20, 30), span(0, 10)];
    expect(pairByOverlap(known, [span(0, 30)])).toEqual([known[1]]);
  });

  it("pairing of known and found spans pairs spans that touch in one instant, and none that share no instant", () => {
    const known = [span(10, 10), span(50, 60)];
    expect(pairByOverlap(known, [span(10, 12), span(61, 70)])).toEqual([known[0], undefined]);
  });

  it("pairing of known and found spans never pairs spans of different subjects", () => {
    expect(pairByOverlap([span(0, 10, "a")], [span(0, 10, "b")])).toEqual([undefined]);
  });

  it("pairing of known and found spans pairs two spans that are not over", () => {
    const known = [span(5, OPEN), span(0, OPEN)];
    expect(pairByOverlap(known, [span(7, OPEN)])).toEqual([known[1]]);
  });

  it("pairing of known and found spans finds every pair that shares an instant, as a comparison of all with all does", () => {
    const spans = fc.array(
      fc.record({
        subject: fc.constantFrom("a", "b"),
        fromMs: fc.nat(20),
        lengthMs: fc.oneof(fc.nat(8), fc.constant(OPEN)),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(spans, spans, (some, others) => {
        const known = some.map((one) => span(one.fromMs, one.fromMs + one.lengthMs, one.subject));
        const found = others.map((one) => span(one.fromMs, one.fromMs + one.lengthMs, one.subject));
        const pairs = pairByOverlap(known, found);
        const free = known.filter((one) => !pairs.includes(one));
        const touches = (a: Span, b: Span) =>
          a.subject === b.subject && a.fromMs <= b.toMs && b.fromMs <= a.toMs;
        for (const [i, one] of found.entries()) {
          const pair = pairs[i];
          // Greedy pairing leaves no two spans alone that could be a pair.
          if (pair === undefined) expect(free.some((other) => touches(one, other))).toBe(false);
          else expect(touches(one, pair)).toBe(true);
        }
        const taken = pairs.filter((pair) => pair !== undefined);
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });
});
