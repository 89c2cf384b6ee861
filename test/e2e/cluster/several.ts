import type { ApiClient } from "../../support/api-client.ts";
import { startInfluxServer } from "../../support/influx-server.ts";
import { raisePartitions } from "../../support/kafka/add-partitions.ts";
import { startKafka } from "../../support/kafka/kafka-brokers.ts";
import { startMosquitto } from "../../support/mosquitto.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { slowness } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type { Check } from "../kafka/check.ts";
import { expectTruth, noneGaveUp } from "../kafka/truth.ts";
import { openCluster, type RoleProcess } from "../roles/cluster.ts";
import { readEvents } from "./broker-readers.ts";
import { eventIds } from "./evidence.ts";
import { Fleet, machinesOf } from "./fleet.ts";
import { openGate } from "./gate.ts";
import { provision } from "./provision.ts";

const PROJECTS = 12;
const PARTITIONS = 6;
const MORE_PARTITIONS = 9;
/** By the default of KAFKA_TOPIC_PREFIX. */
const TOPIC = "plumbline.records";
const PAUSE_MS = 200;
/** Messages of each machine between one step and the next. */
const BETWEEN = 15;
/** The promise: the sessions of a dead process are taken over within this, ms. */
const TAKEOVER_MS = 15_000;

/**
 * Three ingest processes on Kafka read from Mosquitto. One is held still, so that it has read more than it
 * acknowledged, and is killed with its folder; another is cut off from Mosquitto; a new one joins; the topic is given
 * more partitions.
 */
export const several: Check = {
  name: "several",
  purpose:
    "ingest processes on Kafka share an external broker; one dies, one is cut off, one joins, partitions are added",
  async run({ machines: count, print }) {
    const startMs = Date.now() - 20 * 3_600_000;
    const [kafka, influx, mosquitto] = await Promise.all([
      startKafka(),
      startInfluxServer(),
      startMosquitto(),
    ]);
    const cluster = await openCluster({ influxUrl: influx.url });
    const gate = await openGate(mosquitto.port);
    const reader = await readEvents(mosquitto.port);
    try {
      const { api } = await cluster.start("api");
      const machines = machinesOf(count, PROJECTS);
      await provision(api, machines, startMs);
      const startNode = (port: number) =>
        cluster.start("ingest", {
          KAFKA_BROKERS: kafka.addresses.join(","),
          KAFKA_PARTITIONS: String(PARTITIONS),
          MQTT_URL: `mqtt://127.0.0.1:${port}`,
        });
      const dying = await startNode(mosquitto.port);
      const living = await Promise.all([startNode(mosquitto.port), startNode(gate.port)]);
      await shared([dying, ...living]);
      const fleet = new Fleet(machines, startMs, mosquitto.port, PAUSE_MS);
      await fleet.start();
      await fleet.goesOn(BETWEEN * count);

      process.kill(dying.service.pid, "SIGSTOP");
      await fleet.goesOn(BETWEEN * count);
      await dying.service.end("SIGKILL");
      const killedMs = performance.now();
      await shared(living);
      const takeoverMs = performance.now() - killedMs;
      print(`taken over after ${Math.round(takeoverMs)} ms, ${fleet.acknowledged} published`);

      gate.shut();
      await fleet.goesOn(BETWEEN * count);
      gate.open();
      await shared(living);
      const nodes = [...living, await startNode(mosquitto.port)];
      await shared(nodes);
      print(`three processes again, ${fleet.acknowledged} published`);
      await fleet.goesOn(BETWEEN * count);

      await raisePartitions(kafka.addresses, TOPIC, MORE_PARTITIONS);
      await fleet.goesOn(BETWEEN * count);
      await each(nodes, "partitions", MORE_PARTITIONS / nodes.length);
      // The sessions are as many as before.
      await shared(nodes);
      print(`${MORE_PARTITIONS} partitions, ${fleet.acknowledged} published`);
      await fleet.goesOn(BETWEEN * count);
      await fleet.stop();
      const postgres = { url: cluster.databaseUrl };
      const truth = await expectTruth({ api: { api }, postgres, startMs }, fleet, print);
      const unread = await untilRead(reader.ids, cluster.databaseUrl);
      return [
        ...truth,
        [`crossings that nobody could read at the broker: ${unread}`, unread === 0],
        [
          `the sessions of a dead process are taken over within ${TAKEOVER_MS} ms (${Math.round(takeoverMs)})`,
          takeoverMs <= TAKEOVER_MS * slowness(),
        ],
        ...nodes.map(({ service }) => noneGaveUp(service)),
      ];
    } finally {
      await reader.close();
      await cluster.close();
      await gate.close();
      await Promise.all([kafka.close(), influx.close(), mosquitto.close()]);
    }
  },
};

/** Waits until these processes have the sessions of all partitions, each as many as the others, and all subscriptions. */
async function shared(nodes: readonly RoleProcess[]): Promise<void> {
  await each(nodes, "remote_sessions_ready", PARTITIONS / nodes.length);
}

/** Waits until each of these processes has so many of what that gauge counts. */
async function each(nodes: readonly RoleProcess[], gauge: string, wanted: number): Promise<void> {
  await until(
    `${nodes.length} processes have ${wanted} ${gauge} each`,
    async () => {
      const counts = await Promise.all(nodes.map(({ api }) => read(api, gauge)));
      return counts.every((count) => count === wanted);
    },
    PATIENT_MS,
  );
}

async function read(api: ApiClient, gauge: string): Promise<number> {
  const found = new RegExp(`^plumbline_mqtt_${gauge} (\\d+)$`, "m").exec(
    await api.text("/metrics"),
  );
  return Number(found?.[1] ?? 0);
}

/** How many crossings were not read at the broker after a while. */
async function untilRead(ids: ReadonlySet<string>, databaseUrl: string): Promise<number> {
  const unread = async () => (await eventIds(databaseUrl)).filter((id) => !ids.has(id)).length;
  const isRead = async () => (await unread()) === 0;
  await until("all are read", isRead, PATIENT_MS).catch(() => undefined);
  return await unread();
}
