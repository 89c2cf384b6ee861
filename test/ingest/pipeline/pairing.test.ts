import { describe, expect, it } from "vitest";
import { pairByOverlap, type Span } from "../../../ingest/pipeline/pairing.ts";

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

  it("pairs spans that touch in one instant, and none that share no instant", () => {
    const known = [span(10, 10), span(50, 60)];
    expect(pairByOverlap(known, [span(10, 12), span(61, 70)])).toEqual([known[0], undefined]);
  });

  it("never pairs spans of different subjects", () => {
    expect(pairByOverlap([span(0, 10, "a")], [span(0, 10, "b")])).toEqual([undefined]);
  });

  it("pairs two spans that are not over", () => {
    const known = [span(5, OPEN), span(0, OPEN)];
    expect(pairByOverlap(known, [span(7, OPEN)])).toEqual([known[1]]);
  });
});
