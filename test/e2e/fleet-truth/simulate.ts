import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FLEET_DEFAULTS, type FleetOptions } from "../../../simulators/fleet/options.ts";
import { runFleet } from "../../../simulators/fleet/run.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { settled } from "../../support/site.ts";
import { planKills } from "./kills.ts";
import { crossingsInEvents, crossingsInVisits, type RecordedCrossing } from "./recorded.ts";
import { openFleetTarget } from "./target.ts";
import { type FleetTruth, readTruth } from "./truth.ts";

/** The fleet that is simulated; `startMs` and `seed` decide what is true. */
export type FleetPlan = Pick<
  FleetOptions,
  "assets" | "fences" | "projects" | "hours" | "rate" | "seed" | "outliers" | "format"
> & { readonly startMs: number };

/** What the service made of one run, beside the truth. */
export interface FleetRun {
  readonly truth: FleetTruth;
  readonly made: number;
  readonly acknowledged: number;
  readonly kills: number;
  readonly events: readonly RecordedCrossing[];
  readonly visits: readonly RecordedCrossing[];
  readonly sentS: number;
  readonly settledS: number;
}

/** How long the service may take after the last reading until all is in its place, ms. Chosen: slow machines. */
const SETTLE_MS = 600_000;

/** Runs a fleet against a fresh service that is killed `kills` times meanwhile. */
export async function simulateFleet(
  plan: FleetPlan,
  options: {
    readonly kills: number;
    readonly keepData: boolean;
    /** Called at every tenth of the run, in percent. */
    readonly onTenth: (percent: number, acknowledged: number, killed: number) => void;
  },
): Promise<FleetRun> {
  const target = await openFleetTarget();
  const folder = await mkdtemp(join(tmpdir(), "plumbline-truth-"));
  try {
    const began = performance.now();
    let tenths = 0;
    const kills = planKills(options.kills, seededRandom(plan.seed), target.killAndRestart);
    const summary = await runFleet(
      {
        ...FLEET_DEFAULTS,
        ...plan,
        url: target.http,
        mqttUrl: target.mqttUrl,
        ports: target.ports,
        key: target.key,
        backlog: true,
        out: folder,
      },
      {
        onProgress({ startMs, endMs, simulatedMs, acknowledged }) {
          const share = (simulatedMs - startMs) / (endMs - startMs);
          kills.pass(share);
          if (share * 10 < tenths + 1) return;
          tenths = Math.floor(share * 10);
          options.onTenth(tenths * 10, acknowledged, kills.count);
        },
      },
    );
    await kills.done();
    const sent = performance.now();
    await settled(target.api, SETTLE_MS);
    const events = await crossingsInEvents(target.api);
    const settledAt = performance.now();
    return {
      truth: await readTruth(join(folder, "truth.json")),
      made: summary.made,
      acknowledged: summary.acknowledged,
      kills: kills.count,
      events,
      visits: await crossingsInVisits(target.api),
      sentS: (sent - began) / 1_000,
      settledS: (settledAt - sent) / 1_000,
    };
  } finally {
    await target.dispose(options);
    if (options.keepData) console.log(`truth kept in ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
