import pg from "pg";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";
import { surplus } from "../cluster/evidence.ts";
import { provision } from "../cluster/provision.ts";
import { openCluster, type RoleProcess } from "../roles/cluster.ts";
import type { Check, Expectation } from "./check.ts";
import { PatientFleet } from "./patient-fleet.ts";
import { evenlyShared, goesOn, type KafkaSite, openKafkaSite, owners } from "./site.ts";
import { expectTruth } from "./truth.ts";

const MACHINES = 60;
const PROJECTS = 24;
/** Messages a second of all machines, and between one change and the next. */
const RATE = 500;
const BETWEEN = 500;
const CHANGES = 20;
/** Partitions at first, and after which changes there are how many. */
const PARTITIONS_AT_FIRST = 4;
const RAISES: ReadonlyMap<number, number> = new Map([
  [5, 6],
  [12, 12],
]);
/** Of so many processes that leave, one is killed, and the others end in order. */
const KILLED_OF = 3;
const MOST_PROCESSES = 4;
const SINGLE = "single";

/** What every machine's tables say, a line each, without names that are drawn at random. */
const TABLES: Readonly<Record<string, string>> = {
  visits: `SELECT concat_ws(' ', asset_id, project_id, geofence_id, entered_at_ms, entered_latitude, entered_longitude,
      entered_cause, exited_at_ms, exited_latitude, exited_longitude, exited_cause, inferred) AS line
    FROM visits WHERE NOT withdrawn`,
  utilization: `SELECT concat_ws(' ', asset_id, day, project_id, round(working_s::numeric, 3),
      round(overtime_s::numeric, 3), round(engine_on_s::numeric, 3), round(distance_m::numeric, 3)) AS line
    FROM utilization_days`,
  events: `SELECT concat_ws(' ', asset_id, occurred_at_ms, split_part(type, '.revised', 1)) AS line
    FROM (SELECT DISTINCT ON (id) * FROM events WHERE type LIKE 'equipment.geofence.%' ORDER BY id, revision DESC) AS newest
    WHERE NOT withdrawn`,
};

/**
 * Ingest processes come and go under machines that publish, while the topic is given more partitions; at the end the
 * tables are those of one process with the embedded journal that was sent the same messages.
 */
export const rebalance: Check = {
  name: "rebalance",
  purpose: `${CHANGES} times an ingest process comes or goes, and partitions are added; the tables are those of a single process`,
  async run({ print }) {
    const partitions = PARTITIONS_AT_FIRST;
    const site = await openKafkaSite({
      ...{ machines: MACHINES, projects: PROJECTS, rate: RATE, partitions },
    });
    try {
      const fleet = await comeAndGo(site, print);
      const truth = await expectTruth(site, fleet, print);
      return [...truth, ...(await compareWithSingle(site, fleet, print))];
    } finally {
      await site.close();
    }
  },
};

async function comeAndGo(site: KafkaSite, print: (line: string) => void): Promise<PatientFleet> {
  const nodes: RoleProcess[] = [await site.startIngest(), await site.startIngest()];
  await evenlyShared(site, nodes.length, PARTITIONS_AT_FIRST);
  let partitions = PARTITIONS_AT_FIRST;
  const fleet = site.fleet(() =>
    nodes.flatMap(({ service }) => (service.isGone ? [] : [service.mqttPort])),
  );
  fleet.start();
  let left = 0;
  for (let change = 1; change <= CHANGES; change += 1) {
    const comes = nodes.length < 2 || (change % 2 === 1 && nodes.length < MOST_PROCESSES);
    if (comes) nodes.push(await site.startIngest());
    else {
      left += 1;
      const [oldest] = nodes.splice(0, 1);
      await oldest?.service.end(left % KILLED_OF === 0 ? "SIGKILL" : "SIGTERM");
    }
    await until(
      "the others have all partitions",
      async () => (await owners(site)).size === nodes.length,
      PATIENT_MS,
    );
    const more = RAISES.get(change);
    if (more !== undefined) {
      // The next changes come while all go over to it.
      await site.raisePartitions(more);
      print(`${more} partitions after change ${change}, ${fleet.acknowledged} acknowledged`);
      partitions = more;
    }
    await goesOn(fleet, BETWEEN);
  }
  await fleet.stop();
  await evenlyShared(site, nodes.length, partitions);
  print(
    `${fleet.acknowledged} acknowledged under ${CHANGES} changes, ${left} of them processes that left`,
  );
  return fleet;
}

/** The same messages through one process, and what its tables say otherwise. */
export async function compareWithSingle(
  site: Pick<KafkaSite, "postgres" | "influx" | "startMs">,
  fleet: PatientFleet,
  print: (line: string) => void,
): Promise<readonly Expectation[]> {
  await createDatabase(site.postgres.url, SINGLE);
  const databaseUrl = new URL(site.postgres.url);
  databaseUrl.pathname = `/${SINGLE}`;
  const cluster = await openCluster({
    databaseUrl: databaseUrl.href,
    influxUrl: site.influx.url,
  });
  try {
    const single = await cluster.start("all");
    const machines = fleet.sent.map(({ machine }) => machine);
    const access = await provision(single.api, machines, site.startMs);
    const again = new PatientFleet({
      ...{ machines, access, startMs: site.startMs, rate: RATE },
      ports: () => [single.service.mqttPort],
    });
    await again.sendAll(fleet.sent);
    const checks: Expectation[] = [];
    for (const [table, sql] of Object.entries(TABLES)) {
      const [shared, alone] = [site.postgres.url, databaseUrl.href];
      let differing: readonly string[] = [];
      await until(
        `${table} are the same`,
        async () => {
          differing = difference(await linesOf(shared, sql), await linesOf(alone, sql));
          return differing.length === 0;
        },
        PATIENT_MS,
      ).catch(() => undefined);
      const count = (await linesOf(alone, sql)).length;
      for (const line of differing.slice(0, 20)) print(`${table}: ${line}`);
      checks.push([
        `${table} of ${count} rows are those of a single process (${differing.length} differ)`,
        differing.length === 0 && count > 0,
      ]);
    }
    return checks;
  } finally {
    await cluster.close();
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
}

/** Lines of either that the other lacks, or has less often. */
const difference = (shared: readonly string[], alone: readonly string[]): readonly string[] => [
  ...surplus(shared, alone).map((line) => `only of several: ${line}`),
  ...surplus(alone, shared).map((line) => `only of one: ${line}`),
];

async function linesOf(url: string, sql: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(sql);
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}
