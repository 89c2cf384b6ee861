import type { ChildProcess } from "node:child_process";
import { connect, type Socket } from "node:net";
import { generate } from "mqtt-packet";
import { ask, startServer } from "./processes.ts";
import { connectPacket, logIn, publishPacket, readingJson } from "./publish.ts";

const IDLE_CONNECTIONS = 10_000;
/** A loopback address has some 28,000 local ports; several leave room for those still closing. */
const ADDRESSES = 4;
const BEHIND_CONNECT = 60;
const STUCK_RUN_MS = 4_000;
const EVENTS_PER_S = 200;

/** Memory of the broker with 10,000 connections that only keep alive. */
export async function idle(): Promise<void> {
  const server = await startServer("plumbline");
  const before = await ask<{ rssMb: number }>(server.child, "stats");
  const sockets: Socket[] = [];
  const startMs = performance.now();
  for (let i = 0; i < IDLE_CONNECTIONS; i += 200) {
    const some = Array.from({ length: 200 }, (_, k) =>
      logIn(server.port, i + k, `127.0.0.${1 + ((i + k) % ADDRESSES)}`),
    );
    sockets.push(...(await Promise.all(some)));
  }
  const connectS = (performance.now() - startMs) / 1_000;
  // CONNACK comes a turn of the event loop before the broker counts the session.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = await ask<{ rssMb: number; sessions: number }>(server.child, "stats");
  console.table([
    {
      connections: after.sessions,
      "RSS before MB": before.rssMb,
      "RSS after MB": after.rssMb,
      "log-ins/s": Math.round(IDLE_CONNECTIONS / connectS),
    },
  ]);
  for (const socket of sockets) socket.destroy();
  await server.stop();
}

/** 60 publishes in the same segment as CONNECT, on each of 100 connections. */
export async function behindConnect(): Promise<void> {
  const server = await startServer("plumbline");
  const acknowledged = await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const packets = Array.from({ length: BEHIND_CONNECT }, (_, k) => publishPacket(index, k + 1));
      return acknowledgements(server.port, Buffer.concat([connectPacket(index), ...packets]));
    }),
  );
  console.table([
    {
      connections: acknowledged.length,
      "publishes behind CONNECT": BEHIND_CONNECT,
      "fewest acknowledged": Math.min(...acknowledged),
    },
  ]);
  await server.stop();
}

/** Counts the PUBACKs to one write until all 60 are there or the connection ends. */
function acknowledgements(port: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let received = -4;
    socket.on("data", (data) => {
      received += data.length;
      if (received >= BEHIND_CONNECT * 4) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received / 4));
  });
}

/** PUBACK times of devices while events are published, with a reader that reads and one that does not. */
export async function stuckSubscriber(): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const isStuck of [false, true, false, true, false, true]) {
    const server = await startServer("plumbline");
    const reader = await openReader(server.port);
    if (isStuck) reader.pause();
    else reader.resume();
    const p99Ms = await pubackP99(server.port, server.child);
    const stats = await ask<{ slow_subscriber: number; rssMb: number }>(server.child, "stats");
    rows.push({
      subscriber: isStuck ? "stopped reading" : "reads",
      "PUBACK p99 ms": p99Ms.toFixed(1),
      "subscribers cut": stats.slow_subscriber,
      "RSS MB": stats.rssMb,
    });
    reader.destroy();
    await server.stop();
  }
  console.table(rows);
}

function openReader(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", reject);
    socket.write(
      Buffer.concat([
        generate({
          cmd: "connect",
          protocolId: "MQTT",
          protocolVersion: 4,
          clean: true,
          clientId: "reader",
          keepalive: 0,
          username: "apikey",
          password: Buffer.from("any"),
        }),
        generate({
          cmd: "subscribe",
          messageId: 1,
          subscriptions: [{ topic: "sites/bench/events/#", qos: 0 }],
        }),
      ]),
    );
    // CONNACK and SUBACK are 4 and 5 bytes.
    let received = 0;
    const count = (data: Buffer): void => {
      received += data.length;
      if (received < 9) return;
      socket.off("data", count);
      resolve(socket);
    };
    socket.on("data", count);
  });
}

/** 50 devices publish 20 times a second each, one message in flight, while events go out. */
async function pubackP99(port: number, broker: ChildProcess): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: 50 }, (_, i) => logIn(port, i)));
  const latencies: number[] = [];
  const events = setInterval(() => broker.send("publish"), 1_000 / EVENTS_PER_S);
  const timers = sockets.map((socket, index) => {
    let sentAtMs = 0;
    socket.on("data", () => latencies.push(performance.now() - sentAtMs));
    return setInterval(() => {
      sentAtMs = performance.now();
      socket.write(publishPacket(index, 1));
    }, 50);
  });
  await new Promise((resolve) => setTimeout(resolve, STUCK_RUN_MS));
  clearInterval(events);
  for (const timer of timers) clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
}

/** Time to decode one 200-byte reading, beside `JSON.parse` alone. */
export async function decode(): Promise<void> {
  const { plumbline } = await import("../../ingest/decoders/plumbline/plumbline.ts");
  const payload = Buffer.from(readingJson(1));
  const context = { assetId: "b0" as never, receivedAtMs: Date.now() };
  const rounds = 300_000;
  const time = (work: () => unknown): number => {
    for (let i = 0; i < rounds / 10; i += 1) work();
    const startMs = performance.now();
    for (let i = 0; i < rounds; i += 1) work();
    return Number((((performance.now() - startMs) / rounds) * 1_000).toFixed(2));
  };
  console.table([
    {
      "decode us": time(() => plumbline.decode(payload, context)),
      "JSON.parse us": time(() => JSON.parse(payload.toString())),
    },
  ]);
}
