import { once } from "node:events";
import { Agent, get } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import type { JobId } from "../../../domain/ids.ts";
import { startJobRunner } from "../../../processing/queue/runner.ts";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";
import { openWorkPool } from "./work.ts";

const JOBS = 20;
const ROUNDS = 5;
const REQUESTS = 300;

/** p99 of requests to the real HTTP API, alone and beside jobs in its own process; medians of rounds. */
export async function measureLatency(): Promise<{ idleMs: number; busyMs: number; jobs: number }> {
  await using t = await openTestApp();
  await t.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = t.app.server.address() as AddressInfo;
  const project = await t.project();
  for (let i = 0; i < 100; i++) await t.asset({ project_id: project });
  const pool = openWorkPool();
  const idle: number[] = [];
  const busy: number[] = [];
  await p99(port);
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(await p99(port));
    const stopping = new AbortController();
    const runner = startJobRunner({
      jobs: t.records.jobs,
      handlers: new Map([
        [
          "busy",
          async (_job, { signal }) => {
            const either = AbortSignal.any([signal, stopping.signal]);
            await pool.run("work", { text: "x", busyMs: 0, deed: "never ends" }, either);
          },
        ],
      ]),
      runner: `round-${round}`,
      concurrency: JOBS,
      isAlone: true,
      log: pino({ level: "silent" }),
    });
    for (let i = 0; i < JOBS; i++) {
      await t.records.jobs.add({
        id: `job-${round}-${i}` as JobId,
        kind: "busy",
        projectId: undefined,
        input: null,
        dedupeKey: undefined,
        joinCompletedMs: 0,
        priority: 0,
        maxAttempts: 1,
        workUnits: 1,
      });
    }
    runner.poke();
    while (runner.running < JOBS || pool.running < pool.threads) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    busy.push(await p99(port));
    stopping.abort();
    await runner.stop();
  }
  await pool.close();
  return { idleMs: median(idle), busyMs: median(busy), jobs: JOBS };
}

/** ms; one request after the other on one connection. */
async function p99(port: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const sinceMs = performance.now();
    const request = get({
      port,
      agent,
      host: "127.0.0.1",
      path: "/api/v1/equipment/assets",
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    const [response] = await once(request, "response");
    response.resume();
    await once(response, "end");
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    times.push(performance.now() - sinceMs);
  }
  agent.destroy();
  return times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
