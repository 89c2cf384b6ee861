import { connect, type Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAPROXY, startHaproxy } from "../../support/haproxy.ts";
import { INFLUXDB } from "../../support/influx-server.ts";
import { KAFKA, type KafkaBrokers, startKafka } from "../../support/kafka/kafka-brokers.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { type RawClient, rawClientOver } from "../../support/raw-mqtt.ts";
import { createSite, type DeviceAccess } from "../../support/site.ts";
import { openTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { until } from "../../support/until.ts";
import { type Cluster, letIn, openCluster, type RoleProcess, SERVERS } from "./cluster.ts";

const absent = [KAFKA, SERVERS, INFLUXDB].flatMap((one) => one.absent ?? []);
const absence = absent.length === 0 ? "" : ` (skipped: ${absent.join(", ")})`;
/** Every address of 127/8 is this machine's. */
const BALANCER = "127.0.0.9";
const ids = ["crane", "digger", "truck", "roller"];
/** Projects with a machine of the same name, in three different partitions: no one of three processes has them all. */
const apart = ["pit", "north", "depot"];

/** As the API shows a machine. */
interface Shown {
  readonly connection: { readonly link: string; readonly status: string };
}
interface Noted {
  readonly outcome: string;
  readonly address: string;
}
interface SentCommand {
  readonly id: string;
  readonly status: string;
}

it.runIf(HAPROXY.required)("HAProxy is there, as required", () => {
  expect(HAPROXY.absent).toBeUndefined();
});

describe.skipIf(absent.length > 0)(`alike ingest processes and one machine${absence}`, () => {
  let kafka: KafkaBrokers;
  let cluster: Cluster;
  let api: RoleProcess;
  let nodes: readonly [RoleProcess, RoleProcess];
  let client: pg.Client;
  const access = new Map<string, DeviceAccess>();
  let wire: TcpProxy;
  const sockets: Socket[] = [];

  const startNode = (environment: Readonly<Record<string, string>> = {}): Promise<RoleProcess> =>
    cluster.start("ingest", {
      ...environment,
      KAFKA_BROKERS: kafka.addresses.join(","),
      KAFKA_PARTITIONS: "6",
      PROXY_PROTOCOL_FROM: BALANCER,
    });

  beforeAll(async () => {
    [kafka, cluster] = await Promise.all([startKafka({ count: 1 }), openCluster()]);
    api = await cluster.start("api");
    client = new pg.Client({ connectionString: cluster.databaseUrl });
    await client.connect();
    for (const site of ["yard", ...apart]) {
      const own = await createSite(api.api, site, site === "yard" ? ids : [site]);
      for (const [id, known] of own) access.set(id, known);
    }
    nodes = await Promise.all([startNode(), startNode()]);
    wire = await openTcpProxy(nodes[0].service.mqttPort);
    // Both know the machines before a story begins.
    for (const node of nodes) for (const own of access.values()) (await letIn(node, own)).cut();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await wire?.close();
    await client?.end();
    await cluster?.close();
    await kafka?.close();
  });

  const ownOf = (id: string): DeviceAccess => access.get(id) as DeviceAccess;

  /** Lets a machine ask to be let in, with a will; `first`: what a balancer writes before. */
  async function ask(port: number, id: string, first = "", from?: string) {
    const { username, password, topic } = ownOf(id);
    const localAddress = from ?? "127.0.0.1";
    const socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true });
    sockets.push(socket);
    if (first !== "") socket.write(first);
    const device = rawClientOver(socket);
    const payload = Buffer.from('{"latitude":1,"longitude":1}');
    device.send({
      ...{ cmd: "connect", protocolId: "MQTT", protocolVersion: 4, clean: true },
      ...{ clientId: `device-${id}`, keepalive: 60, username, password: Buffer.from(password) },
      will: { topic, payload, qos: 1, retain: false },
    });
    const { returnCode } = await device.hear("connack");
    return { device, returnCode };
  }

  async function logIn(...how: Parameters<typeof ask>): Promise<RawClient> {
    const { device, returnCode } = await ask(...how);
    expect(returnCode).toBe(0);
    return device;
  }

  const connectionOf = async (id: string): Promise<Shown["connection"]> =>
    (await api.api.get<Shown>(`/equipment/assets/${id}`)).connection;
  const linkOf = async (id: string): Promise<string> => (await connectionOf(id)).link;
  const linkIs = (id: string, link: string): Promise<unknown> =>
    until(`the link of ${id} is ${link}`, async () => (await linkOf(id)) === link, PATIENT_MS);
  const notedOf = async (id: string): Promise<readonly Noted[]> =>
    (await api.api.get<{ data: Noted[] }>(`/equipment/assets/${id}/connections`)).data;
  async function figure(node: RoleProcess, kind: string): Promise<number> {
    const text = await (await fetch(`${node.service.http}/metrics`)).text();
    const line = text.split("\n").find((one) => one.includes(`"${kind}"`));
    return Number(line?.split(" ").at(-1) ?? Number.NaN);
  }

  async function gauge(node: RoleProcess, name: string): Promise<number> {
    const text = await (await fetch(`${node.service.http}/metrics`)).text();
    return Number(new RegExp(`^plumbline_mqtt_${name} (\\d+)$`, "m").exec(text)?.[1]);
  }
  const sessionsOf = (node: RoleProcess): Promise<number> => gauge(node, "sessions");
  const partitionsOf = (node: RoleProcess): Promise<number> => gauge(node, "partitions");

  it("a machine whose link is dead at one process is taken over by another: one session, no will, connected", async () => {
    const dead = await logIn(wire.port, "crane");
    await linkIs("crane", "connected");
    wire.hold();
    const began = performance.now();
    const alive = await logIn(nodes[1].service.mqttPort, "crane");
    await until(
      "the first process has ended its session",
      async () => (await figure(nodes[0], "sessions_lost")) === 1,
      PATIENT_MS,
    );
    const tookMs = performance.now() - began;
    await until(
      "both are noted",
      async () => (await notedOf("crane")).some(({ outcome }) => outcome === "takeover"),
      PATIENT_MS,
    );
    expect(
      (await notedOf("crane")).filter(({ outcome }) => outcome === "accepted").length,
    ).toBeGreaterThan(1);
    expect(await figure(nodes[0], "wills_superseded")).toBe(1);
    expect(await figure(nodes[0], "wills")).toBe(0);
    expect((await connectionOf("crane")).link).toBe("connected");
    expect(tookMs).toBeLessThan(PATIENT_MS);
    wire.restore();
    await dead.closed();
    alive.send({ cmd: "disconnect" });
    await linkIs("crane", "disconnected");
  });

  it("a command reaches a machine at another process, once, though its older link is half-open", async () => {
    await logIn(wire.port, "digger").then((device) => {
      device.send({
        ...{ cmd: "subscribe", messageId: 1 },
        subscriptions: [{ topic: `sites/+/assets/digger/commands`, qos: 1 }],
      });
      return device.hear("suback");
    });
    wire.hold();
    const alive = await logIn(nodes[1].service.mqttPort, "digger");
    const sent = await api.api.post<SentCommand>("/equipment/assets/digger/commands", {
      name: "lock",
      max_attempts: 1,
    });
    alive.send({
      ...{ cmd: "subscribe", messageId: 1 },
      subscriptions: [{ topic: `sites/+/assets/digger/commands`, qos: 1 }],
    });
    const heard = await alive.hear("publish");
    expect(JSON.parse(heard.payload.toString())).toMatchObject({ id: sent.id, attempt: 1 });
    alive.send({ cmd: "puback", messageId: heard.messageId ?? 0 });
    await until(
      "it is delivered",
      async () =>
        (await api.api.get<SentCommand>(`/equipment/assets/digger/commands/${sent.id}`)).status ===
        "delivered",
      PATIENT_MS,
    );
    wire.restore();
  });

  it("a machine whose process died is disconnected, and one that came back elsewhere is not", async () => {
    const doomed = await startNode();
    const left = await logIn(doomed.service.mqttPort, "truck");
    const moved = await logIn(doomed.service.mqttPort, "roller");
    await linkIs("truck", "connected");
    await linkIs("roller", "connected");
    await doomed.service.end("SIGKILL");
    await Promise.all([left.closed(), moved.closed()]);
    await logIn(nodes[0].service.mqttPort, "roller");
    await linkIs("truck", "disconnected");
    expect((await connectionOf("roller")).link).toBe("connected");
    const { rows } = await client.query<{ count: string }>(
      "SELECT count(*) AS count FROM client_sessions WHERE asset_id = 'truck'",
    );
    expect(rows).toEqual([{ count: "0" }]);
  });

  it("a process that loses PostgreSQL lets machines in, leaves its partitions to others, and what stayed with it is connected again when it is back", async () => {
    const server = new URL(cluster.databaseUrl);
    const records = await openTcpProxy(Number(server.port));
    try {
      server.port = String(records.port);
      const lonely = await startNode({ DATABASE_URL: server.href });
      const { mqttPort } = lonely.service;
      const staying = await Promise.all(apart.map((id) => logIn(mqttPort, id)));
      const leaving = await logIn(mqttPort, "roller");
      for (const id of [...apart, "roller"]) await linkIs(id, "connected");
      await until("it has partitions", async () => (await partitionsOf(lonely)) > 0, PATIENT_MS);
      records.hold();
      const beganMs = performance.now();
      await logIn(mqttPort, "crane");
      // A second for its session.
      expect(performance.now() - beganMs).toBeLessThan(10_000);
      await logIn(nodes[0].service.mqttPort, "roller");
      await until(
        "the others have all partitions",
        async () => {
          const had = await Promise.all(nodes.map(partitionsOf));
          return had.reduce((sum, count) => sum + count, 0) === 6;
        },
        PATIENT_MS,
      );
      // They take it for dead, and evaluate the records that say so.
      for (const id of apart) await linkIs(id, "disconnected");
      for (const device of staying) {
        device.send({ cmd: "pingreq" });
        await device.hear("pingresp");
      }
      expect(leaving.isClosed).toBe(false);
      records.restore();
      await leaving.closed();
      await until(
        "it has its share again",
        async () => (await partitionsOf(lonely)) === 2,
        PATIENT_MS,
      );
      for (const id of [...apart, "roller"]) await linkIs(id, "connected");
      expect(staying.map(({ isClosed }) => isClosed)).toEqual(staying.map(() => false));
      for (const device of staying) device.send({ cmd: "disconnect" });
      for (const id of apart) await linkIs(id, "disconnected");
    } finally {
      await records.close();
    }
  });

  it.skipIf(HAPROXY.absent)(
    `behind a real HAProxy machines are told apart by address, and go to the process that is left${HAPROXY.absent === undefined ? "" : ` (skipped: ${HAPROXY.absent})`}`,
    async () => {
      const [first, second] = [await startNode(), await startNode()];
      const balancer = await startHaproxy(
        [[first, second].map(({ service }) => service.mqttPort)],
        BALANCER,
      );
      const [port = 0] = balancer.ports;
      try {
        const own = ["127.0.0.21", "127.0.0.22"];
        const devices = [
          await logIn(port, "crane", "", own[0]),
          await logIn(port, "digger", "", own[1]),
        ];
        for (const [i, id] of ["crane", "digger"].entries()) {
          await until(
            `${id} has its address`,
            async () =>
              (await notedOf(id)).some(
                ({ outcome, address }) => outcome === "accepted" && address === own[i],
              ),
            PATIENT_MS,
          );
        }
        expect((await notedOf("crane")).map(({ address }) => address)).not.toContain(BALANCER);
        const used = (await sessionsOf(first)) > 0 ? first : second;
        await used.service.end("SIGKILL");
        await until(
          "a machine has lost its connection",
          () => devices.some(({ isClosed }) => isClosed),
          PATIENT_MS,
        );
        const id = devices[0]?.isClosed === true ? "crane" : "digger";
        const back = await until(
          "it is let in by the other process",
          () => logIn(port, id, "", own[0]).catch(() => undefined),
          PATIENT_MS,
        );
        expect(back.isClosed).toBe(false);
        await linkIs(id, "connected");
      } finally {
        await balancer.close();
      }
    },
  );

  it("behind a balancer a machine has its own address, at every process", async () => {
    for (const [i, node] of nodes.entries()) {
      const header = `PROXY TCP4 203.0.113.${i + 1} 192.0.2.1 4711 1883\r\n`;
      await logIn(node.service.mqttPort, "truck", header, BALANCER);
    }
    await until(
      "both are noted",
      async () => {
        const noted = await notedOf("truck");
        const addresses = noted
          .filter(({ outcome }) => outcome === "accepted")
          .map(({ address }) => address);
        return addresses.includes("203.0.113.1") && addresses.includes("203.0.113.2");
      },
      PATIENT_MS,
    );
    const refused = connect({ port: nodes[0].service.mqttPort, host: "127.0.0.1" });
    sockets.push(refused);
    refused.on("error", () => undefined);
    refused.resume();
    refused.write("PROXY TCP4 203.0.113.3 192.0.2.1 4711 1883\r\n");
    await until("it is refused", () => refused.destroyed, PATIENT_MS);
  });

  it("two machines that share a client id end each other at two processes until both are refused", async () => {
    let takeovers = 0;
    let holder = await logIn(nodes[0].service.mqttPort, "depot");
    await until(
      "it is banned",
      async () => {
        const node = nodes[(takeovers + 1) % 2];
        const { device, returnCode } = await ask(node?.service.mqttPort ?? 0, "depot");
        if (returnCode === 5) return true;
        expect(returnCode).toBe(0);
        await holder.closed();
        holder = device;
        takeovers += 1;
        return false;
      },
      PATIENT_MS,
    );
    expect(takeovers).toBeGreaterThanOrEqual(15);
    for (const { service } of nodes) {
      expect((await ask(service.mqttPort, "depot")).returnCode).toBe(5);
    }
    expect(holder.isClosed).toBe(false);
    await logIn(nodes[0].service.mqttPort, "truck");
  });
});
