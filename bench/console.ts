/**
 * What the console costs a browser, against the budgets of docs/console.md: bytes of a first load (as sent,
 * compressed), time to the first machine on the map, and with a fleet that reports once a second over MQTT, the main
 * thread's work a second, its longest tasks and its heap. The service is a process of its own (`dist/main.js`), the
 * browser the machine's Chromium, which draws with the processor.
 *
 *   npm run build && tsx bench/console.ts [machines] [minutes] [spread in metres]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { ConsoleBrowser } from "../test/browser/support/console-browser.ts";
import { createApiClient } from "../test/support/api-client.ts";
import { startServiceProcess } from "../test/support/service-process.ts";
import { createSite } from "../test/support/site.ts";
import { machineLoad } from "./figures/machine-load.ts";
import { median } from "./figures/median.ts";
import { PacedPublisher } from "./sustained/paced-publisher.ts";
import type { Place } from "./sustained/reading.ts";

const [machines = 1_000, minutes = 10, spreadM = 2_000] = process.argv.slice(2).map(Number);
const METRES_PER_DEGREE = 111_195;
const ADMIN_KEY = "bench-admin-key-of-at-least-32-characters";
/** Until the first list and map are drawn and what they loaded is over, ms. */
const SETTLE_MS = 15_000;
/** A page that loads nothing for so long has all of its code, ms: with a busy processor one file waits for another. */
const QUIET_MS = 3_000;
/** How often the map is opened without a cache, and with one. */
const OPENINGS = 5;
/** When a page has loaded, ms since the Unix epoch. The event is not over for who waits for it. */
const LOADED = `new Promise((resolve) => setTimeout(() => {
  const [{ loadEventEnd }] = performance.getEntriesByType("navigation");
  resolve(performance.timeOrigin + loadEventEnd);
}))`;
/** Seconds of one sample of the main thread. */
const SAMPLE_S = 10;

const dataDir = await mkdtemp(join(tmpdir(), "plumbline-console-"));
const service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY, program: "built" });
const browser = await ConsoleBrowser.launch(() => ({ origin: service.http, key: ADMIN_KEY }));

/**
 * Bytes that a first load of a path brings through the network, compressed as they are sent, in kB, until `drawn` is
 * there: on a busy machine the network is quiet for a while before the map's own code is asked for.
 */
async function firstLoadKb(path: string, isLoggedIn: boolean, drawn: string): Promise<number> {
  const context = await browser.context();
  if (isLoggedIn) await (await browser.page(context, "/")).close();
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const files = new Set<string>();
  let bytes = 0;
  network.on("Network.responseReceived", ({ requestId, response }) => {
    // Scripts, styles and the page itself; what the API answers grows with the fleet.
    if (!new URL(response.url).pathname.startsWith("/api/")) files.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${service.http}${path}`);
  await page.locator(drawn).first().waitFor();
  // The live stream never ends, so that the network is never idle.
  for (let seen = -1; seen !== bytes; await delay(QUIET_MS)) seen = bytes;
  await browser.closeContexts();
  return bytes / 1_000;
}

/** Of a square of machines in rows; 0 m: one on top of the other, where every name is in the way of every other. */
function placeOf(index: number): Place {
  const side = Math.ceil(Math.sqrt(machines));
  const degrees = spreadM / side / METRES_PER_DEGREE;
  return {
    latitude: 52.5 + Math.floor(index / side) * degrees,
    longitude: 13.4 + ((index % side) * degrees) / Math.cos((52.5 * Math.PI) / 180),
  };
}

interface Opened {
  /** From the request of the page, s. */
  readonly seconds: number;
  /** Processor time of the page's main thread until then, s. */
  readonly cpuS: number;
}

/**
 * Has the page itself note when the list has its first machine and the map its canvas: a locator looks again after up
 * to 500 ms.
 */
const WATCH = `window.firstMachine = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (document.querySelector(".machine-row") === null) return;
    if (document.querySelector(".maplibregl-canvas") === null) return;
    observer.disconnect();
    resolve(performance.timeOrigin + performance.now());
  }).observe(document, { childList: true, subtree: true });
})`;

/** From the request of a path until a time that the page tells, ms since the Unix epoch. */
async function open(page: Page, path: string, time: string): Promise<Opened> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const startedMs = performance.timeOrigin + performance.now();
  await page.goto(`${service.http}${path}`);
  const seconds = ((await page.evaluate<number>(time)) - startedMs) / 1_000;
  return { seconds, cpuS: (await metricsOf(devtools)).get("TaskDuration") ?? Number.NaN };
}

interface FirstMachine {
  /** A text of the same service without script: what a page takes at least. */
  readonly floor: Opened;
  /** Without anything in the cache. */
  readonly cold: Opened;
  readonly warm: Opened;
}

/**
 * From the request of the map until the list has its first machine and the map its canvas. Another page of the browser
 * stays open: a window that opens, with its toolbar, costs a processor half a second by itself.
 */
async function firstMachine(): Promise<FirstMachine> {
  const context = await browser.context();
  await context.newPage();
  // By a request, not by a page: that would leave its files in the cache.
  await context.request.post(`${service.http}/api/v1/session`, { data: { key: ADMIN_KEY } });
  const visit = async (path: string, time: string) => {
    await delay(Math.random() * 1_000);
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    const opened = await open(page, path, time);
    await page.close();
    return opened;
  };
  const floor = await visit("/licences.md", LOADED);
  const cold = await visit("/map", "window.firstMachine");
  const warm = await visit("/map", "window.firstMachine");
  await browser.closeContexts();
  return { floor, cold, warm };
}

function wordsOf(opened: readonly Opened[]): string {
  const times = opened.map(({ seconds }) => seconds);
  const cpuS = median(opened.map((one) => one.cpuS));
  const range = `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)}`;
  return `${median(times).toFixed(2)} s (${range}; ${cpuS.toFixed(2)} s of the main thread)`;
}

interface Sample {
  /** Script and all work of the main thread, ms a second. */
  readonly scriptMs: number;
  readonly taskMs: number;
  readonly heapMb: number;
}

async function metricsOf(devtools: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

async function sample(devtools: CDPSession): Promise<Sample> {
  await devtools.send("HeapProfiler.collectGarbage");
  const before = await metricsOf(devtools);
  await delay(SAMPLE_S * 1_000);
  const after = await metricsOf(devtools);
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const elapsedS = grown("Timestamp");
  return {
    scriptMs: (grown("ScriptDuration") * 1_000) / elapsedS,
    taskMs: (grown("TaskDuration") * 1_000) / elapsedS,
    heapMb: (before.get("JSHeapUsedSize") ?? 0) / 1e6,
  };
}

/** Collects tasks of more than 50 ms, as the browser counts them, from now on. */
async function watchLongTasks(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(`
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: "longtask" });
  `);
  return () => page.evaluate("window.longTasks");
}

try {
  const api = createApiClient(service.http, ADMIN_KEY);
  const ids = Array.from({ length: machines }, (_, i) => `machine-${i}`);
  const access = await createSite(api, "live", ids);
  const devices = [...access].map(
    ([id, { password, topic }], index) =>
      new PacedPublisher({
        ...{ id, password, topic, port: service.mqttPort, live: true },
        place: placeOf(index),
      }),
  );
  for (const device of devices) await device.connect();
  console.table({
    "log-in": { "kB sent": (await firstLoadKb("/", false, "form")).toFixed(1), limit: 120 },
    machines: { "kB sent": (await firstLoadKb("/machines", true, "main")).toFixed(1), limit: 120 },
    map: {
      "kB sent": (await firstLoadKb("/map", true, ".maplibregl-canvas")).toFixed(1),
      limit: 600,
    },
  });
  for (const device of devices) device.start(1);
  const first: FirstMachine[] = [];
  while (first.length < OPENINGS) first.push(await firstMachine());
  console.log(
    `map with ${machines} machines, ${OPENINGS} times: first machine after ${wordsOf(first.map(({ cold }) => cold))} ` +
      `(limit 2.5 s), again after ${wordsOf(first.map(({ warm }) => warm))} (1 s), a text of the service after ` +
      `${wordsOf(first.map(({ floor }) => floor))}; ${machineLoad()}`,
  );

  const context = await browser.context();
  const page = await browser.page(context, "/map");
  await page.locator(".machine-row").first().waitFor();
  await delay(SETTLE_MS);
  const devtools = await context.newCDPSession(page);
  // Processor time of the thread: the machine may be busy with something else.
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const longTasks = await watchLongTasks(page);
  const samples: Sample[] = [];
  for (const endMs = performance.now() + minutes * 60_000; performance.now() < endMs; ) {
    samples.push(await sample(devtools));
  }
  const long = await longTasks();
  const heaps = samples.map(({ heapMb }) => heapMb);
  const half = Math.max(1, Math.floor(heaps.length / 2));
  console.log(
    `${machines} machines within ${spreadM} m, each once a second, ${minutes} min: script ` +
      `${median(samples.map(({ scriptMs }) => scriptMs)).toFixed(1)} ms a second (limit 20), all of the main thread ` +
      `${median(samples.map(({ taskMs }) => taskMs)).toFixed(1)} ms; ${long.length} tasks over 50 ms, longest ` +
      `${Math.max(0, ...long).toFixed(0)} ms (limit 100); heap ${median(heaps.slice(0, half)).toFixed(1)} MB in the ` +
      `first half, ${median(heaps.slice(half)).toFixed(1)} MB in the second`,
  );
  for (const device of devices) device.close();
} finally {
  await browser[Symbol.asyncDispose]();
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true });
}
