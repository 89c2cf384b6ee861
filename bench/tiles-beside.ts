/**
 * How long `GET /assets` takes while 1,000 map tiles are drawn: 50 connections ask for tiles that nobody asked for
 * before (relief, heights and terrain, 256 and 512 pixels, of a survey of 150 m by 150 m with cells of 5 cm), and
 * another one asks for the assets all the time. Seconds without tiles and with them take turns in one process of the
 * service; each round has a survey of its own, so that no tile is kept. The tiles' processor time is that of the
 * service less what it takes without tiles.
 *
 *   npx tsx bench/tiles-beside.ts [rounds] [tiles a round] [most p99 beside tiles, times that without]
 *
 * `rivals` is the part of it by other threads at the priority of the event loop, from which they take the core, and
 * `wait` how long the event loop was ready to run and had no core. `served` is the p99 without what this process, which
 * asks from the same cores, waited for one of them during the request. Ends with 1 if the median of the ratios of the
 * latencies is above the limit. Linux only: it reads /proc.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Survey } from "../api/site-surveys/survey-schemas.ts";
import { createApiClient } from "../test/support/api-client.ts";
import { openImageServer } from "../test/support/image-server.ts";
import { type MadeMap, surfaceFile } from "../test/support/map-tile.ts";
import { startServiceProcess } from "../test/support/service-process.ts";
import { createSite } from "../test/support/site.ts";
import { until } from "../test/support/until.ts";
import { quantileMs } from "./alert-latency/latencies.ts";
import { machineLoad } from "./figures/machine-load.ts";
import { median } from "./figures/median.ts";
import { ownWaitMs } from "./figures/own-wait.ts";
import { type ThreadTimes, threadTimes } from "./figures/thread-times.ts";

const [rounds = 3, tiles = 1_000, mostTimes = 2] = process.argv.slice(2).map(Number);
const CONNECTIONS = 50;
const MACHINES = 100;
/** Pause between two requests for the assets, ms, and how many there are without tiles: p99 has ten beyond it. */
const PAUSE_MS = 5;
const REQUESTS = 1_000;
/** Keys that ask for the assets in turn: one is allowed 10,000 requests a minute, which a quick machine makes. */
const KEYS = 6;
/** How long the service may take to make a survey of the file, ms. */
const SURVEY_MS = 300_000;
const ADMIN_KEY = "bench-admin-key-of-at-least-32-characters";
const MAP: MadeMap = {
  ...{ epsg: 32_633, westM: 391_700, northM: 5_820_000, cellM: 0.05, width: 3_000, height: 3_000 },
};
/** Rough as ground is. */
function heightAt(east: number, north: number): number {
  const wave = Math.sin(east * 12.9898 + north * 78.233) * 43_758.5453;
  const grain = wave - Math.floor(wave);
  return 105 + 8 * Math.sin(east / 17) * Math.cos(north / 23) + 0.03 * grain;
}

const dataDir = await mkdtemp(join(tmpdir(), "plumbline-tiles-"));
const images = await openImageServer();
const service = await startServiceProcess({
  dataDir,
  adminKey: ADMIN_KEY,
  environment: { IMAGE_FETCH_ALLOW_CIDRS: "127.0.0.1/32" },
});
const api = createApiClient(service.http, ADMIN_KEY);

/** Processor time of the service so far, all threads, s. */
async function cpuSeconds(): Promise<number> {
  const metrics = await api.text("/metrics");
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}

interface Answered {
  /** How long the whole answer took, ms. */
  readonly tookMs: number;
  /** The same without what this process waited for a core meanwhile. */
  readonly servedMs: number;
}

/** Asks for a whole answer. @throws Error for anything but 200 */
function ask(path: string, key: string, agent: Agent): Promise<Answered> {
  const [sinceMs, waitedMs] = [performance.now(), ownWaitMs()];
  const headers = { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    request(`${service.http}/api/v1${path}`, { headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
      answer.resume();
      answer.once("end", () => {
        const tookMs = performance.now() - sinceMs;
        resolve({ tookMs, servedMs: tookMs - (ownWaitMs() - waitedMs) });
      });
    })
      .once("error", reject)
      .end();
  });
}

/** Tiles of a survey from its finest zoom on, as many as are asked for. */
function tilePaths({ id, bounds, tiles: layers }: Survey): readonly string[] {
  if (bounds === null || layers === null) throw new Error(`survey ${id} has no tiles`);
  const { west, south, east, north } = bounds;
  const paths: string[] = [];
  for (let z = layers.heights.max_zoom; z >= layers.heights.min_zoom; z -= 1) {
    const column = (lng: number) => Math.floor(((lng + 180) / 360) * 2 ** z);
    const row = (lat: number) =>
      Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z);
    // Without the outermost: a tile beside a turned map is a 404.
    for (let x = column(west) + 1; x < column(east); x += 1) {
      for (let y = row(north) + 1; y < row(south); y += 1) {
        for (const layer of ["hillshade", "heights", "terrain"]) {
          for (const size of ["", "@2x"]) {
            paths.push(`/surveys/${id}/${layer}/${z}/${x}/${y}${size}.webp`);
          }
        }
      }
    }
  }
  if (paths.length < tiles)
    throw new Error(`a survey has ${paths.length} such tiles, not ${tiles}`);
  return paths.slice(0, tiles);
}

interface Part {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Without what this process waited for a core. */
  readonly servedP99Ms: number;
  readonly cpuPerS: number;
  readonly seconds: number;
  /** Of the threads, a second. */
  readonly threads: ThreadTimes;
}

/** Asks for the assets, one request after the other, until `isOver`. */
async function assetsUntil(
  keys: readonly string[],
  isOver: (asked: number) => boolean,
): Promise<Part> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Answered[] = [];
  const [sinceMs, cpuBefore] = [performance.now(), await cpuSeconds()];
  const threadsBefore = await threadTimes(service.pid);
  while (!isOver(answers.length)) {
    answers.push(await ask("/equipment/assets", String(keys[answers.length % KEYS]), agent));
    await delay(PAUSE_MS);
  }
  const seconds = (performance.now() - sinceMs) / 1_000;
  const cpuPerS = ((await cpuSeconds()) - cpuBefore) / seconds;
  const threads = perSecond(threadsBefore, await threadTimes(service.pid), seconds);
  agent.destroy();
  const sorted = (what: keyof Answered) =>
    answers.map((answer) => answer[what]).toSorted((a, b) => a - b);
  return {
    p50Ms: quantileMs(sorted("tookMs"), 0.5),
    p99Ms: quantileMs(sorted("tookMs"), 0.99),
    servedP99Ms: quantileMs(sorted("servedMs"), 0.99),
    cpuPerS,
    seconds,
    threads,
  };
}

function perSecond(before: ThreadTimes, after: ThreadTimes, seconds: number): ThreadTimes {
  const grown = (name: keyof ThreadTimes) => (after[name] - before[name]) / seconds;
  return {
    mainMs: grown("mainMs"),
    mainWaitMs: grown("mainWaitMs"),
    rivalsMs: grown("rivalsMs"),
    nicerMs: grown("nicerMs"),
  };
}

try {
  const ids = Array.from({ length: MACHINES }, (_, i) => `digger-${i}`);
  await createSite(api, "yard", ids);
  const newKey = async () => {
    const { key } = await api.post<{ key: string }>("/keys", {
      ...{ name: "bench", plan: "enterprise", project_ids: ["yard"] },
      scopes: ["equipment:read", "progress:read", "materials:read"],
    });
    return key;
  };
  const keys = await Promise.all(Array.from({ length: KEYS }, newKey));
  const tileKey = await newKey();
  const address = images.serve("surface.tif", surfaceFile(MAP, heightAt));
  const surveys: Survey[] = [];
  // The first one compiles the code, and is not counted.
  for (let i = 0; i <= rounds; i += 1) {
    const body = { project_id: "yard", images: [address] };
    const { id } = await api.post<{ id: string }>("/surveys", body);
    const survey = () => api.get<Survey>(`/surveys/${id}`);
    surveys.push(await until("the survey is there", survey, SURVEY_MS));
  }
  console.log(
    `${tiles} tiles over ${CONNECTIONS} connections, ${MACHINES} machines, ${machineLoad()}`,
  );
  console.log(
    "     p50, ms         p99, ms                 served          ms of CPU a tile                wait, ms/s",
  );
  console.log(
    "     alone  beside   alone  beside   times   alone  beside     all    loop  rivals   nicer   alone  beside tiles/s",
  );
  const ratios: number[] = [];
  const costs: number[] = [];
  const rivals: number[] = [];
  for (const [round, survey] of surveys.entries()) {
    const paths = tilePaths(survey);
    const alone = await assetsUntil(keys, (asked) => asked >= REQUESTS);
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    let left = paths.length;
    const drawn = Promise.all(
      paths.map(async (path) => {
        await ask(path, tileKey, agent);
        left -= 1;
      }),
    );
    const beside = await Promise.race([
      assetsUntil(keys, () => left === 0),
      drawn.then(() => new Promise<never>(() => undefined)),
    ]);
    agent.destroy();
    if (round === 0) continue;
    const times = beside.p99Ms / alone.p99Ms;
    const cpuMs = ((beside.cpuPerS - alone.cpuPerS) * beside.seconds * 1_000) / tiles;
    const ofTile = (name: keyof ThreadTimes) =>
      ((beside.threads[name] - alone.threads[name]) * beside.seconds) / tiles;
    ratios.push(times);
    costs.push(cpuMs);
    rivals.push(ofTile("rivalsMs"));
    const shown = [
      ...[alone.p50Ms, beside.p50Ms, alone.p99Ms, beside.p99Ms, times],
      ...[alone.servedP99Ms, beside.servedP99Ms, cpuMs],
      ...[ofTile("mainMs"), ofTile("rivalsMs"), ofTile("nicerMs")],
      ...[alone.threads.mainWaitMs, beside.threads.mainWaitMs, tiles / beside.seconds],
    ];
    console.log(`${round}  ${shown.map((figure) => figure.toFixed(1).padStart(7)).join(" ")}`);
  }
  const [times, cpuMs] = [median(ratios), median(costs)];
  console.log(
    `medians: p99 of GET /assets beside tiles ${times.toFixed(2)} times that without (goal ${mostTimes}), ` +
      `${cpuMs.toFixed(1)} ms of CPU a tile, ${median(rivals).toFixed(1)} of them at the priority of the event loop`,
  );
  if (times > mostTimes) process.exitCode = 1;
} finally {
  await service.end("SIGTERM");
  await images[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}
