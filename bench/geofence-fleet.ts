import type { AssetId } from "../domain/ids.ts";
import { advanceFences } from "../ingest/geofence/advance.ts";
import { newFenceFold } from "../ingest/geofence/fence-fold.ts";
import { evidenceText } from "../test/e2e/fleet-truth/evidence.ts";
import { scoreFleet } from "../test/e2e/fleet-truth/fleet-score.ts";
import type { RecordedCrossing } from "../test/e2e/fleet-truth/recorded.ts";
import { scoreText } from "../test/e2e/fleet-truth/score-text.ts";
import { drawFleetFixes } from "./geofence/fleet-fixes.ts";

/**
 * Fleets of `npm run test:fleet -- --full` (200 machines, 50 fences, 8 h, a fix in 10 s), scored without a service:
 * what the evaluator reports of crossings beside the truth, for many seeds.
 * Run: `npx tsx bench/geofence-fleet.ts [first seed] [seeds]` (default 1, 5; about 2 min of CPU each)
 */
const FIRST_SEED = Number(process.argv[2] ?? 1);
const SEEDS = Number(process.argv[3] ?? 5);
/** A Thursday: what machines do depends on day and hour. */
const START_MS = Date.UTC(2026, 10, 26, 6);
const FLEET = { assets: 200, fences: 50, projects: 5, hours: 8, rate: 0.1, startMs: START_MS };

for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
  const { truth, timeline, fixesByAsset } = drawFleetFixes({ ...FLEET, seed });
  const recorded: RecordedCrossing[] = [];
  for (const [assetId, fixes] of fixesByAsset) {
    const fold = newFenceFold();
    for (const fix of fixes) {
      advanceFences(fold, fix, assetId as AssetId, timeline, (crossing) => {
        const { fence, type, atMs, inferred, cause } = crossing;
        const eventId = String(recorded.length);
        recorded.push({
          ...{ eventId, assetId, fenceId: fence.geofenceId, type, atMs, inferred, cause },
        });
      });
    }
  }
  const score = scoreFleet(truth, recorded);
  console.log(`seed ${seed}`);
  for (const line of [...scoreText(score), ...evidenceText(truth, score)]) {
    console.log(`  ${line}`);
  }
}
