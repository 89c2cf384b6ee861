/**
 * What a reading costs through Kafka beside the embedded journal, one run: processor time of one ingest process
 * (intake, journal, pipeline, archive) for each acknowledged reading, at the same offered rates, on the
 * same PostgreSQL and InfluxDB; and what three brokers take beside it. Rounds alternate, and the ratio is that of
 * medians. `--journals 12` is one kind alone. Needs KAFKA_JARS, DATABASE_URL and `npm run build`.
 *
 *   tsx bench/kafka.ts [--rounds 3] [--seconds 20] [--rates 2000,10000,20000] [--devices 200] [--journals embedded,1,4,12]
 */
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Cluster, openCluster, type RoleProcess } from "../test/e2e/roles/cluster.ts";
import { type KafkaBrokers, startKafka } from "../test/support/kafka/kafka-brokers.ts";
import { PATIENT_MS } from "../test/support/patience.ts";
import { parseProcessStat } from "../test/support/process-stat.ts";
import { caughtUp, createAsset } from "../test/support/site.ts";
import { until } from "../test/support/until.ts";
import { median } from "./figures/median.ts";
import { PacedPublisher } from "./sustained/paced-publisher.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "20" },
    rates: { type: "string", default: "2000,10000,20000" },
    devices: { type: "string", default: "200" },
    journals: { type: "string", default: "embedded,1,4,12" },
  },
});
const seconds = Number(values.seconds);
const rates = values.rates.split(",").map(Number);
const PROJECTS = 24;

/** A journal that is compared. */
interface Kind {
  readonly name: string;
  readonly environment: (brokers: KafkaBrokers) => Readonly<Record<string, string>>;
}
let topics = 0;
/** A new topic each time: the records of another database must not be read. */
const onKafka = (partitions: number) => (brokers: KafkaBrokers) => {
  topics += 1;
  return {
    KAFKA_BROKERS: brokers.addresses.join(","),
    KAFKA_TOPIC_PREFIX: `bench-${topics}`,
    KAFKA_PARTITIONS: String(partitions),
  };
};
/** By `--journals`: a number is that of the topic's partitions. */
const KINDS: readonly Kind[] = values.journals
  .split(",")
  .map((journal) =>
    journal === "embedded"
      ? { name: journal, environment: () => ({}) }
      : { name: `Kafka, partitions: ${journal}`, environment: onKafka(Number(journal)) },
  );

interface Step {
  readonly acknowledgedPerS: number;
  readonly usPerReading: number;
  readonly brokersUsPerReading: number;
  readonly publisherUsPerReading: number;
  /** From the end of publishing until everything was evaluated and archived. */
  readonly behindS: number;
}

async function measure(kind: Kind, rate: number, brokers: KafkaBrokers): Promise<Step> {
  const cluster: Cluster = await openCluster();
  const publishers: PacedPublisher[] = [];
  try {
    const api = await cluster.start("api", {}, "built");
    const access = await register(api);
    const environment = {
      ...kind.environment(brokers),
      DEVICE_READINGS_PER_S: "1000000",
      DEVICE_BURST_READINGS: "10000000",
    };
    const ingest = await cluster.start("ingest", environment, "built");
    for (const [id, one] of access) {
      publishers.push(new PacedPublisher({ ...one, id, port: ingest.service.mqttPort }));
    }
    await until(
      "devices are let in",
      async () => {
        await Promise.all(publishers.map((one) => one.connect()));
        return true;
      },
      PATIENT_MS,
    );
    // The compiler is warm, and the partitions are assigned.
    await run(publishers, rate, seconds / 2, ingest);
    return await run(publishers, rate, seconds, ingest, brokers);
  } finally {
    for (const publisher of publishers) publisher.close();
    await cluster.close();
  }
}

/** Publishes, waits until everything is evaluated and archived, and says what that took. */
async function run(
  publishers: readonly PacedPublisher[],
  rate: number,
  durationS: number,
  { service, api }: RoleProcess,
  brokers?: KafkaBrokers,
): Promise<Step> {
  const cpu = async () => ({
    service: await cpuSeconds(service.pid),
    brokers: await sumOf(brokers?.pids ?? [], cpuSeconds),
    publisher: await cpuSeconds(process.pid),
  });
  const acknowledged = () => publishers.reduce((sum, one) => sum + one.acknowledged, 0);
  const [before, countBefore, startedMs] = [await cpu(), acknowledged(), performance.now()];
  for (const publisher of publishers) publisher.start(rate / publishers.length);
  await delay(durationS * 1_000);
  for (const publisher of publishers) publisher.stop();
  const elapsedS = (performance.now() - startedMs) / 1_000;
  const perS = (acknowledged() - countBefore) / elapsedS;
  await until(
    "everything is acknowledged",
    () => publishers.every((one) => one.inFlight === 0),
    4 * PATIENT_MS,
  );
  await caughtUp(api);
  const behindS = (performance.now() - startedMs) / 1_000 - elapsedS;
  const after = await cpu();
  const count = acknowledged() - countBefore;
  return {
    acknowledgedPerS: perS,
    usPerReading: (1e6 * (after.service - before.service)) / count,
    brokersUsPerReading: (1e6 * (after.brokers - before.brokers)) / count,
    publisherUsPerReading: (1e6 * (after.publisher - before.publisher)) / count,
    behindS,
  };
}

async function register({ api }: RoleProcess) {
  const access = new Map<string, Awaited<ReturnType<typeof createAsset>>>();
  for (let i = 0; i < PROJECTS; i += 1) {
    const location = { latitude: 52.5, longitude: 13.4 };
    await api.post("/projects", { id: `bench-${i}`, name: `Bench ${i}`, location });
  }
  for (let i = 0; i < Number(values.devices); i += 1) {
    const id = `bench-${i}`;
    access.set(id, await createAsset(api, `bench-${i % PROJECTS}`, id));
  }
  return access;
}

const cpuSeconds = async (pid: number): Promise<number> =>
  parseProcessStat(await readFile(`/proc/${pid}/stat`, "utf8")).cpuS;

async function sumOf(
  pids: readonly number[],
  figure: (pid: number) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (const pid of pids) sum += await figure(pid);
  return sum;
}

const brokers = await startKafka({ count: 3 });
try {
  for (const rate of rates) {
    const steps = new Map<string, Step[]>(KINDS.map(({ name }) => [name, []]));
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const kind of KINDS) {
        const step = await measure(kind, rate, brokers);
        console.log(JSON.stringify({ round, rate, kind: kind.name, ...step }));
        steps.get(kind.name)?.push(step);
      }
    }
    const of = (name: string, figure: (step: Step) => number) =>
      median((steps.get(name) ?? []).map(figure));
    const base = of("embedded", ({ usPerReading }) => usPerReading);
    console.table(
      KINDS.map(({ name }) => ({
        journal: name,
        "offered/s": rate,
        "acknowledged/s": Math.round(of(name, (step) => step.acknowledgedPerS)),
        "us CPU/reading": of(name, (step) => step.usPerReading).toFixed(1),
        ratio: (of(name, (step) => step.usPerReading) / base).toFixed(2),
        "brokers, us CPU/reading": of(name, (step) => step.brokersUsPerReading).toFixed(1),
        "behind, s": of(name, (step) => step.behindS).toFixed(1),
        "publisher, us": of(name, (step) => step.publisherUsPerReading).toFixed(1),
      })),
    );
  }
} finally {
  await brokers.close();
}
process.exit(0);
