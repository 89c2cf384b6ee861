import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createApiClient } from "../../support/api-client.ts";
import { startInfluxServer } from "../../support/influx-server.ts";
import { raisePartitions } from "../../support/kafka/add-partitions.ts";
import { startKafka } from "../../support/kafka/kafka-brokers.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { startPostgresServer } from "../../support/postgres-server.ts";
import {
  runServiceProcess,
  type ServiceProcess,
  startServiceProcess,
} from "../../support/service-process.ts";
import { until } from "../../support/until.ts";
import { machinesOf } from "../cluster/fleet.ts";
import { provision } from "../cluster/provision.ts";
import { ADMIN_KEY, openCluster } from "../roles/cluster.ts";
import type { Check, Expectation } from "./check.ts";
import { type CommandRun, migrateData } from "./move-command.ts";
import { PatientFleet } from "./patient-fleet.ts";
import { compareWithSingle } from "./rebalance.ts";
import { goesOn, SPAN_MS } from "./site.ts";
import { expectTruth, noneGaveUp } from "./truth.ts";

const MACHINES = 24;
const PROJECTS = 8;
/** Messages a second of all machines. */
const RATE = 400;
/** Messages that are acknowledged where the journal is, before it moves on; and of these while nothing is processed. */
const STAY = 600;
const HELD = 300;
const PARTITIONS = "6";
const INFLUX_DATABASE = "moved";
/** Where a run of the command is killed: its first line of each phase. */
const KILLS = ["records:", "verify:", "journal:", "compare:"] as const;

/**
 * A journal moves from one process with embedded stores to Kafka, back to a data folder, and to Kafka again, while
 * machines go on to publish whenever somebody listens. Each process is killed with records that were not processed,
 * and each move several times on its way.
 */
export const move: Check = {
  name: "move",
  purpose: "the journal moves to Kafka, back and again; the tables are those of a single process",
  async run({ print }) {
    const [kafka, postgres, influx] = await Promise.all([
      startKafka(),
      startPostgresServer(),
      startInfluxServer(),
    ]);
    const startMs = Date.now() - SPAN_MS;
    const cluster = await openCluster({ databaseUrl: postgres.url, influxUrl: influx.url });
    const folders = await Promise.all(["a", "b"].map((name) => freshFolder(name)));
    const [first, second] = folders as [string, string];
    const running: ServiceProcess[] = [];
    const checks: Expectation[] = [];
    const check = (name: string, passed: boolean) => void checks.push([name, passed]);

    const servers = {
      DATABASE_URL: postgres.url,
      INFLUX_URL: influx.url,
      INFLUX_DATABASE,
      KAFKA_BROKERS: "",
      KAFKA_PARTITIONS: PARTITIONS,
      SECRET_KEY: "pepper-that-all-processes-of-this-test-share",
    };
    const brokers = { KAFKA_BROKERS: kafka.addresses.join(",") };
    async function startOn(dataDir: string, environment: Readonly<Record<string, string>>) {
      const service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY, environment });
      running.push(service);
      return service;
    }
    async function killAll(): Promise<void> {
      for (const service of running) {
        checks.push(noneGaveUp(service));
        await service.end("SIGKILL");
      }
      running.length = 0;
    }
    /** Moves, killed at each phase; the last run is not. */
    async function moveJournal(args: readonly string[], kills: readonly string[]): Promise<void> {
      const environment = { ...servers, ...brokers };
      const name = args.join(" ").replace(/plumbline-move-/g, "");
      const dry = await migrateData([...args, "--dry-run"], environment);
      for (const line of dry.output) print(`dry run: ${line}`);
      check(`${name} counts what it would move`, dry.code === 0);
      let killed = 0;
      let last: CommandRun | undefined;
      for (const killAt of [...kills, undefined]) {
        last = await untilAllowed(args, environment, killAt);
        // The kill may come too late for a short phase.
        if (last.code !== null) break;
        killed += 1;
      }
      const end = last?.output.at(-1) ?? "";
      check(
        `${name} was killed ${killed} times, and ended well (${end})`,
        killed > 0 && last?.code === 0,
      );
      const again = await migrateData(args, environment);
      check(
        `${name} once more has nothing to do`,
        again.code === 0 && /already/.test(again.output.join(" ")),
      );
    }

    try {
      const machines = machinesOf(MACHINES, PROJECTS);
      const single = await startOn(first, { SECRET_KEY: servers.SECRET_KEY });
      const access = await provision(createApiClient(single.http, ADMIN_KEY), machines, startMs);
      const ports = () => running.filter((one) => !one.isGone).map(({ mqttPort }) => mqttPort);
      const fleet = new PatientFleet({ machines, access, startMs, rate: RATE, ports });
      fleet.start();
      await goesOn(fleet, STAY);
      await killAll();

      await moveJournal(["--from", first], KILLS);
      const refused = await startRefused(first, { SECRET_KEY: servers.SECRET_KEY });
      check(`its folder starts no service (${refused})`, /journal is in Kafka/.test(refused));

      const api = await cluster.start("api", { INFLUX_DATABASE });
      const site = { api, postgres, startMs, influx };
      const shared = { ...servers, ...brokers, ROLE: "ingest", ...cluster.bucket };
      await startOn(await folder("n1"), shared);
      await startOn(await folder("n2"), shared);
      await goesOn(fleet, STAY);
      const early = await migrateData(["--to", second], { ...servers, ...brokers });
      check(
        `a group with members is refused (${early.output.at(-1)})`,
        early.code === 1 && /work on topic/.test(early.output.join(" ")),
      );
      await whileHeld(postgres.url, () => goesOn(fleet, HELD), killAll);

      await moveJournal(["--to", second], ["telemetry:", "journal:", "compare:"]);
      const alone = { ...servers, ROLE: "ingest", ...cluster.bucket };
      const late = await startRefused(await folder("n3"), shared);
      check(`Kafka starts no ingest process (${late})`, /brought back from Kafka/.test(late));
      await startOn(second, alone);
      await goesOn(fleet, STAY);
      await whileHeld(postgres.url, () => goesOn(fleet, HELD), killAll);

      await moveJournal(["--from", second], ["journal:", "compare:"]);
      await startOn(await folder("n4"), shared);
      await goesOn(fleet, HELD);
      await fleet.stop();
      print(`${fleet.acknowledged} messages acknowledged over all moves`);
      checks.push(...(await expectTruth(site, fleet, print)));
      checks.push(...(await compareWithSingle(site, fleet, print)));
      await killAll();
      await raisePartitions(kafka.addresses, "plumbline.records", Number(PARTITIONS) + 1);
      for (const dry of [[], ["--dry-run"]]) {
        const grown = await untilAllowed(["--to", second, ...dry], { ...servers, ...brokers });
        check(
          `a topic with more partitions is refused${dry.length > 0 ? " by a dry run, too" : ""}`,
          grown.code === 1 && /began with \d+ partitions/.test(grown.output.join(" ")),
        );
      }
      return checks;
    } finally {
      for (const service of running) await service.end("SIGKILL");
      await cluster.close();
      await Promise.all([kafka.close(), influx.close(), postgres.close()]);
      for (const dir of folders) await rm(dir, { recursive: true, force: true });
    }

    async function folder(name: string): Promise<string> {
      const dir = await freshFolder(name);
      folders.push(dir);
      return dir;
    }
  },
};

const freshFolder = (name: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `plumbline-move-${name}-`));

/** Runs the command again while the group still counts a killed process. */
function untilAllowed(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  killAt?: string,
): Promise<CommandRun> {
  return until(
    "the command is let through",
    async () => {
      const run = await migrateData(args, environment, killAt);
      return /, or did \d+ s ago/.test(run.output.join(" ")) ? undefined : run;
    },
    PATIENT_MS,
  );
}

async function startRefused(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { output } = await runServiceProcess({ dataDir, adminKey: ADMIN_KEY, environment });
  return output.find((line) => line.startsWith("plumbline:")) ?? output.at(-1) ?? "";
}

/** Keeps every pipeline from committing while `work` is done, and until `then` has ended them. */
async function whileHeld(
  databaseUrl: string,
  work: () => Promise<void>,
  then: () => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("LOCK TABLE pipeline_checkpoint IN ACCESS EXCLUSIVE MODE");
    await work();
    await then();
  } finally {
    await client.end();
  }
}
