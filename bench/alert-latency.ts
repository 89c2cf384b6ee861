/**
 * From a fix to the alert: devices publish 1,000 messages a second at QoS 1 in all. Some of them are from
 * machines whose every fix is on the other side of a fence. The time is measured from right before the
 * publish until the event has arrived at a webhook's receiver, on the event stream and at an MQTT
 * reader, all in this process, with the real process (`dist/main.js`, embedded stores) between. The
 * first seconds are warm-up and left out. Exit code 1 when a p99 of webhook or stream is 150 ms or more.
 *
 *   npm run build && tsx bench/alert-latency.ts [events] [messages per second]
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { connectAsync } from "mqtt";
import { offsetLocation } from "../domain/geodesy.ts";
import { createApiClient } from "../test/support/api-client.ts";
import { startServiceProcess } from "../test/support/service-process.ts";
import { createAsset, createSite } from "../test/support/site.ts";
import { openSse } from "../test/support/sse-client.ts";
import {
  CROSSING_EVERY_MS,
  CrossingMachine,
  squareAround,
} from "./alert-latency/crossing-machine.ts";
import { createLatencies, quantileMs } from "./alert-latency/latencies.ts";
import { PacedPublisher } from "./sustained/paced-publisher.ts";

const [events = 1_000, messagesPerS = 1_000] = process.argv.slice(2).map(Number);
const GOAL_P99_MS = 150;
const WARM_UP_MS = 10_000;
const MACHINES = 60;
const OTHERS = 200;
const PROJECT = "alerts";
const ADMIN_KEY = "bench-admin-key-of-at-least-32-characters";
/** Where the other devices drive in circles (PacedPublisher); the fences lie 1 km and more north. */
const SITE = { latitude: 52.5, longitude: 13.4 };

/** What the bench reads of an event. */
interface Crossing {
  readonly type: string;
  readonly asset_id: string;
  readonly occurred_at: string;
}

const dataDir = await mkdtemp(join(tmpdir(), "plumbline-alerts-"));
const service = await startServiceProcess({
  dataDir,
  adminKey: ADMIN_KEY,
  program: "built",
  environment: { OUTBOUND_ALLOW_CIDRS: "127.0.0.0/8" },
});
const api = createApiClient(service.http, ADMIN_KEY);
const latencies = createLatencies();
let isMeasured = false;

function take(receiver: string, event: Crossing): void {
  latencies.received(receiver, event.asset_id, event.occurred_at);
}

/** Each machine has a fence of its own, 300 m from the next. */
const centreOf = (i: number) =>
  offsetLocation(SITE, (i % 10) * 300, 1_500 + Math.floor(i / 10) * 300);

async function openMachines(): Promise<readonly CrossingMachine[]> {
  return Promise.all(
    Array.from({ length: MACHINES }, async (_, i) => {
      const id = `machine-${i}`;
      await api.post("/equipment/geofences", {
        name: `Fence ${i}`,
        project_id: PROJECT,
        polygon: squareAround(centreOf(i)),
      });
      const access = await createAsset(api, PROJECT, id);
      return CrossingMachine.open(service.mqttPort, access, centreOf(i), (fixTime) => {
        if (isMeasured) latencies.published(id, fixTime);
      });
    }),
  );
}

const receiver = createServer((request, response) => {
  void json(request).then((body) => {
    take("webhook", (body as { data: Crossing }).data);
    response.writeHead(204).end();
  });
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");

const RECEIVERS = ["webhook", "stream", "mqtt"] as const;
let isGood = false;
try {
  const ids = Array.from({ length: OTHERS }, (_, i) => `other-${i}`);
  const access = await createSite(api, PROJECT, ids);
  // The others are evaluated by a fence too: all of them stay inside this one.
  await api.post("/equipment/geofences", {
    name: "Site",
    project_id: PROJECT,
    kind: "boundary",
    polygon: squareAround(SITE, 600),
  });
  const machines = await openMachines();
  const others = [...access].map(
    ([id, { password, topic }]) =>
      new PacedPublisher({ id, password, topic, port: service.mqttPort, live: true }),
  );
  await Promise.all(others.map((other) => other.connect()));

  const types = ["equipment.geofence.*"];
  const { port } = receiver.address() as AddressInfo;
  await api.post("/webhooks", { name: "Bench", url: `http://127.0.0.1:${port}/`, types });
  const stream = await openSse(`${service.http}/api/v1/events/stream?type=${types}`, {
    key: ADMIN_KEY,
    onMessage: ({ data }) => take("stream", JSON.parse(data) as Crossing),
  });
  const reader = await connectAsync(`mqtt://127.0.0.1:${service.mqttPort}`, {
    username: "apikey",
    password: ADMIN_KEY,
    protocolVersion: 4,
  });
  reader.on("message", (_topic, payload) =>
    take("mqtt", JSON.parse(payload.toString()) as Crossing),
  );
  await reader.subscribeAsync(`sites/${PROJECT}/events/#`, { qos: 1 });

  const crossingsPerS = (MACHINES * 1_000) / CROSSING_EVERY_MS;
  for (const other of others) other.start((messagesPerS - crossingsPerS) / OTHERS);
  for (const [i, machine] of machines.entries()) machine.start((CROSSING_EVERY_MS / MACHINES) * i);
  await delay(WARM_UP_MS);

  // How quiet the machine is: on one with nothing else to do this stays at a few milliseconds.
  const lateness = monitorEventLoopDelay({ resolution: 1 });
  lateness.enable();
  isMeasured = true;
  const acknowledged = () => others.reduce((total, other) => total + other.acknowledged, 0);
  const [before, startMs] = [acknowledged(), performance.now()];
  const deadlineMs = startMs + (events / crossingsPerS) * 1_000 * 2;
  while (latencies.complete(RECEIVERS) < events && performance.now() < deadlineMs) await delay(200);
  const seconds = (performance.now() - startMs) / 1_000;
  const rate = (acknowledged() - before) / seconds + crossingsPerS;
  lateness.disable();
  for (const one of [...others, ...machines]) one.stop();
  await delay(2_000);

  console.log(
    `${rate.toFixed(0)} messages/s acknowledged, ${crossingsPerS} of them crossings, ${MACHINES + OTHERS} devices, ${MACHINES + 1} fences`,
  );
  for (const name of RECEIVERS) {
    const times = latencies.timesMs(name);
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantileMs(times, share).toFixed(1));
    console.log(
      `publish to ${name}: ${times.length} events, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`,
    );
  }
  const lateMs = [lateness.percentile(99), lateness.max].map((ns) => (ns / 1e6).toFixed(1));
  console.log(
    `timers of this process, the control: late by p99 ${lateMs[0]} ms, max ${lateMs[1]} ms`,
  );
  const enough = latencies.complete(RECEIVERS) >= events;
  const p99s = ["webhook", "stream"].map((name) => quantileMs(latencies.timesMs(name), 0.99));
  isGood = enough && p99s.every((p99) => p99 < GOAL_P99_MS);
  if (!enough) console.log(`fewer than ${events} events arrived everywhere`);

  stream.cut();
  await reader.endAsync();
  for (const other of others) other.close();
  for (const machine of machines) await machine.close();
} finally {
  receiver.close();
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true, force: true });
}
console.log(isGood ? "1 passed, 0 failed" : "0 passed, 1 failed");
process.exit(isGood ? 0 : 1);
