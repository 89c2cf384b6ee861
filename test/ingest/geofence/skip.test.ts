import { expect, test } from "vitest";
import { advanceFences } from "../../../ingest/geofence/advance.ts";
import type { Crossing } from "../../../ingest/geofence/crossing.ts";
import { newFenceFold, packFenceFold } from "../../../ingest/geofence/fence-fold.ts";
import { isWithin } from "../../../ingest/geofence/safe-disc.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { randomSite, timelineOf } from "./random-site.ts";
import { ASSET, rectangle, siteOf } from "./site.ts";
import { inShort, stay } from "./walk.ts";

const TRACKS = 1_000;
const FIXES = 60;

test("1,000 tracks have the same crossings at each fix with and without the skip, through all changes of fences", () => {
  const random = seededRandom(7);
  let crossings = 0;
  let skipped = 0;
  const different: string[] = [];

  for (let n = 0; n < TRACKS; n++) {
    const site = randomSite(random, FIXES);
    const timeline = timelineOf(site);
    const [fast, full] = [newFenceFold(), newFenceFold()];
    for (const [i, fix] of site.fixes.entries()) {
      const [a, b]: [Crossing[], Crossing[]] = [[], []];
      const { safe } = fast;
      advanceFences(fast, fix, ASSET, timeline, (crossing) => a.push(crossing));
      advanceFences(full, fix, ASSET, timeline, (crossing) => b.push(crossing), { skip: false });
      // Fences are also learned of in the middle of a track.
      if (i === FIXES / 2) timeline.apply(randomSite(random, 2).versions.map(laterThan(fix.tMs)));
      if (safe !== undefined && fast.safe === safe) skipped += 1;
      crossings += b.length;
      const isSame =
        JSON.stringify(a) === JSON.stringify(b) &&
        JSON.stringify(packFenceFold(fast)) === JSON.stringify(packFenceFold(full));
      if (!isSame) different.push(`track ${n} fix ${i}: ${a.map(inShort)} / ${b.map(inShort)}`);
    }
  }

  expect(different).toEqual([]);
  expect(crossings).toBeGreaterThan(TRACKS);
  // The site is crowded on purpose: there is an edge within reach of most fixes.
  expect(skipped).toBeGreaterThan((TRACKS * FIXES) / 10);
});

const laterThan =
  (tMs: number) =>
  (version: ReturnType<typeof rectangle>, i: number): typeof version => ({
    ...version,
    geofenceId: `${version.geofenceId}-later-${i}` as typeof version.geofenceId,
    validFromMs: tMs + 5_000,
    validToMs: undefined,
  });

test("a stationary asset 150 m from the nearest edge has a safe disc that almost reaches it", () => {
  const fold = newFenceFold();
  const timeline = siteOf(rectangle("f", [150, -100, 400, 100]));
  for (const fix of stay(0, 60, 0)) advanceFences(fold, fix, ASSET, timeline, () => undefined);
  const { safe } = fold;
  const [near, far] = [stay(0, 1, 149)[0], stay(0, 1, 150)[0]];

  expect(safe && near && isWithin(safe, near.lonDeg, near.latDeg)).toBe(true);
  expect(safe && far && isWithin(safe, far.lonDeg, far.latDeg)).toBe(false);
});
