import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import { viewOf } from "../../../ingest/asset-state/track-view.ts";
import { applyLiveState } from "../../../ingest/stages/live-state.ts";
import { type AssetTrack, newAssetTrack } from "../../../ingest/track/asset-track.ts";
import { countOf } from "../../support/some-of.ts";
import { ASSET, PROJECT } from "../../support/timeline-run.ts";
import {
  type ArrivalWatch,
  byTime,
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

/** The reading as sent by a device that was out of reach then, with a fault that it had. */
const sentLate = (reading: Reading): Reading => ({
  ...reading,
  faults: [{ spn: 110, fmi: 0, occurrence_count: 3 }],
  isHistorical: true,
});

/** What is shown as of now and comes from the newest readings themselves. */
const newestOf = ({ latest, fixOrigin, lastUpdateMs, faults, faultsRank }: AssetTrack) => ({
  latest: new Map([...latest].sort()),
  ...{ fixOrigin, lastUpdateMs, faults, faultsRank },
});

/** The same of the live readings alone. */
function newestOfLive(readings: readonly Reading[]) {
  const track = newAssetTrack(ASSET, PROJECT);
  for (const one of readings) {
    if (one.isHistorical === true) continue;
    const batch = { assetId: ASSET, projectId: PROJECT, receivedAtMs: one.fixTimeMs };
    applyLiveState(track, one, { ...batch, readings: [one] });
  }
  return newestOf(track);
}

/** What is shown as of now; when the device was heard last is not part of it. */
const shown = (track: AssetTrack) => ({ ...viewOf(track), lastReceivedAtMs: 0 });

describe("historical readings among live ones, in any order, any number of times", () => {
  it("end in the past of readings in order, and never are a part of now before a live one is", async () => {
    let ahead = 0;
    let settled = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.integer({ min: 0, max: 3 })), { minLength: 2, maxLength: 40 }),
        fc.array(fence, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        chances,
        async (steps, drawings, every, randoms) => {
          const plain = walk(steps.map(([one]) => one));
          fc.pre(spanOf(plain) < 72 * HOUR_MS);
          const versions = versionsOf(drawings, plain);
          const readings = plain.map((one, i) => (steps[i]?.[1] === 0 ? one : sentLate(one)));
          const newest = plain.at(-1) as Reading;
          const last = { ...newest, fixTimeMs: newest.fixTimeMs + 1_000 };

          const next = drawing(randoms);
          const watch: ArrivalWatch = {
            arriving(one, { run }) {
              const { tMs } = run.track.work;
              if (one.isHistorical !== true || one.fixTimeMs <= tMs) return () => undefined;
              ahead += 1;
              const before = { shown: shown(run.track), lateFromMs: run.track.lateFromMs };
              const { length } = run.events;
              return () => {
                expect({ shown: shown(run.track), lateFromMs: run.track.lateFromMs }).toEqual(
                  before,
                );
                expect(run.events).toHaveLength(length);
              };
            },
            async settled({ run, readings: arrived, versions: learned }) {
              expect(newestOf(run.track)).toEqual(newestOfLive(arrived));
              if (next() % 4 !== 0) return;
              if (run.track.ahead !== undefined) settled += 1;
              const frontMs = Math.max(
                0,
                ...arrived.filter((one) => !one.isHistorical).map((one) => one.fixTimeMs),
              );
              const passed = arrived.filter(({ fixTimeMs }) => fixTimeMs <= frontMs);
              expect(outcome(run)).toEqual(outcome(await takenInOrder(passed.map(live), learned)));
            },
          };
          const arriving = [...shuffled(readings, next), last];
          const run = await takenAsTheyCome(arriving, { learned: versions }, next, every, watch);
          expect(run.track.lateFromMs).toBe(Number.POSITIVE_INFINITY);
          expect(run.track.ahead).toBeUndefined();
          const inOrder = await takenInOrder([...plain, last], versions);
          expect(outcome(run)).toEqual(outcome(inOrder));
        },
      ),
      { numRuns: countOf({ all: 180, some: 45 }) },
    );
    expect(ahead).toBeGreaterThan(countOf({ all: 300, some: 75 }));
    expect(settled).toBeGreaterThan(countOf({ all: 30, some: 7 }));
  });

  it("historical readings take their place after days out of reach, whatever the order in which they arrive", async () => {
    let days = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 30, maxLength: 60 }),
        fc.array(fence, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        fc.array(fc.nat(), { minLength: 100, maxLength: 100 }),
        async (steps, drawings, cut, randoms) => {
          // Longer silences, of up to four days.
          const plain = walk(
            steps.map((one) => ({ ...one, afterS: one.afterS * (one.afterS < 1_200 ? 1 : 48) })),
          );
          const versions = versionsOf(drawings, plain);
          const before = plain.slice(0, cut % (plain.length - 1));
          const away = plain.slice(before.length, -1).map(sentLate);
          const run = await takenInOrder(before, versions);
          const keyed = away.map((one, i) => ({ one, key: randoms[i] ?? 0 }));
          for (const { one } of keyed.toSorted((a, b) => a.key - b.key)) await run.take(one);
          await run.take(plain.at(-1) as Reading);
          await run.rerun();
          const inOrder = await takenInOrder(plain.toSorted(byTime), versions);
          expect(outcome(run)).toEqual(outcome(inOrder));
          days += run.storedDays.size;
        },
      ),
      { numRuns: countOf({ all: 70, some: 20 }) },
    );
    expect(days).toBeGreaterThan(countOf({ all: 150, some: 40 }));
  });
});

function live({ isHistorical: _, ...reading }: Reading): Reading {
  return reading;
}
