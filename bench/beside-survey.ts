/**
 * How long PUBACKs take while a survey is made: 20 machines publish 1,000 messages a second, and 36 simulated images of
 * 1,200 px are worked on by two threads. Seconds without the survey and with it take turns in one process of the
 * service; the first survey compiles the code, and is not counted.
 *
 *   npm run build && npx tsx bench/beside-survey.ts [rounds] [most p99 beside a survey, times that without] [idle]
 *
 * `idle` puts the threads of surveys, which are nicer than the event loop, into the kernel's idle class by `chrt`: what
 * that would bring (docs/decisions, 73).
 *
 * `loop waits` is how long the event loop was ready to run and had no core, of a second, and `of the slowest` what went
 * into the slowest hundredth of the messages: the event loop ran, it waited, and this process, which publishes from the
 * same cores, waited. Ends with 1 if the median ratio is above the limit. Linux only: it reads /proc.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createFlightProject } from "../test/e2e/progress/flight-scene.ts";
import { captureUntil, sendCapture } from "../test/e2e/progress/site-service.ts";
import { createClient } from "../test/support/answer-client.ts";
import { createApiClient } from "../test/support/api-client.ts";
import { openImageServer } from "../test/support/image-server.ts";
import { type MqttDevice, openDevice } from "../test/support/mqtt-device.ts";
import { parseProcessStat } from "../test/support/process-stat.ts";
import { startServiceProcess } from "../test/support/service-process.ts";
import { createAsset } from "../test/support/site.ts";
import { surveySet } from "../test/support/survey-sets.ts";
import { quantileMs } from "./alert-latency/latencies.ts";
import { machineLoad } from "./figures/machine-load.ts";
import { median } from "./figures/median.ts";
import { ownWaitMs } from "./figures/own-wait.ts";

const [rounds = 2, mostTimes = 1.5] = process.argv.slice(2, 4).map(Number);
const threadClass = process.argv[4] === "idle" ? "idle" : "nice";
/** Between two looks for new threads, ms. */
const LOOK_MS = 100;
const [RATE, DEVICES, IMAGES, TICK_MS] = [1_000, 20, 36, 5] as const;
/** Until what a start brings is over, and how long is measured without a survey, ms. */
const [SETTLE_MS, ALONE_MS] = [5_000, 8_000] as const;
/** Messages that take less are not looked into, ms. */
const SLOW_MS = 8;
const PROJECT = "flight";
const ADMIN_KEY = "bench-admin-key-of-at-least-32-characters";

/** What a message's time went into, or what a process counted so far, ms. */
interface Times {
  readonly tookMs: number;
  readonly loopRanMs: number;
  readonly loopWaitedMs: number;
  readonly ownWaitedMs: number;
}

interface Part {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly loopWaitMsPerS: number;
  readonly seconds: number;
  /** Means of the slowest hundredth. */
  readonly slowest: Times;
}

const set = await surveySet({ images: IMAGES, gps: "rtk" });
const images = await openImageServer();

function timesNow(pid: number): Times {
  const text = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1");
  const [ranNs = 0, waitedNs = 0] = text.split(" ").map(Number);
  return {
    tookMs: performance.now(),
    loopRanMs: ranNs / 1e6,
    loopWaitedMs: waitedNs / 1e6,
    ownWaitedMs: ownWaitMs(),
  };
}

const between = (before: Times, after: Times): Times => ({
  tookMs: after.tookMs - before.tookMs,
  loopRanMs: after.loopRanMs - before.loopRanMs,
  loopWaitedMs: after.loopWaitedMs - before.loopWaitedMs,
  ownWaitedMs: after.ownWaitedMs - before.ownWaitedMs,
});

/** Publishes at a fixed rate, whether or not acknowledgements come, until `stop`. */
function startFleet(pid: number, devices: readonly MqttDevice[]) {
  let acknowledged: Times[] = [];
  let isOver = false;
  const pending = new Set<Promise<void>>();
  const publishing = (async () => {
    const startMs = performance.now();
    for (let sent = 0; !isOver; ) {
      const before = timesNow(pid);
      for (; sent < ((before.tookMs - startMs) / 1_000) * RATE; sent += 1) {
        const payload = JSON.stringify({
          latitude: 52.5 + Math.sin(sent / 500) / 500,
          longitude: 13.4 + Math.cos(sent / 500) / 300,
          ...{ speed_kmh: 7, seq: sent },
        });
        const device = devices[sent % DEVICES];
        const published = (device?.publish({ payload, qos: 1 }) ?? Promise.resolve()).then(() => {
          const tookMs = performance.now() - before.tookMs;
          // Reading /proc for each would take a twentieth of a core.
          const isSlow = tookMs > SLOW_MS;
          const quick = { tookMs, loopRanMs: 0, loopWaitedMs: 0, ownWaitedMs: 0 };
          acknowledged.push(isSlow ? between(before, timesNow(pid)) : quick);
          pending.delete(published);
        });
        pending.add(published);
      }
      await delay(TICK_MS);
    }
    await Promise.all(pending);
  })();
  return {
    take() {
      const taken = acknowledged.toSorted((a, b) => a.tookMs - b.tookMs);
      acknowledged = [];
      return taken;
    },
    stop() {
      isOver = true;
      return publishing;
    },
  };
}

function partOf(taken: readonly Times[], during: Times): Part {
  const sorted = taken.map(({ tookMs }) => tookMs);
  const slowest = taken.slice(-Math.ceil(taken.length / 100));
  const mean = (name: keyof Times) =>
    slowest.reduce((sum, times) => sum + times[name], 0) / slowest.length;
  const seconds = during.tookMs / 1_000;
  return {
    p50Ms: quantileMs(sorted, 0.5),
    p99Ms: quantileMs(sorted, 0.99),
    loopWaitMsPerS: during.loopWaitedMs / seconds,
    seconds,
    slowest: {
      tookMs: mean("tookMs"),
      loopRanMs: mean("loopRanMs"),
      loopWaitedMs: mean("loopWaitedMs"),
      ownWaitedMs: mean("ownWaitedMs"),
    },
  };
}

function shown({ p50Ms, p99Ms, loopWaitMsPerS, slowest }: Part): string {
  const { tookMs, loopRanMs, loopWaitedMs, ownWaitedMs } = slowest;
  const parts = [tookMs, loopRanMs, loopWaitedMs, ownWaitedMs].map((ms) => ms.toFixed(0)).join(" ");
  return `p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms, loop waits ${loopWaitMsPerS.toFixed(0)} ms/s, of the slowest ${parts}`;
}

/** Puts threads of a process that are nicer than its event loop into the idle class, once each. */
function makeIdle(pid: number, done: Set<string>): void {
  const niceness = (thread: string) =>
    parseProcessStat(readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1")).niceness;
  const usual = niceness(String(pid));
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      if (done.has(thread) || niceness(thread) <= usual) continue;
      execFileSync("chrt", ["-i", "-p", "0", thread]);
      done.add(thread);
    } catch {
      // It ended meanwhile.
    }
  }
}

async function measure(): Promise<readonly number[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-beside-survey-"));
  const environment = { IMAGE_FETCH_ALLOW_CIDRS: "127.0.0.1/32", WORKERS: "2" };
  const service = await startServiceProcess({
    ...{ dataDir, adminKey: ADMIN_KEY, program: "built", environment },
  });
  const client = createClient(service.http, ADMIN_KEY);
  await createFlightProject(client, set, PROJECT);
  const devices: MqttDevice[] = [];
  for (let i = 0; i < DEVICES; i += 1) {
    const api = createApiClient(service.http, ADMIN_KEY);
    const access = await createAsset(api, PROJECT, `machine-${i}`);
    devices.push(await openDevice({ access, port: service.mqttPort }));
  }
  const fleet = startFleet(service.pid, devices);
  const idle = new Set<string>();
  const looking = setInterval(() => {
    if (threadClass === "idle") makeIdle(service.pid, idle);
  }, LOOK_MS);

  async function part(work: () => Promise<unknown>): Promise<Part> {
    fleet.take();
    const before = timesNow(service.pid);
    await work();
    return partOf(fleet.take(), between(before, timesNow(service.pid)));
  }
  async function survey(): Promise<void> {
    const capture = await sendCapture(client, {
      ...{ project_id: PROJECT, capture_type: "drone", images: images.show(set) },
      flight_metadata: { rtk: true },
    });
    const { status, error } = await captureUntil(client, capture);
    if (status !== "completed") throw new Error(`the capture ended ${status}: ${error?.message}`);
  }
  /** A finished stage would be reused. */
  async function forgetStages(): Promise<void> {
    const stages = join(dataDir, "processing", "stages");
    for (const name of await readdir(stages)) await rm(join(stages, name), { recursive: true });
  }

  try {
    await survey();
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await forgetStages();
      await delay(SETTLE_MS);
      const alone = await part(() => delay(ALONE_MS));
      const beside = await part(survey);
      const times = beside.p99Ms / alone.p99Ms;
      ratios.push(times);
      console.log(`${threadClass} ${round}, alone:  ${shown(alone)}`);
      console.log(
        `${threadClass} ${round}, beside: ${shown(beside)}; ${times.toFixed(2)} times, survey ${beside.seconds.toFixed(1)} s, ${machineLoad()}`,
      );
    }
    return ratios;
  } finally {
    clearInterval(looking);
    await fleet.stop();
    for (const device of devices) await device.disconnect();
    await service.end("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
  }
}

try {
  const times = median(await measure());
  console.log(
    `median: p99 of PUBACKs beside a survey ${times.toFixed(2)} times that without (goal ${mostTimes})`,
  );
  if (times > mostTimes) process.exitCode = 1;
} finally {
  await images[Symbol.asyncDispose]();
}
