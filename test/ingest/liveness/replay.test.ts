import { describe, expect, it } from "vitest";
import type { Alert } from "../../../storage/ports/equipment/alerts.ts";
import { type LivenessRun, openLivenessRun } from "../../support/liveness-run.ts";

const IDS = ["m1", "m2", "m3", "m4", "m5", "m6"];

/** Every kind of liveness event, in one journal: falls, returns, an outage, a restart, a stuck receiver. */
function busyRun(): LivenessRun {
  const run = openLivenessRun(IDS.map((id) => ({ id, timeoutS: 120 })));
  for (const id of IDS) run.up(id, 0);
  for (let atS = 10; atS <= 3_000; atS += 10) {
    run.passTo(atS);
    const isOutage = atS >= 600 && atS < 900;
    for (const [i, id] of IDS.entries()) {
      if (isOutage && i < 4) continue;
      if (id === "m2" && atS >= 600 && atS < 1_200) continue;
      if (id === "m6" && atS >= 1_500 && atS < 1_900) continue;
      run.message(id, atS, id === "m5" && atS > 2_000 && atS < 2_500 ? 2_000 : atS);
    }
    if (atS === 1_000) run.down("m6", atS);
    if (atS === 1_300) run.up("m6", atS);
    if (atS === 2_600) run.start(atS);
    if (atS === 2_640) for (const id of IDS.slice(0, 5)) run.up(id, atS);
  }
  return run;
}

/** An alert by all that a person sees of it. */
const seen = ({ id, message, openedAtMs, resolvedAtMs, resolution, data }: Alert) =>
  JSON.stringify([id, message, openedAtMs, resolvedAtMs, resolution, data]);

describe("liveness over a process that crashes", () => {
  const straight = busyRun();

  it("liveness reports a busy hour as it happened", () => {
    expect(straight.reported).toEqual([
      "590 project.outage site",
      "910 project.recovered site",
      "710 asset.silent m2",
      "1000 asset.offline m6",
      "1200 asset.reporting m2",
      "1300 asset.online m6",
      "1610 asset.silent m6",
      "1900 asset.reporting m6",
      "2120 asset.gps_stuck m5",
      "2500 asset.gps_recovered m5",
      "2600 asset.offline m6",
    ]);
  });

  it.each([
    [1, 7],
    [5, 11],
    [40, 97],
    [97, 250],
  ])("liveness stores the same events once, committing every %i records, crashing every %i", async (commitEvery, crashEvery) => {
    const stored = await straight.withCrashes(commitEvery, crashEvery);

    expect(stored.events).toEqual(straight.events.map(({ id }) => id));
    expect(stored.alerts.map(seen).sort()).toEqual(straight.alerts().map(seen).sort());
  });
});
