import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import { INFLUXDB } from "../../support/influx-server.ts";
import { range } from "../../support/journal.ts";
import { KAFKA, type KafkaBrokers, startKafka } from "../../support/kafka/kafka-brokers.ts";
import { openDevice } from "../../support/mqtt-device.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { PatientDevice } from "../../support/patient-device.ts";
import { createSite, type DeviceAccess, storedNumbers } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import { type Cluster, openCluster, type RoleProcess, SERVERS } from "./cluster.ts";

const absent = [KAFKA, SERVERS, INFLUXDB].flatMap((one) => one.absent ?? []);
const absence = absent.length === 0 ? "" : ` (skipped: ${absent.join(", ")})`;

/** Messages of one device: ten at a time, five outside the fence and five inside, and five outside at the end. */
const COUNT = 205;
const INSIDE_BLOCKS = 20;
/** Time between two fixes, ms: 1.7 km in it is the speed of a truck. */
const STEP_MS = 120_000;
/**
 * When the fixes of each story begin, ms back: one behind the other. A fix that is newer than those to come makes
 * them late, and an exit that is inferred from it is revised as they arrive.
 */
const STORIES_AGO_MS = { kills: 20 * HOUR_MS, away: 12 * HOUR_MS, paused: 10 * HOUR_MS };
it.runIf(KAFKA.required)(
  "Kafka, PostgreSQL, an S3 server and InfluxDB are there, as required",
  () => {
    expect(absent).toEqual([]);
  },
);

describe.skipIf(absent.length > 0)(`ingest processes on one Kafka${absence}`, () => {
  const projects = ["yard", "pit", "quarry"];
  let kafka: KafkaBrokers;
  let cluster: Cluster;
  let api: RoleProcess;
  const nodes: RoleProcess[] = [];
  let client: pg.Client;
  let access: ReadonlyMap<string, DeviceAccess>;

  const startNode = async (): Promise<RoleProcess> => {
    const environment = { KAFKA_BROKERS: kafka.addresses.join(","), KAFKA_PARTITIONS: "6" };
    const node = await cluster.start("ingest", environment);
    nodes.push(node);
    return node;
  };
  const ports = () => nodes.filter((one) => !one.service.isGone).map((one) => one.service.mqttPort);

  beforeAll(async () => {
    [kafka, cluster] = await Promise.all([startKafka({ count: 3 }), openCluster()]);
    api = await cluster.start("api");
    client = new pg.Client({ connectionString: cluster.databaseUrl });
    await client.connect();
    const all = new Map<string, DeviceAccess>();
    for (const project of projects) {
      const ids = [`${project}-1`, `${project}-2`];
      for (const [id, own] of await createSite(api.api, project, ids)) all.set(id, own);
      await api.api.post("/equipment/geofences", {
        id: `${project}-fence`,
        name: project,
        project_id: project,
        polygon: [
          [53.5, 13.39],
          [53.5, 13.41],
          [53.51, 13.41],
          [53.51, 13.39],
        ],
      });
    }
    access = all;
    // The devices report of the last day.
    const beganMs = Date.now() - 2 * DAY_MS;
    await client.query("UPDATE geofence_versions SET valid_from_ms = $1", [beganMs]);
    await client.query("UPDATE asset_assignments SET valid_from_ms = $1", [beganMs]);
    await Promise.all([startNode(), startNode()]);
  });
  afterAll(async () => {
    await client?.end();
    await cluster?.close();
    await kafka?.close();
  });

  /** Devices that drive in and out of their fences, from `firstMs` on; `to`: ports that they connect to. */
  function devices(firstMs: number, to: () => readonly number[] = ports): PatientDevice[] {
    return [...access.values()].map((own, i) => {
      const payloadOf = (n: number): string => {
        const isInside = n % 10 >= 5;
        return JSON.stringify({
          timestamp: firstMs + n * STEP_MS,
          latitude: isInside ? 53.505 : 53.52,
          longitude: 13.4,
          number: n,
        });
      };
      return new PatientDevice(own, i, to, payloadOf);
    });
  }

  /** Events of visits by asset and type, of fixes from `sinceMs` on. */
  async function crossings(sinceMs: number): Promise<Record<string, number>> {
    const { rows } = await client.query<{ key: string; count: string }>(
      `SELECT asset_id || ' ' || type AS key, count(*) AS count FROM events
       WHERE type LIKE 'equipment.geofence.%' AND occurred_at_ms >= $1 GROUP BY 1 ORDER BY 1`,
      [sinceMs],
    );
    return Object.fromEntries(rows.map(({ key, count }) => [key, Number(count)]));
  }

  /** Every device has driven in and out as often as it did, and nothing else is said of its fence. */
  async function expectCrossings(sinceMs: number): Promise<void> {
    const expected = Object.fromEntries(
      [...access.keys()].sort().flatMap((id) => [
        [`${id} equipment.geofence.entered`, INSIDE_BLOCKS],
        [`${id} equipment.geofence.exited`, INSIDE_BLOCKS],
      ]),
    );
    const total = 2 * INSIDE_BLOCKS * access.size;
    await until(
      "every crossing is stored",
      async () => {
        const counts = Object.values(await crossings(sinceMs));
        return counts.reduce((sum, count) => sum + count, 0) >= total;
      },
      PATIENT_MS,
    );
    expect(await crossings(sinceMs)).toEqual(expected);
  }

  it("a broker and an ingest process are killed: nothing acknowledged is lost, and no event doubled", async () => {
    const firstMs = Date.now() - STORIES_AGO_MS.kills;
    const sending = devices(firstMs);
    const done = Promise.all(sending.map((device) => device.send(range(0, COUNT - 1))));
    const acknowledged = () => sending.reduce((sum, device) => sum + device.acknowledged, 0);
    const total = COUNT * access.size;
    const past = (share: number) =>
      until("messages are acknowledged", () => acknowledged() > share * total, PATIENT_MS);
    await past(0.1);
    await kafka.kill(0);
    await past(0.3);
    await nodes[0]?.service.end("SIGKILL");
    await past(0.5);
    await kafka.start(0);
    await startNode();
    await done;

    for (const id of access.keys()) {
      await until(
        `every number of ${id} is stored`,
        async () => (await storedNumbers(api.api, id)).length >= COUNT,
        PATIENT_MS,
      );
      expect(await storedNumbers(api.api, id)).toEqual(range(0, COUNT - 1));
    }
    await expectCrossings(firstMs);
  });

  it("while two of three brokers are away PUBACK waits, and health says why; then it comes", async () => {
    const [own] = access.values();
    const node = nodes.find(({ service }) => !service.isGone) as RoleProcess;
    const device = await openDevice({
      access: own as DeviceAccess,
      port: node.service.mqttPort,
    });
    const timestamp = Date.now() - STORIES_AGO_MS.away;
    const payload = JSON.stringify({ timestamp, latitude: 53.52, longitude: 13.4 });
    await device.publish({ payload });
    await kafka.kill(1);
    await kafka.kill(2);
    let isAcknowledged = false;
    const later = device.publish({ payload: payload.replace("53.52", "53.53") }).then(() => {
      isAcknowledged = true;
    });
    const health = async () => {
      const answer = await fetch(`${node.service.http}/health/ready`);
      return `${answer.status} ${await answer.text()}`;
    };
    await until(
      "health says that Kafka is away",
      async () => (await health()).includes("Kafka does not store records"),
      PATIENT_MS,
    );
    expect(await health()).toContain("503 ");
    expect(isAcknowledged).toBe(false);
    await kafka.start(1);
    await kafka.start(2);
    await until("it is healthy again", async () => (await health()).startsWith("200 "), PATIENT_MS);
    // What was in flight is answered; a session that waited for too long was closed.
    await later.catch(() => undefined);
    device.cut();
    const again = devices(timestamp + STEP_MS)[0] as PatientDevice;
    await again.send([0]);
    expect(again.acknowledged).toBe(1);
  });

  it("a process that was paused beyond its session commits nothing when it goes on", async () => {
    const alive = nodes.filter(({ service }) => !service.isGone);
    expect(alive).toHaveLength(2);
    const [paused, other] = alive as [RoleProcess, RoleProcess];
    const firstMs = Date.now() - STORIES_AGO_MS.paused;
    const owners = async () => {
      const { rows } = await client.query<{ holder: string }>(
        "SELECT DISTINCT holder FROM leases WHERE name LIKE 'partition/%'",
      );
      return rows.length;
    };
    await until("both have partitions", async () => (await owners()) === 2, PATIENT_MS);
    const sending = devices(firstMs, () => [other.service.mqttPort]);
    const half = Math.floor(COUNT / 2);
    await Promise.all(sending.map((device) => device.send(range(0, half))));
    process.kill(paused.service.pid, "SIGSTOP");
    try {
      await Promise.all(sending.map((device) => device.send(range(half + 1, COUNT - 1))));
      await until(
        "the other process has all partitions",
        async () => (await owners()) === 1,
        PATIENT_MS,
      );
    } finally {
      process.kill(paused.service.pid, "SIGCONT");
    }
    await until("both have partitions again", async () => (await owners()) === 2, PATIENT_MS);
    await expectCrossings(firstMs);
  });
});
