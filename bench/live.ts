/**
 * What live streams cost: 1,000 machines report once a second each over MQTT, and 50 clients of ten keys follow all
 * of them at `GET /live`. Seconds without streams and with them take turns in one process of the service (`dist/main.js`,
 * embedded stores), whose processor time is compared: `per stream second` is what one client costs. A device of its
 * own publishes ten times a second meanwhile; how long its PUBACKs take is what the streams do to devices.
 *
 *   npm run build && tsx bench/live.ts [machines] [streams] [seconds a round]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createApiClient } from "../test/support/api-client.ts";
import { type MqttDevice, openDevice } from "../test/support/mqtt-device.ts";
import { startServiceProcess } from "../test/support/service-process.ts";
import { createSite, type DeviceAccess } from "../test/support/site.ts";
import { median } from "./figures/median.ts";
import { PacedPublisher } from "./sustained/paced-publisher.ts";

const [machines = 1_000, streams = 50, seconds = 20] = process.argv.slice(2).map(Number);
const ROUNDS = 3;
/** docs/rules.md#webhooks-and-streams */
const STREAMS_PER_KEY = 5;
/** Until what a change of the number of streams brings is over, ms. */
const SETTLE_MS = 3_000;
/** Pause between two messages of the device whose PUBACKs are timed, ms. */
const PROBE_MS = 100;
const PROBE = "probe";
const PROJECT = "live";
const ADMIN_KEY = "bench-admin-key-of-at-least-32-characters";

const dataDir = await mkdtemp(join(tmpdir(), "plumbline-live-"));
const service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY, program: "built" });
const api = createApiClient(service.http, ADMIN_KEY);

/** Processor time of the service so far, all threads, s. */
async function cpuSeconds(): Promise<number> {
  const metrics = await api.text("/metrics");
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}

interface Round {
  /** Processor time a second. */
  readonly cpu: number;
  /** Messages of positions, and their bytes, a second and stream. */
  readonly messages: number;
  readonly bytes: number;
  /** 99 % of PUBACKs of QoS 1 came within, ms. */
  readonly pubackMs: number;
}

/** What all clients received so far. */
const taken = { messages: 0, bytes: 0 };

/** A client that counts what comes, and keeps nothing of it. */
function openClient(key: string): ClientRequest {
  const headers = { authorization: `Bearer ${key}` };
  const sent = request(`${service.http}/api/v1/live?topics=positions`, { headers, agent: false });
  sent.on("response", (answer) => {
    if (answer.statusCode !== 200) throw new Error(`the stream is answered ${answer.statusCode}`);
    answer.on("data", (bytes: Buffer) => {
      taken.bytes += bytes.length;
      if (bytes.includes("event: positions")) taken.messages += 1;
    });
    answer.on("error", () => undefined);
  });
  sent.on("error", () => undefined);
  sent.end();
  return sent;
}

/** How long each PUBACK took, ms, until the signal. */
async function pubacks(device: MqttDevice, signal: AbortSignal): Promise<readonly number[]> {
  const tookMs: number[] = [];
  while (!signal.aborted) {
    const payload = JSON.stringify({ latitude: 52.5, longitude: 13.4, timestamp: new Date() });
    const startMs = performance.now();
    await device.publish({ payload, qos: 1 });
    tookMs.push(performance.now() - startMs);
    await delay(PROBE_MS);
  }
  return tookMs;
}

async function measured(clients: number, probe: MqttDevice): Promise<Round> {
  await delay(SETTLE_MS);
  const [cpuBefore, before, startMs] = [await cpuSeconds(), { ...taken }, performance.now()];
  const tookMs = await pubacks(probe, AbortSignal.timeout(seconds * 1_000));
  const elapsedS = (performance.now() - startMs) / 1_000;
  const cpuAfter = await cpuSeconds();
  const each = Math.max(1, clients) * elapsedS;
  return {
    cpu: (cpuAfter - cpuBefore) / elapsedS,
    messages: (taken.messages - before.messages) / each,
    bytes: (taken.bytes - before.bytes) / each,
    pubackMs: tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? Number.NaN,
  };
}

try {
  const ids = Array.from({ length: machines }, (_, i) => `machine-${i}`);
  const access = await createSite(api, PROJECT, [...ids, PROBE]);
  const keys = await Promise.all(
    Array.from({ length: Math.ceil(streams / STREAMS_PER_KEY) }, async (_, i) => {
      const key = { name: `Live ${i}`, scopes: ["equipment:read"] };
      return (await api.post<{ key: string }>("/keys", key)).key;
    }),
  );
  const probe = await openDevice({
    access: access.get(PROBE) as DeviceAccess,
    port: service.mqttPort,
  });
  const devices = [...access]
    .filter(([id]) => id !== PROBE)
    .map(
      ([id, { password, topic }]) =>
        new PacedPublisher({ id, password, topic, port: service.mqttPort, live: true }),
    );
  for (const device of devices) await device.connect();
  for (const device of devices) device.start(1);
  const rounds: { without: Round; with: Round }[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const without = await measured(0, probe);
    const clients = Array.from({ length: streams }, (_, n) =>
      openClient(keys[n % keys.length] ?? ""),
    );
    rounds.push({ without, with: await measured(streams, probe) });
    for (const client of clients) client.destroy();
  }
  for (const device of devices) device.close();
  await probe.disconnect();
  const ratios = rounds.map((round) => round.with.cpu / round.without.cpu);
  const extra = rounds.map((round) => round.with.cpu - round.without.cpu);
  console.table(
    rounds.map((round, i) => ({
      "CPU/s without": round.without.cpu.toFixed(3),
      "CPU/s with": round.with.cpu.toFixed(3),
      ratio: ratios[i]?.toFixed(2),
      "PUBACK p99 without, ms": round.without.pubackMs.toFixed(1),
      "PUBACK p99 with, ms": round.with.pubackMs.toFixed(1),
      "messages/s a stream": round.with.messages.toFixed(2),
      "kB/s a stream": (round.with.bytes / 1_000).toFixed(1),
    })),
  );
  console.log(
    `${streams} streams on ${machines} machines: ${median(ratios).toFixed(2)} x the processor time, ` +
      `${(median(extra) * 100).toFixed(1)} % of a core more, ` +
      `${((median(extra) / streams) * 1e3).toFixed(2)} ms a stream and second`,
  );
} finally {
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true });
}
