/**
 * What a unit of work of each hot path costs, microseconds of processor time, at small size: a message from PUBLISH
 * to PUBACK, one scanned as usual readings are and one decoded as others are, a reading on its way through the whole
 * service, a point in journal and store, a fix against 10,000 fences, a list of 1,000 machines, a start on known data,
 * an image of a survey.
 * `bench/paired.ts` runs this of two checkouts in turns. The last line is JSON: unit to microseconds.
 *
 *   tsx bench/unit-costs.ts [unit ...]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AssetId } from "../domain/ids.ts";
import { plumbline } from "../ingest/decoders/plumbline/plumbline.ts";
import { scanReading } from "../ingest/decoders/plumbline/scan-reading.ts";
import { SURVEY_DEFAULTS } from "../simulators/survey/options/options.ts";
import { runSurvey } from "../simulators/survey/run.ts";
import { ADMIN_KEY, FIX, openTestApp } from "../test/support/api-app.ts";
import { createApiClient } from "../test/support/api-client.ts";
import { startServiceProcess } from "../test/support/service-process.ts";
import { processCpuS } from "./figures/process-cpu.ts";
import { reducer, timelineOf } from "./geofence/engines.ts";
import { clusteredFences, movingTracks } from "./geofence/moving-fleet.ts";
import { runPublishers, startServer } from "./ingest/processes.ts";
import { readingJson } from "./ingest/publish.ts";
import { durableStore } from "./store/durable-store.ts";
import { surveyOnce } from "./survey/survey-once.ts";
import { PacedFleet } from "./sustained/paced-fleet.ts";

const POINTS = 150_000;
const FENCES = 10_000;
const MACHINES = 1_000;
const FIXES_PER_MACHINE = 2_000;
const LISTS = 150;
const MESSAGES = 150_000;
const PUBLISHERS = 100;
const READINGS_PER_S = 10_000;
const OFFERED_MS = 2_000;
const MANY = { DEVICE_READINGS_PER_S: "1000000", DEVICE_BURST_READINGS: "10000000" };
const IMAGES = 6;
const HERE = fileURLToPath(new URL("..", import.meta.url));
/** Of a unit that takes a quarter of that time. */
const SCANS = 600_000;

/** Of `work`, which does `count` units, microseconds of this process for one. */
async function cpuUsOf(count: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** With a folder of its own, which is gone afterwards. */
async function inFolder(measure: (dir: string) => Promise<number>): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), "bench-unit-"));
  try {
    return await measure(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

const UNITS: Readonly<Record<string, () => Promise<number>>> = {
  /** Of the broker's process alone. */
  "acknowledged message": async () => {
    const server = await startServer("plumbline");
    const { cpuUs } = await runPublishers(server, 200, 10, 2);
    await server.stop();
    return cpuUs;
  },
  /** Of the whole service, both stores with it. */
  "reading from end to end": () =>
    inFolder(async (dataDir) => {
      const service = await startServiceProcess({
        dataDir,
        adminKey: ADMIN_KEY,
        environment: MANY,
      });
      const api = createApiClient(service.http, ADMIN_KEY);
      const fleet = await PacedFleet.connect(api, service.mqttPort, PUBLISHERS);
      await fleet.offer(READINGS_PER_S, OFFERED_MS);
      const before = { count: fleet.acknowledged, cpuS: processCpuS(service.pid) };
      await fleet.offer(READINGS_PER_S, OFFERED_MS);
      const cpuS = processCpuS(service.pid) - before.cpuS;
      const count = fleet.acknowledged - before.count;
      fleet.close();
      await service.end("SIGTERM");
      return (cpuS * 1e6) / count;
    }),
  /** Of the bundle that `npx tsx main.ts` runs, once it is made. */
  "start on known data": () =>
    inFolder(async (dataDir) => {
      const start = async () => {
        const service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY });
        const cpuS = processCpuS(service.pid);
        await service.end("SIGTERM");
        return cpuS;
      };
      await start();
      return ((await start()) + (await start())) * 5e5;
    }),
  "image of a survey": () =>
    inFolder(async (dir) => {
      const simulated = {
        ...SURVEY_DEFAULTS,
        gps: "rtk",
        images: IMAGES,
        obliques: 0,
        widthPx: 600,
      } as const;
      await runSurvey(simulated, { out: dir, workers: 2, signal: new AbortController().signal });
      const { cpuS, cameras } = await surveyOnce({ code: HERE, images: dir, threads: 1 });
      if (cameras !== IMAGES) throw new Error(`${cameras} of ${IMAGES} images are oriented`);
      return (cpuS * 1e6) / IMAGES;
    }),
  "scanned message": async () => {
    const payload = Buffer.from(readingJson(1));
    const scan = () => {
      for (let i = 0; i < SCANS; i += 1) {
        if (scanReading(payload) === undefined) throw new Error("a usual reading is not scanned");
      }
    };
    scan();
    return cpuUsOf(SCANS, scan);
  },
  "decoded message": async () => {
    const payload = Buffer.from(readingJson(1));
    const context = { assetId: "b0" as AssetId, receivedAtMs: Date.now() };
    const decode = () => {
      for (let i = 0; i < MESSAGES; i += 1) plumbline.decode(payload, context);
    };
    decode();
    return cpuUsOf(MESSAGES, decode);
  },
  "durable point": () => inFolder(async (dir) => (await durableStore(dir, POINTS)).cpuUs),
  "judged fix": async () => {
    const fences = clusteredFences(FENCES);
    const tracks = movingTracks(fences, MACHINES, FIXES_PER_MACHINE);
    const judge = reducer(timelineOf(fences, tracks), tracks, true);
    const count = tracks.lonDeg.length;
    judge(tracks, 0, count / 2);
    return cpuUsOf(count / 2, () => judge(tracks, count / 2, count));
  },
  "list of 1,000 machines, one of them moved": async () => {
    await using t = await openTestApp({ now: Date.now });
    const project_id = await t.project();
    const ids: AssetId[] = [];
    for (let i = 0; i < MACHINES; i += 1)
      ids.push(await t.asset({ project_id, name: `Digger ${i}` }));
    const list = async () => {
      for (let i = 0; i < LISTS; i += 1) {
        const fixTimeMs = Date.now();
        const fix = { ...FIX, latitude: 53 + i / 1e4, fixTimeMs };
        t.live(ids[i % MACHINES] as AssetId, { fix, lastUpdateMs: fixTimeMs });
        await t.get("/api/v1/equipment/assets", ADMIN_KEY);
      }
    };
    await list();
    return await cpuUsOf(LISTS, list);
  },
};

const asked = process.argv.slice(2);
const costs: Record<string, number> = {};
for (const [name, measure] of Object.entries(UNITS)) {
  if (asked.length === 0 || asked.includes(name)) costs[name] = await measure();
}
console.log(JSON.stringify(costs));
