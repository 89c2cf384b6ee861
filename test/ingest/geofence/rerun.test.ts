import fc from "fast-check";
import { expect, test } from "vitest";
import { advanceFences, advanceFencesTo } from "../../../ingest/geofence/advance.ts";
import type { Crossing, FenceFix } from "../../../ingest/geofence/crossing.ts";
import {
  copyFenceFold,
  type FenceFold,
  newFenceFold,
  packFenceFold,
  unpackFenceFold,
} from "../../../ingest/geofence/fence-fold.ts";
import type { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { randomSite, timelineOf } from "./random-site.ts";
import { ASSET } from "./site.ts";

const FIXES = 80;
const RUNS = { numRuns: 200 };
const seed = fc.nat();
const place = fc.integer({ min: 1, max: FIXES - 1 });

/** Folds fixes and returns their crossings. */
function run(fold: FenceFold, fixes: readonly FenceFix[], timeline: FenceTimeline) {
  const crossings: Crossing[] = [];
  for (const fix of fixes) {
    advanceFences(fold, fix, ASSET, timeline, (crossing) => crossings.push(crossing));
  }
  return { crossings, end: packFenceFold(fold) };
}

test("a re-run from a copy of any moment finds the same crossings and ends equal", () => {
  fc.assert(
    fc.property(seed, place, (n, at) => {
      const site = randomSite(seededRandom(n), FIXES);
      const timeline = timelineOf(site);
      const fold = newFenceFold();
      run(fold, site.fixes.slice(0, at), timeline);
      const copy = copyFenceFold(fold);
      const first = run(fold, site.fixes.slice(at), timeline);

      expect(run(copy, site.fixes.slice(at), timeline)).toEqual(first);
    }),
    RUNS,
  );
});

test("a fold that was stored as JSON goes on as if it had not been", () => {
  fc.assert(
    fc.property(seed, place, (n, at) => {
      const site = randomSite(seededRandom(n), FIXES);
      const timeline = timelineOf(site);
      const fold = newFenceFold();
      run(fold, site.fixes.slice(0, at), timeline);
      const packed = packFenceFold(fold);
      const stored = unpackFenceFold(JSON.parse(JSON.stringify(packed)));

      expect(packFenceFold(stored)).toEqual(packed);
      expect(run(stored, site.fixes.slice(at), timeline)).toEqual(
        run(fold, site.fixes.slice(at), timeline),
      );
    }),
    RUNS,
  );
});

test("applying fence changes as they come finds the same crossings as applying them at the next fix", () => {
  fc.assert(
    fc.property(seed, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (n, shares) => {
      const site = randomSite(seededRandom(n), FIXES);
      const timeline = timelineOf(site);
      const [eager, lazy] = [newFenceFold(), newFenceFold()];
      const crossings: Crossing[] = [];
      const emit = (crossing: Crossing): void => void crossings.push(crossing);
      for (const [i, fix] of site.fixes.entries()) {
        const beforeMs = site.fixes[i - 1]?.tMs ?? fix.tMs - 1_000;
        const share = shares[i % Math.max(1, shares.length)] ?? 0.5;
        const betweenMs = Math.floor(beforeMs + share * (fix.tMs - 1 - beforeMs));
        advanceFencesTo(eager, betweenMs, ASSET, timeline, emit);
        advanceFences(eager, fix, ASSET, timeline, emit);
      }

      expect({ crossings, end: packFenceFold(eager) }).toEqual(run(lazy, site.fixes, timeline));
    }),
    RUNS,
  );
});

test("the order in which versions were learned changes nothing", () => {
  fc.assert(
    fc.property(seed, fc.infiniteStream(fc.nat()), (n, order) => {
      const site = randomSite(seededRandom(n), FIXES);
      const ranks = new Map(site.versions.map((version) => [version, order.next().value]));
      const shuffled = site.versions.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));

      expect(run(newFenceFold(), site.fixes, timelineOf({ ...site, versions: shuffled }))).toEqual(
        run(newFenceFold(), site.fixes, timelineOf(site)),
      );
    }),
    RUNS,
  );
});

test("the crossings of a fence alternate between entered and exited, in the order of time", () => {
  let count = 0;
  fc.assert(
    fc.property(seed, (n) => {
      const site = randomSite(seededRandom(n), FIXES);
      const { crossings } = run(newFenceFold(), site.fixes, timelineOf(site));
      const last = new Map<string, Crossing>();
      for (const crossing of crossings) {
        const before = last.get(crossing.fence.geofenceId);
        expect(crossing.type).toBe(before?.type === "entered" ? "exited" : "entered");
        expect(crossing.atMs).toBeGreaterThanOrEqual(before?.atMs ?? 0);
        last.set(crossing.fence.geofenceId, crossing);
        count += 1;
      }
    }),
    RUNS,
  );
  expect(count).toBeGreaterThan(RUNS.numRuns);
});
