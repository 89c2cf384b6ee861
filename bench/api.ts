/**
 * What the API costs over sending bytes, and what a long history costs.
 *
 *   npx tsx bench/api.ts [seconds per run]
 *
 * `GET /assets` with 100 assets, authenticated and limited, beside a bare Fastify route that sends the
 * same ready bytes; with DATABASE_URL (an empty database) also counted exactly over processes, in
 * PostgreSQL. All in one server process, runs interleaved, the clients in this process. The
 * assets move once a second each, so that ready texts go stale as they do in service. Then the p50 and
 * p99 of 72 h of history with 26,000 points from the embedded store, one request after the other.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastify from "fastify";
import type { ApiDependencies } from "../api/dependencies/dependencies.ts";
import type { AssetId, ProjectId } from "../domain/ids.ts";
import { HOUR_MS } from "../domain/time.ts";
import type { TelemetryStore } from "../storage/ports/telemetry-store.ts";
import { openRecordStore } from "../storage/records/open.ts";
import { openEmbeddedTelemetryStore } from "../storage/telemetry/embedded/open.ts";
import { ADMIN_KEY, FIX, openTestApp, type TestApp } from "../test/support/api-app.ts";
import { load, portOf, type Run } from "./api/load.ts";
import { median } from "./figures/median.ts";

const ASSETS = 100;
/** Each enterprise key may ask 10,000 times a minute; enough of them for the whole bench. */
const KEYS = 400;
const ROUNDS = 5;
const HISTORY_POINTS = 26_000;
const HISTORY_REQUESTS = 200;

interface Ready {
  readonly barePort: number;
  readonly apiPort: number;
  /** The API that counts in PostgreSQL; absent without one. */
  readonly countedPort?: number;
  readonly countedKeys: readonly string[];
  readonly keys: readonly string[];
  readonly historyPath: string;
}

/** The child: both servers, and its CPU time whenever the parent asks. */
async function serve(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "bench-api-"));
  const telemetry = await openEmbeddedTelemetryStore({ dir });
  const { t, ids, keys } = await openFleet({ telemetry });
  const databaseUrl = process.env["DATABASE_URL"];
  const records =
    databaseUrl === undefined ? undefined : await openRecordStore({ dataDir: "", databaseUrl });
  const counted = records && (await openFleet({ requestCounts: records.requestCounts }));
  const [tracked] = ids;
  if (tracked !== undefined) await storeHistory(telemetry, tracked);
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  await counted?.t.app.listen({ host: "127.0.0.1", port: 0 });
  const answer = await t.get("/api/v1/equipment/assets", ADMIN_KEY);
  const bytes = Buffer.from(answer.rawPayload);
  const bare = fastify();
  bare.get("/", (_request, reply) => reply.type("application/json; charset=utf-8").send(bytes));
  await bare.listen({ host: "127.0.0.1", port: 0 });
  process.on("message", (question) => {
    if (question === "cpu") process.send?.(process.cpuUsage());
    else
      void telemetry.close().then(() => rm(dir, { recursive: true }).then(() => process.exit(0)));
  });
  const ready: Ready = {
    barePort: portOf(bare.server.address()),
    apiPort: portOf(t.app.server.address()),
    ...(counted === undefined ? {} : { countedPort: portOf(counted.t.app.server.address()) }),
    keys,
    countedKeys: counted?.keys ?? [],
    historyPath: `/api/v1/equipment/assets/${tracked}/location?history=true&hours=72`,
  };
  process.send?.(ready);
}

/** The API with 100 machines that move once a second each, and its keys. */
async function openFleet(extra: Partial<Omit<ApiDependencies, "jobs" | "records">>): Promise<{
  readonly t: TestApp;
  readonly ids: readonly AssetId[];
  readonly keys: readonly string[];
}> {
  const t = await openTestApp({ ...extra, now: Date.now });
  const project_id = await t.project();
  const ids: AssetId[] = [];
  for (let i = 0; i < ASSETS; i += 1) {
    ids.push(await t.asset({ project_id, name: `Excavator ${i}` }));
  }
  const keys: string[] = [];
  for (let i = 0; i < KEYS; i += 1) keys.push(await t.key({ plan: "enterprise" }));
  function move(id: AssetId): void {
    const nowMs = Date.now();
    const fix = { ...FIX, latitude: 53.5 + Math.random() / 100, fixTimeMs: nowMs };
    t.live(id, { fix, lastUpdateMs: nowMs, lastWorkedAtMs: nowMs });
  }
  for (const id of ids) move(id);
  let turn = 0;
  setInterval(() => {
    const id = ids[turn % ids.length];
    if (id !== undefined) move(id);
    turn += 1;
  }, 1_000 / ASSETS);
  return { t, ids, keys };
}

/** Stores 72 h of positions of one asset. */
async function storeHistory(telemetry: TelemetryStore, assetId: AssetId): Promise<void> {
  const stepMs = (72 * HOUR_MS) / HISTORY_POINTS;
  const degrees = () => Math.round((50 + Math.random()) * 1e7) / 1e7;
  const lastMs = Date.now();
  const points = Array.from({ length: HISTORY_POINTS }, (_, i) => ({
    assetId,
    projectId: "bench" as ProjectId,
    fixTimeMs: Math.ceil(lastMs - (HISTORY_POINTS - 1 - i) * stepMs),
    seq: -1,
    payloadHash: 0,
    fields: { latitude: degrees(), longitude: degrees(), speed_kmh: i % 50 },
  }));
  for (let from = 0; from < points.length; from += 1_000) {
    const batch = points.slice(from, from + 1_000);
    await telemetry.write(batch, { journalId: "bench", sequence: from + batch.length });
  }
  await telemetry.flush();
}

async function measure(seconds: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ["serve"]);
  const [ready] = (await once(child, "message")) as [Ready];
  const cpu = async () => {
    child.send("cpu");
    const [used] = (await once(child, "message")) as [NodeJS.CpuUsage];
    return (used.user + used.system) / 1e6;
  };
  const host = "host: 127.0.0.1\r\n";
  const bare = [Buffer.from(`GET / HTTP/1.1\r\n${host}\r\n`)];
  const asking = (keys: readonly string[]) =>
    keys.map((key) =>
      Buffer.from(
        `GET /api/v1/equipment/assets HTTP/1.1\r\n${host}authorization: Bearer ${key}\r\n\r\n`,
      ),
    );
  const targets: [name: string, port: number, requests: readonly Buffer[]][] = [
    ["bare", ready.barePort, bare],
    ["api", ready.apiPort, asking(ready.keys)],
  ];
  if (ready.countedPort !== undefined) {
    targets.push(["api, counted in PostgreSQL", ready.countedPort, asking(ready.countedKeys)]);
  }
  for (const [, port, requests] of targets) await load(port, requests, 1, cpu);
  const runs = targets.map((): Run[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, [, port, requests]] of targets.entries()) {
      runs[i]?.push(await load(port, requests, seconds, cpu));
    }
  }
  console.log("GET /assets, 100 assets (median of %d)   req/s   req per server CPU s", ROUNDS);
  for (const [i, [name]] of targets.entries()) {
    const perS = median((runs[i] ?? []).map((run) => run.perS));
    const perCpuS = median((runs[i] ?? []).map((run) => run.perCpuS));
    console.log(
      `  ${name.padEnd(36)} ${perS.toFixed(0).padStart(8)} ${perCpuS.toFixed(0).padStart(12)}`,
    );
  }
  for (const [i, [name]] of targets.entries()) {
    if (i === 0) continue;
    const ratio = (of: keyof Run) =>
      median((runs[i] ?? []).map((run, k) => run[of] / (runs[0]?.[k]?.[of] ?? Number.NaN)));
    const [perS, perCpuS] = [ratio("perS").toFixed(2), ratio("perCpuS").toFixed(2)];
    console.log(
      `  ${`${name} / bare`.padEnd(36)} ${perS.padStart(8)} ${perCpuS.padStart(12)} (goal of api >= 0.50)`,
    );
  }
  await history(ready, cpu);
  child.send("end");
  await once(child, "exit");
}

async function history(
  { apiPort, keys, historyPath }: Ready,
  cpu: () => Promise<number>,
): Promise<void> {
  const cpuBefore = await cpu();
  const durationsMs: number[] = [];
  let size = 0;
  for (let i = 0; i < HISTORY_REQUESTS; i += 1) {
    const startMs = performance.now();
    const response = await fetch(`http://127.0.0.1:${apiPort}${historyPath}`, {
      headers: { authorization: `Bearer ${keys[0]}` },
    });
    size = (await response.arrayBuffer()).byteLength;
    durationsMs.push(performance.now() - startMs);
  }
  const cpuMs = (((await cpu()) - cpuBefore) * 1_000) / HISTORY_REQUESTS;
  durationsMs.sort((a, b) => a - b);
  const at = (share: number) => durationsMs[Math.floor(share * durationsMs.length)]?.toFixed(1);
  console.log(
    `72 h history, ${HISTORY_POINTS} points, ${(size / 1e6).toFixed(2)} MB: p50 ${at(0.5)} ms (goal <= 15), p99 ${at(0.99)} ms; ${cpuMs.toFixed(1)} ms of server CPU each`,
  );
}

if (process.argv[2] === "serve") await serve();
else await measure(Number(process.argv[2] ?? 3));
