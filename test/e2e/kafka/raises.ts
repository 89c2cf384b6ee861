import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";
import type { RoleProcess } from "../roles/cluster.ts";
import type { Check, Expectation } from "./check.ts";
import type { PatientFleet } from "./patient-fleet.ts";
import { evenlyShared, goesOn, type KafkaSite, openKafkaSite } from "./site.ts";
import { expectTruth, noneGaveUp } from "./truth.ts";

const MACHINES = 60;
const PROJECTS = 24;
/** Messages a second of all machines, and between one thing that goes wrong and the next. */
const RATE = 500;
const BETWEEN = 1_000;
const PARTITIONS_AT_FIRST = 3;

/**
 * Partitions are added to a topic in use, and each time but the first something dies, or stands still, in the middle of that: an
 * ingest process twice, a broker twice, one process for longer than it is waited for, PostgreSQL.
 */
export const raises: Check = {
  name: "raises",
  purpose: "processes, brokers and PostgreSQL are killed or held still while partitions are added",
  async run({ print }) {
    const site = await openKafkaSite({
      ...{ machines: MACHINES, projects: PROJECTS, rate: RATE, partitions: PARTITIONS_AT_FIRST },
    });
    try {
      return await raiseAll(site, print);
    } finally {
      await site.close();
    }
  },
};

async function raiseAll(
  site: KafkaSite,
  print: (line: string) => void,
): Promise<readonly Expectation[]> {
  const nodes = [await site.startIngest(), await site.startIngest(), await site.startIngest()];
  await evenlyShared(site, nodes.length, PARTITIONS_AT_FIRST);
  const fleet = site.fleet(() =>
    nodes.flatMap(({ service }) => (service.isGone ? [] : [service.mqttPort])),
  );
  fleet.start();
  await goesOn(fleet, BETWEEN);

  const nothing = async () => undefined;
  await raise(site, fleet, { to: 4, at: "added", meanwhile: nothing }, print);
  const dies = async () => {
    await nodes[0]?.service.end("SIGKILL");
    nodes[0] = await site.startIngest();
  };
  await raise(site, fleet, { to: 5, at: "announced", meanwhile: dies }, print);
  await raise(site, fleet, { to: 7, at: "handing over", meanwhile: dies }, print);
  for (const [broker, to] of [
    [0, 8],
    [1, 10],
  ] as const) {
    const breaks = async () => {
      await site.kafka.kill(broker);
      await goesOn(fleet, BETWEEN);
      await site.kafka.start(broker);
    };
    await raise(
      site,
      fleet,
      { to, at: broker === 0 ? "announced" : "handing over", meanwhile: breaks },
      print,
    );
  }
  const stale = nodes[2] as RoleProcess;
  const standsStill = async () => {
    process.kill(stale.service.pid, "SIGSTOP");
    try {
      await settled(site, 11);
    } finally {
      process.kill(stale.service.pid, "SIGCONT");
    }
  };
  await raise(site, fleet, { to: 11, at: "added", meanwhile: standsStill }, print);
  await raise(
    site,
    fleet,
    { to: 12, at: "handing over", meanwhile: () => site.postgres.crash() },
    print,
  );

  await fleet.stop();
  await evenlyShared(site, nodes.length, 12);
  print(`${fleet.acknowledged} acknowledged`);
  return [
    ...(await expectTruth(site, fleet, print)),
    ...nodes.map(({ service }) => noneGaveUp(service)),
  ];
}

/** How far a raise has come when something happens. */
type Stage = "added" | "announced" | "handing over";

async function raise(
  site: KafkaSite,
  fleet: PatientFleet,
  raised: { readonly to: number; readonly at: Stage; readonly meanwhile: () => Promise<void> },
  print: (line: string) => void,
): Promise<void> {
  const { to, at, meanwhile } = raised;
  const beganMs = performance.now();
  await site.raisePartitions(to);
  if (at !== "added")
    await until(`${to} partitions are ${at}`, () => isAt(site, at, to), PATIENT_MS);
  await meanwhile();
  await settled(site, to);
  const tookMs = Math.round(performance.now() - beganMs);
  print(`${to} partitions after ${tookMs} ms, ${fleet.acknowledged} acknowledged`);
  await goesOn(fleet, BETWEEN);
}

async function isAt(site: KafkaSite, at: Stage, partitions: number): Promise<boolean> {
  const { newest, handedOver } = await layoutOf(site);
  return newest === partitions && (at === "announced" || handedOver > 0);
}

/** Waits until all partitions of before have handed over. */
async function settled(site: KafkaSite, partitions: number): Promise<void> {
  await until(
    `all have gone over to ${partitions} partitions`,
    async () => {
      const { newest, before, handedOver } = await layoutOf(site);
      return newest === partitions && handedOver === before;
    },
    PATIENT_MS,
  );
}

/** Partitions of the newest layout and of the one before, and how many of these have handed over. */
async function layoutOf(
  site: KafkaSite,
): Promise<{ readonly newest: number; readonly before: number; readonly handedOver: number }> {
  const [row] = await site.query<{ numbers: number[]; handed_over: string }>(
    `SELECT (SELECT array_agg(partitions ORDER BY version DESC) FROM log_layouts) AS numbers,
       (SELECT count(*) FROM log_handovers
        WHERE version = (SELECT max(version) FROM log_layouts)) AS handed_over`,
  );
  const [newest = 0, before = 0] = row?.numbers ?? [];
  return { newest, before, handedOver: Number(row?.handed_over) };
}
