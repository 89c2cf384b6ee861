/**
 * What the demo shows when: seconds from its start, and the processor time of each of its processes until then; and
 * how long a device waits for its PUBACK meanwhile, beside the fleet alone and beside the fleet with the sites
 * that are made. Linux only: it reads /proc.
 *
 *   tsx bench/demo.ts
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEMO } from "../simulators/demo/demo-plan.ts";
import { type ApiClient, createApiClient } from "../test/support/api-client.ts";
import { type DemoProcess, startDemoProcess } from "../test/support/demo-process.ts";
import { openDevice } from "../test/support/mqtt-device.ts";
import { parseProcessStat } from "../test/support/process-stat.ts";
import { createAsset } from "../test/support/site.ts";
import { quantileMs } from "./alert-latency/latencies.ts";

/** Between two looks, and two messages of the device, ms. */
const LOOK_MS = 250;
/** Length of the run with the fleet alone, ms: as long as the sites take. */
const ALONE_MS = 60_000;

interface Run {
  readonly demo: DemoProcess;
  readonly api: ApiClient;
  readonly startedMs: number;
  readonly pubacksMs: number[];
}

const dataDirs: string[] = [];

async function begin(args: readonly string[]): Promise<Run> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-demo-"));
  dataDirs.push(dataDir);
  const startedMs = performance.now();
  const demo = startDemoProcess(dataDir, args);
  const { url, key } = await demo.access();
  return { demo, api: createApiClient(url, key), startedMs, pubacksMs: [] };
}

/** Publishes as one more device until `isOver`, and calls `look` in between. */
async function publish(run: Run, isOver: () => boolean, look: () => Promise<void>): Promise<void> {
  while (!/[1-9]\d* acknowledged/.test(run.demo.output)) await sleep(LOOK_MS);
  const access = await createAsset(run.api, "site-a", "bench-device");
  const port = Number(/MQTT +mqtt:\/\/[^:]+:(\d+)/.exec(run.demo.output)?.[1]);
  const device = await openDevice({ access, port });
  const payload = JSON.stringify({ latitude: 52.5, longitude: 13.4, speed_kmh: 7 });
  while (!isOver()) {
    const sentMs = performance.now();
    await device.publish({ qos: 1, payload });
    run.pubacksMs.push(performance.now() - sentMs);
    await look();
    await sleep(LOOK_MS);
  }
  await device.disconnect();
}

/** Processor time of the demo's processes, s, by what they are. */
async function cpuText(): Promise<string> {
  const spent: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "");
    const [command, stat] = [await read("cmdline"), await read("stat")];
    const name = command.includes("simulators/demo/background")
      ? "sites"
      : command.includes("scripts/demo.mjs")
        ? "fleet"
        : /\.cache.plumbline.*main\.js/.test(command)
          ? "service"
          : undefined;
    if (name === undefined || stat === "") continue;
    spent.push(`${name} ${parseProcessStat(stat).cpuS.toFixed(1)} s`);
  }
  return spent.sort().join(", ");
}

async function end({ demo, pubacksMs }: Run, name: string): Promise<void> {
  demo.interrupt();
  await demo.ended;
  const sorted = pubacksMs.toSorted((a, b) => a - b);
  const at = (share: number) => quantileMs(sorted, share).toFixed(0);
  console.log(
    `PUBACK ${name}: median ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms of ${pubacksMs.length}`,
  );
}

async function showAll(): Promise<void> {
  const run = await begin([]);
  const shown = new Set<string>();
  const note = async (what: string) => {
    if (shown.has(what)) return;
    shown.add(what);
    const s = ((performance.now() - run.startedMs) / 1_000).toFixed(1);
    console.log(`${s} s: ${what} (processor time: ${await cpuText()})`);
  };
  await note("served");
  const count = async (path: string) =>
    (await run.api.get<{ data: unknown[] }>(path).catch(() => ({ data: [] }))).data.length;
  const ready = () => run.demo.output.includes("stockpile and building site ready");
  await publish(run, ready, async () => {
    await note("the fleet reports");
    const measured = await count(`/materials/stockpiles/${DEMO.stockpile}/measurements`);
    for (let i = 1; i <= measured; i++) await note(`measurement ${i} of the stockpile`);
    const reported = await count(`/progress/reports?project_id=${DEMO.site}`);
    for (let i = 1; i <= reported; i++) await note(`report ${i} of the building site`);
  });
  await end(run, "while the sites are made");
}

async function showFleet(): Promise<void> {
  const run = await begin(["--fleet"]);
  const untilMs = performance.now() + ALONE_MS;
  const isOver = () => performance.now() > untilMs;
  await publish(run, isOver, async () => {
    await run.api.get("/progress/reports?project_id=site-a");
  });
  await end(run, "beside the fleet alone");
}

await showAll();
await showFleet();
for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
