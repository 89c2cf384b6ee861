import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import type { JobId } from "../../../domain/ids.ts";
import { PROFILES } from "../../../processing/engine/port/profiles.ts";
import { openEngineThread } from "../../../processing/engine/thread/engine-thread.ts";
import { JobRunner } from "../../../processing/queue/runner.ts";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";

const JOBS = 20;
const ASSETS = 200;
const PAGE = 100;
const MEMORY_BYTES = 1.2e9;
/** A fleet manager's map and list, and more of them than one service has: requests per second. */
const RATE = 50;
/** Seconds of the idle service that are measured, before and after the jobs. */
const IDLE_S = 10;

export interface Latency {
  readonly idleMs: number;
  readonly busyMs: number;
  readonly jobs: number;
  readonly finished: number;
  readonly requests: { readonly idle: number; readonly busy: number };
}

/**
 * p99 of requests to the real HTTP API, alone and while surveys (all stages, real images) are worked on
 * in its own process by two threads, all at once.
 */
export async function measureLatency(): Promise<Latency> {
  await using t = await openTestApp();
  await t.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = t.app.server.address() as AddressInfo;
  const project = await t.project();
  for (let i = 0; i < ASSETS; i++) await t.asset({ project_id: project });
  const { images } = await surveySet(TINY_SURVEY);
  const dir = await mkdtemp(join(tmpdir(), "plumbline-latency-"));
  const engines = openEngineThread({ threads: 2, memoryBytes: MEMORY_BYTES, nodeOdm: undefined });
  let finished = 0;
  const runner = new JobRunner({
    jobs: t.records.jobs,
    handlers: new Map([
      [
        "survey",
        async ({ id }, { signal, progress }) => {
          // Other hashes: no job may find what another one worked out.
          const files = images.map((path) => ({
            path,
            name: basename(path),
            sha256: createHash("sha256").update(`${id} ${path}`).digest("hex"),
          }));
          const result = await engines.process(
            { engine: "local", rasters: undefined },
            {
              ...{ name: id, images: files, controlPoints: [], scaleBars: [] },
              profile: { ...PROFILES.quick, workingWidthPx: 480 },
              workDir: join(dir, "stages"),
              outDir: join(dir, id),
            },
            { signal, onProgress: ({ stage, percent }) => progress(stage, percent) },
          );
          if (result.dsm.elevationM.length > 0) finished += 1;
        },
      ],
    ]),
    runner: "latency",
    concurrency: JOBS,
    isAlone: true,
    log: pino({ level: "silent" }),
  });

  const forSeconds = (seconds: number) => {
    const endMs = performance.now() + seconds * 1_000;
    return () => performance.now() < endMs;
  };
  await request(port, forSeconds(2));
  const idle = await request(port, forSeconds(IDLE_S));
  for (let i = 0; i < JOBS; i++) {
    await t.records.jobs.add({
      id: `job-${i}` as JobId,
      kind: "survey",
      projectId: undefined,
      input: null,
      dedupeKey: undefined,
      lane: undefined,
      joinCompletedMs: 0,
      priority: 0,
      maxAttempts: 1,
      workUnits: 1,
    });
  }
  runner.poke();
  while (runner.running < JOBS || engines.running < engines.threads) await sleep(5);
  const busy = await request(port, () => runner.running > 0);
  idle.push(...(await request(port, forSeconds(IDLE_S))));
  await runner.stop();
  await engines.close();
  await rm(dir, { recursive: true });
  return {
    idleMs: p99(idle),
    busyMs: p99(busy),
    jobs: JOBS,
    finished,
    requests: { idle: idle.length, busy: busy.length },
  };
}

/** Requests that are due for longer are counted as so late and asked no more: all at once they would meet the limit of their key, ms. */
const TOO_LATE_MS = 5_000;

/**
 * Asks at a fixed rate, whether or not the answers are there, and times each from when it was due. A
 * service that stalls for 100 ms is late for all that came meanwhile. Times in ms.
 */
async function request(port: number, goesOn: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  const startMs = performance.now();
  for (let i = 0; goesOn(); i++) {
    const dueMs = startMs + (i * 1_000) / RATE;
    const lateMs = performance.now() - dueMs;
    if (lateMs > TOO_LATE_MS) {
      times.push(lateMs);
      continue;
    }
    await sleep(Math.max(0, dueMs - performance.now()));
    asked.push(askOnce(port, agent).then(() => void times.push(performance.now() - dueMs)));
  }
  await Promise.all(asked);
  agent.destroy();
  return times;
}

async function askOnce(port: number, agent: Agent): Promise<void> {
  const asked = get({
    port,
    agent,
    host: "127.0.0.1",
    path: `/api/v1/equipment/assets?limit=${PAGE}`,
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  const [response] = await once(asked, "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
