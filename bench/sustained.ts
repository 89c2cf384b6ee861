/**
 * The sustained end-to-end rate: readings per second that the real process (`dist/main.js`, embedded
 * stores) acknowledges, makes visible, stores in both stores and commits with its checkpoint, with no
 * backlog building up anywhere. Each step runs at a fixed offered rate; it is sustained when all was
 * acknowledged and both readers of the journal kept within one second of the newest record.
 *
 *   npm run build && tsx bench/sustained.ts [--http readings a request] [seconds per step] [devices] [rate ...]
 *
 * `--http`: the devices post NDJSON to HTTP ingest, one request at a time, in place of MQTT at QoS 1.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createApiClient } from "../test/support/api-client.ts";
import { startServiceProcess } from "../test/support/service-process.ts";
import { PacedPoster } from "./sustained/paced-poster.ts";
import { PacedPublisher } from "./sustained/paced-publisher.ts";

const { values, positionals } = parseArgs({
  options: { http: { type: "string" } },
  allowPositionals: true,
});
const [seconds = 20, devices = 200, ...asked] = positionals.map(Number);
/** Readings in a request; `undefined`: over MQTT. */
const batch = values.http === undefined ? undefined : Number(values.http);
const rates = asked.length > 0 ? asked : [10_000, 20_000, 30_000, 40_000];
const ADMIN_KEY = "bench-admin-key-of-at-least-32-characters";

const dataDir = await mkdtemp(join(tmpdir(), "plumbline-sustained-"));
const service = await startServiceProcess({
  dataDir,
  adminKey: ADMIN_KEY,
  program: "built",
  environment: { DEVICE_READINGS_PER_S: "1000000", DEVICE_BURST_READINGS: "10000000" },
});
const api = createApiClient(service.http, ADMIN_KEY);

/** Records that the slower of the two readers is behind. */
async function lag(): Promise<number> {
  const metrics = await api.text("/metrics");
  const lines = metrics.matchAll(/^plumbline_journal_lag_records\{reader="(\w+)"\} (\d+)$/gm);
  return Math.max(...[...lines].map((line) => Number(line[2])));
}

async function step(publishers: readonly (PacedPublisher | PacedPoster)[], rate: number) {
  const cpuBefore = await cpuSeconds();
  const before = sum(publishers.map((one) => one.acknowledged));
  const startedMs = performance.now();
  for (const publisher of publishers) publisher.start(rate / publishers.length);
  const lags: number[] = [];
  while (performance.now() - startedMs < seconds * 1_000) {
    await delay(500);
    lags.push(await lag());
  }
  for (const publisher of publishers) publisher.stop();
  const elapsedS = (performance.now() - startedMs) / 1_000;
  const acknowledged = sum(publishers.map((one) => one.acknowledged)) - before;
  const unacknowledged = sum(publishers.map((one) => one.inFlight));
  const cpu = (await cpuSeconds()) - cpuBefore;
  // The first seconds warm the compiler up; a backlog made then must be gone in the second half.
  const late = lags.slice(Math.floor(lags.length / 2));
  const drainStartMs = performance.now();
  while ((await lag()) > rate / 10 && performance.now() - drainStartMs < 120_000) await delay(100);
  return {
    "offered/s": rate,
    "acknowledged/s": Math.round(acknowledged / elapsedS),
    "unacknowledged at end": unacknowledged,
    "largest lag, 2nd half (records)": Math.max(...late),
    "drained in s": ((performance.now() - drainStartMs) / 1_000).toFixed(1),
    "us CPU/reading": Math.round((cpu / acknowledged) * 1e6),
    sustained: Math.max(...late) <= rate && acknowledged / elapsedS >= rate * 0.97,
  };
}

/** CPU time of the whole process, all threads, s. */
async function cpuSeconds(): Promise<number> {
  const metrics = await api.text("/metrics");
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

try {
  await api.post("/projects", {
    id: "bench",
    name: "Bench",
    location: { latitude: 52.5, longitude: 13.4 },
  });
  const publishers: (PacedPublisher | PacedPoster)[] = [];
  for (let i = 0; i < devices; i += 1) {
    const { mqtt } = await api.post<{ mqtt: { password: string; topic: string } }>(
      "/equipment/assets",
      { id: `bench-${i}`, name: `Bench ${i}`, type: "haul_truck", project_id: "bench" },
    );
    const id = `bench-${i}`;
    publishers.push(
      batch === undefined
        ? new PacedPublisher({ ...mqtt, id, port: service.mqttPort })
        : new PacedPoster({ ...mqtt, id, url: service.http, batch }),
    );
  }
  await Promise.all(publishers.map((publisher) => publisher.connect()));
  const rows = [];
  for (const rate of rates) {
    const row = await step(publishers, rate);
    console.log(JSON.stringify(row));
    rows.push(row);
    if (!row.sustained) break;
  }
  console.table(rows);
  const best = rows.filter((row) => row.sustained).at(-1);
  console.log(`sustained: ${best === undefined ? "none of these" : best["offered/s"]} readings/s`);
  for (const publisher of publishers) publisher.close();
} finally {
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(0);
