import { PATIENT_MS } from "../../support/patience.ts";
import { slowness } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type { Check, Expectation } from "./check.ts";
import { evenlyShared, goesOn, type KafkaSite, openKafkaSite, owners } from "./site.ts";
import { expectTruth, noneGaveUp } from "./truth.ts";

const PROJECTS = 24;
/** Time for which machines send between one kill and the next, where nothing holds them up, s. */
const BETWEEN_S = 2;
/** The promise: partitions of a process that died are taken over within this, ms. */
const TAKEOVER_MS = 15_000;

/**
 * Machines publish to two of three ingest processes while a broker of Kafka, one of these two with its folder, the
 * third process, PostgreSQL and InfluxDB are killed, one after the other.
 */
export const kills: Check = {
  name: "kills",
  purpose: "brokers, ingest processes, PostgreSQL and InfluxDB are killed under machines that send",
  async run({ rounds, machines, rate, print }) {
    const site = await openKafkaSite({ machines, projects: PROJECTS, rate });
    try {
      return await killAll(site, { rounds, between: BETWEEN_S * rate }, print);
    } finally {
      await site.close();
    }
  },
};

async function killAll(
  site: KafkaSite,
  { rounds, between }: { readonly rounds: number; readonly between: number },
  print: (line: string) => void,
): Promise<readonly Expectation[]> {
  const nodes = await Promise.all([site.startIngest(), site.startIngest(), site.startIngest()]);
  await evenlyShared(site, nodes.length);
  // The third one has partitions and no machine.
  const ports = () =>
    nodes.slice(0, 2).flatMap(({ service }) => (service.isGone ? [] : [service.mqttPort]));
  const fleet = site.fleet(ports);
  const takeoversMs: number[] = [];

  /** Kills an ingest process, and starts another on an empty folder once the others have its partitions. */
  async function replaceIngest(index: 0 | 2): Promise<void> {
    await nodes[index].service.end("SIGKILL");
    const killedMs = performance.now();
    await until(
      "the others have its partitions",
      async () => (await owners(site)).size === nodes.length - 1,
      PATIENT_MS,
    );
    takeoversMs.push(performance.now() - killedMs);
    await goesOn(fleet, between);
    nodes[index] = await site.startIngest();
    await evenlyShared(site, nodes.length);
  }

  fleet.start();
  for (let round = 1; round <= rounds; round += 1) {
    await goesOn(fleet, between);
    const broker = round % 3;
    await site.kafka.kill(broker);
    await goesOn(fleet, between);
    await site.kafka.start(broker);
    print(`round ${round}: a broker was killed, ${fleet.acknowledged} acknowledged`);
    await replaceIngest(0);
    print(`round ${round}: an intake process and its disk are gone, ${fleet.acknowledged}`);
    await replaceIngest(2);
    print(`round ${round}: a process with partitions is gone, ${fleet.acknowledged}`);
    await site.postgres.crash();
    await goesOn(fleet, between);
    print(`round ${round}: PostgreSQL was killed, ${fleet.acknowledged}`);
    await site.influx.kill("SIGKILL");
    await goesOn(fleet, between);
    await site.influx.start();
    print(`round ${round}: InfluxDB was killed, ${fleet.acknowledged}`);
  }
  await fleet.stop();
  print(`${fleet.acknowledged} acknowledged; taken over after ${takeoversMs.map(Math.round)} ms`);
  return [
    ...(await expectTruth(site, fleet, print)),
    [
      `a dead process is taken over within ${TAKEOVER_MS} ms (${Math.round(Math.max(...takeoversMs))})`,
      Math.max(...takeoversMs) <= TAKEOVER_MS * slowness(),
    ],
    ...nodes.map(({ service }) => noneGaveUp(service)),
  ];
}
