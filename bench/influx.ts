/**
 * Points per second (eight fields each) into one InfluxDB 1 of this machine, in turns. Writers: Plumbline
 * from the journal on, the official client as its examples use it, and line protocol made by hand
 * beforehand, which is what the server takes at most. What arrived is counted in the database. Rates
 * are compared within a round, because what else the machine does changes from round to round.
 *
 *   tsx bench/influx.ts [points, default 600000] [rounds, default 3]
 */

import { runInfluxQl } from "../storage/telemetry/influx/influxql.ts";
import { openInfluxArchive } from "../storage/telemetry/influx/open.ts";
import type { InfluxTarget } from "../storage/telemetry/influx/target.ts";
import { startInfluxServer } from "../test/support/influx-server.ts";
import { machineLoad } from "./figures/machine-load.ts";
import { median } from "./figures/median.ts";
import { clientDefaults, handMade, plumbline, type Way } from "./influx/ways.ts";

const [points = 600_000, rounds = 3] = process.argv.slice(2).map(Number);
const CEILING = "by hand (ceiling)";
const WAYS: Readonly<Record<string, Way>> = {
  [CEILING]: handMade,
  Plumbline: plumbline,
  "client, defaults": clientDefaults,
};

const server = await startInfluxServer();
const rates = new Map(Object.keys(WAYS).map((name) => [name, [] as number[]]));
const arrived = new Map(Object.keys(WAYS).map((name) => [name, [] as number[]]));
try {
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, way] of Object.entries(WAYS)) {
      const database = `bench_${round}_${rates.size}_${name.replace(/\W+/g, "_")}`;
      const target: InfluxTarget = {
        url: server.url,
        dialect: "v1",
        database,
        org: "",
        headers: {},
      };
      await openInfluxArchive(target, { retentionDays: undefined }).prepare();
      const seconds = await way(target, points);
      rates.get(name)?.push(points / seconds);
      arrived.get(name)?.push(await countOf(target));
      await runInfluxQl(target, `DROP DATABASE "${database}"`, {
        method: "POST",
        timeoutMs: 60_000,
      });
      console.log(
        `round ${round}, ${name}: ${Math.round(points / seconds)} points/s (${machineLoad()})`,
      );
    }
  }
  const ceilings = rates.get(CEILING) ?? [];
  console.table(
    Object.keys(WAYS).map((name) => {
      const own = rates.get(name) ?? [];
      const ratios = own.map((rate, round) => rate / (ceilings[round] ?? Number.NaN));
      return {
        way: name,
        "points/s (median)": Math.round(median(own)),
        "of the ceiling (median of rounds)": median(ratios).toFixed(2),
        "arrived, fewest of a round": Math.min(...(arrived.get(name) ?? [])),
      };
    }),
  );
} finally {
  await server.close();
}
process.exit(0);

async function countOf(target: InfluxTarget): Promise<number> {
  const [table] = await runInfluxQl(target, 'SELECT count("latitude") FROM "telemetry"', {
    timeoutMs: 60_000,
  });
  return Number(table?.values[0]?.[1] ?? 0);
}
