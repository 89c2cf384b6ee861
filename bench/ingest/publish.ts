import { connect, type Socket } from "node:net";
import { generate } from "mqtt-packet";
import { processCpuS } from "../figures/process-cpu.ts";

/** What one run of pipelined publishers measured. */
export interface PublishResult {
  /** PUBACKs per second between warm-up and end. */
  readonly perS: number;
  /** Time from PUBLISH to PUBACK, ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the broker for a PUBACK, microseconds. */
  readonly cpuUs: number;
}

const WARM_UP_MS = 700;
const PAYLOAD_BYTES = 200;

/** A reading of 200 bytes in our JSON. */
export function readingJson(seq: number): string {
  const text = JSON.stringify({
    timestamp: Date.now() + seq,
    latitude: 52.1234567,
    longitude: 13.7654321,
    speed_kmh: 23.2,
    heading: 181,
    altitude_meters: 42,
    accuracy_meters: 3.5,
    engine_on: true,
    fuel_level_percent: 66.2,
    seq,
  });
  return text.padEnd(PAYLOAD_BYTES, " ");
}

/** Connects and logs in as asset `b{index}` and resolves after CONNACK. */
export function logIn(port: number, index: number, localAddress = "127.0.0.1"): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => socket.write(connectPacket(index)));
    socket.once("data", (data) => {
      if (data[0] === 0x20 && data[3] === 0) resolve(socket);
      else reject(new Error(`CONNACK ${data[3]}`));
    });
  });
}

export const connectPacket = (index: number): Buffer =>
  generate({
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion: 4,
    clean: true,
    clientId: `bench-${index}`,
    keepalive: 0,
    username: `b${index}`,
    password: Buffer.from(`b${index}-secret`),
  });

export const publishPacket = (index: number, messageId: number): Buffer =>
  generate({
    cmd: "publish",
    topic: `sites/bench/assets/b${index}/telemetry`,
    payload: readingJson(messageId),
    qos: 1,
    messageId,
    dup: false,
    retain: false,
  });

/** Publishes at QoS 1 with `window` messages in flight on each connection for `seconds` to the broker of that pid. */
export async function publish(
  port: number,
  connections: number,
  window: number,
  seconds: number,
  pid: number,
): Promise<PublishResult> {
  const sockets: Socket[] = [];
  for (let i = 0; i < connections; i += 50) {
    const some = Array.from({ length: Math.min(50, connections - i) }, (_, k) =>
      logIn(port, i + k),
    );
    sockets.push(...(await Promise.all(some)));
  }
  let acknowledged = 0;
  let measuring = false;
  const latencies: number[] = [];
  sockets.forEach((socket, index) => {
    const packets = Array.from({ length: window }, (_, k) => publishPacket(index, k + 1));
    const packetBytes = packets[0]?.length ?? 0;
    // Twice in a row, so that any window of it is one slice.
    const ring = Buffer.concat([...packets, ...packets]);
    const sentAtMs = new Float64Array(window);
    let next = 0;
    let oldest = 0;
    let carry = 0;
    const send = (count: number): void => {
      const nowMs = performance.now();
      for (let k = 0; k < count; k += 1) sentAtMs[(next + k) % window] = nowMs;
      socket.write(ring.subarray(next * packetBytes, (next + count) * packetBytes));
      next = (next + count) % window;
    };
    socket.on("data", (data) => {
      const bytes = carry + data.length;
      const count = bytes >> 2;
      carry = bytes & 3;
      const nowMs = performance.now();
      acknowledged += count;
      if (measuring) latencies.push(nowMs - (sentAtMs[oldest] ?? nowMs));
      oldest = (oldest + count) % window;
      if (count > 0) send(count);
    });
    send(window);
  });
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  const before = acknowledged;
  const startMs = performance.now();
  const startCpuS = processCpuS(pid);
  measuring = true;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const count = acknowledged - before;
  const perS = count / ((performance.now() - startMs) / 1_000);
  const cpuUs = ((processCpuS(pid) - startCpuS) * 1e6) / count;
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perS: Math.round(perS), p50Ms: at(0.5), p99Ms: at(0.99), cpuUs };
}
