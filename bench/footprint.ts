/**
 * How soon figure and map follow where a footprint is corrected on a stockpile's page: from the release of a corner
 * that the mouse moved to the volume within the new outline, and to the last drawing of the map; then from Save to the
 * page with the stored outline. A made survey of 100 m by 100 m (cells of 5 cm, rough ground, a cone of 12 m radius);
 * each round drags another corner. First with nothing else to do, then beside two busy loops at the usual priority.
 * The service is a process of its own (`dist/main.js`), the browser the machine's Chromium, which draws with the
 * processor.
 *
 *   npm run build && tsx bench/footprint.ts [rounds] [limit, s]
 *
 * Ends with 1 if the slowest of any of them, without the busy loops, takes longer than the limit.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ConsoleBrowser } from "../test/browser/support/console-browser.ts";
import { createApiClient } from "../test/support/api-client.ts";
import { openImageServer } from "../test/support/image-server.ts";
import { type MadeMap, surfaceFile } from "../test/support/map-tile.ts";
import { startServiceProcess } from "../test/support/service-process.ts";
import { machineLoad } from "./figures/machine-load.ts";
import { median } from "./figures/median.ts";

const [rounds = 8, limitS = 2] = process.argv.slice(2).map(Number);
const BUSY_LOOPS = 2;
const ADMIN_KEY = "bench-admin-key-of-at-least-32-characters";
const MAP: MadeMap = {
  ...{ epsg: 32_633, westM: 391_700, northM: 5_820_000, cellM: 0.05, width: 2_000, height: 2_000 },
};
/** Of the cone. */
const [TOE_M, HEIGHT_M, FOOTPRINT_M] = [12, 7, 14] as const;
/** Longest wait for a figure or a drawing, ms. */
const PATIENCE_MS = 60_000;
/** A map that draws nothing for so long is as it stays, ms: tiles and fades come sooner one after the other. */
const STILL_MS = 700;
/** How far a corner is dragged towards the middle, pixels. */
const DRAG_PX = 40;
/** As the page's map has them: of its edges, pixels, and its nearest first view. */
const [PADDING_PX, NEAREST_ZOOM] = [56, 19] as const;
const WORLD_PX = 512;

const middle = { eastM: MAP.westM + 50, northM: MAP.northM - 50 };
function heightAt(east: number, north: number): number {
  const wave = Math.sin(east * 12.9898 + north * 78.233) * 43_758.5453;
  const grain = wave - Math.floor(wave);
  const share = 1 - Math.hypot(east - middle.eastM, north - middle.northM) / TOE_M;
  return 34 + 0.03 * grain + HEIGHT_M * Math.max(0, share);
}

type Pair = readonly [latitude: number, longitude: number];
type Point = readonly [x: number, y: number];

/** In web mercator, 0 to 1 from the north-west. */
const worldOf = ([latitude, longitude]: Pair): Point => [
  (longitude + 180) / 360,
  (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2,
];

/** Where the corners of a footprint are on the screen while the map shows all of it, as it does first. */
async function cornersOn(page: Page, footprint: readonly Pair[]): Promise<readonly Point[]> {
  const box = await page.locator(".maplibregl-canvas").boundingBox();
  if (box === null) throw new Error("the map has no place on the page");
  const world = footprint.map(worldOf);
  const range = (axis: 0 | 1) => {
    const values = world.map((point) => point[axis]);
    return [Math.min(...values), Math.max(...values)] as const;
  };
  const [[west, east], [north, south]] = [range(0), range(1)];
  const fits = Math.min(
    (box.width - 2 * PADDING_PX) / (east - west),
    (box.height - 2 * PADDING_PX) / (south - north),
  );
  const scale = Math.min(fits, WORLD_PX * 2 ** NEAREST_ZOOM);
  return world.map(([x, y]) => [
    box.x + box.width / 2 + (x - (west + east) / 2) * scale,
    box.y + box.height / 2 + (y - (north + south) / 2) * scale,
  ]);
}

/** Notes in the page when it was released or pressed last, when the map drew last, and when a text became another. */
const WATCH = `
  window.seen = { releasedMs: 0, drawnMs: 0 };
  for (const name of ["drawElements", "drawArrays"]) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...args) {
      window.seen.drawnMs = performance.now();
      return draw.apply(this, args);
    };
  }
  for (const type of ["pointerup", "click"]) {
    addEventListener(type, () => { window.seen.releasedMs = performance.now(); }, { capture: true });
  }
  window.becomes = (selector, isThere) => new Promise((resolve, reject) => {
    const since = performance.now();
    const look = () => {
      const one = document.querySelector(selector);
      if (isThere(one)) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      else if (performance.now() - since > ${PATIENCE_MS}) reject(new Error(selector));
      else requestAnimationFrame(look);
    };
    look();
  });
  window.still = () => new Promise((resolve) => {
    const look = () => {
      const { drawnMs, releasedMs } = window.seen;
      const now = performance.now();
      if (now - Math.max(drawnMs, releasedMs) > ${STILL_MS}) resolve(drawnMs);
      else setTimeout(look, 50);
    };
    look();
  });
`;
const FIGURE = ".pile-preview .measure-main[aria-busy]";

interface Followed {
  readonly figureS: number;
  readonly mapS: number;
}

/** Begins to wait in the page for a condition on an element; yields when it came and the map rested, from the release. */
function following(page: Page, selector: string, condition: string): Promise<Followed> {
  return page.evaluate(`(async () => {
    const shownMs = await window.becomes(${JSON.stringify(selector)}, ${condition});
    const drawnMs = await window.still();
    const { releasedMs } = window.seen;
    return { figureS: (shownMs - releasedMs) / 1000, mapS: Math.max(0, drawnMs - releasedMs) / 1000 };
  })()`);
}

/** Drags a corner towards the middle of the map. */
async function drag(page: Page, [x, y]: Point, [middleX, middleY]: Point): Promise<Followed> {
  const before = await page.locator(FIGURE).innerText();
  const length = Math.hypot(middleX - x, middleY - y);
  const target = [
    x + ((middleX - x) / length) * DRAG_PX,
    y + ((middleY - y) / length) * DRAG_PX,
  ] as const;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move((x + target[0]) / 2, (y + target[1]) / 2, { steps: 4 });
  await page.mouse.move(...target, { steps: 4 });
  await page.mouse.up();
  const isNew = `(one) => one !== null && one.ariaBusy !== "true" && one.innerText !== ${JSON.stringify(before)}`;
  return await following(page, FIGURE, isNew);
}

async function correct(page: Page, footprint: readonly Pair[], corner: number) {
  await page.getByRole("button", { name: "Correct the footprint" }).click();
  await page.locator(".pile-preview .measure-main[aria-busy=false]").waitFor();
  await page.locator(".maplibregl-canvas").scrollIntoViewIfNeeded();
  // The drawing tool is loaded now.
  await page.evaluate("window.still()");
  const corners = await cornersOn(page, footprint);
  const sum = corners.reduce<Point>(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
  const moved = corners[corner % corners.length];
  if (moved === undefined) throw new Error("a footprint without corners");
  const dragged = await drag(page, moved, [sum[0] / corners.length, sum[1] / corners.length]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const saved = await following(page, ".pile-preview", "(one) => one === null");
  return { dragged, saved };
}

const dataDir = await mkdtemp(join(tmpdir(), "plumbline-footprint-"));
const images = await openImageServer();
const service = await startServiceProcess({
  ...{ dataDir, adminKey: ADMIN_KEY, program: "built" },
  environment: { IMAGE_FETCH_ALLOW_CIDRS: "127.0.0.1/32" },
});
const browser = await ConsoleBrowser.launch(() => ({ origin: service.http, key: ADMIN_KEY }));
const loops: ChildProcess[] = [];

try {
  const api = createApiClient(service.http, ADMIN_KEY);
  const location = { latitude: 52.52, longitude: 13.4 };
  await api.post("/projects", { id: "yard", name: "Yard", location });
  await api.post("/materials/stockpiles", {
    ...{ id: "gravel", project_id: "yard", material: "Gravel", location: "Bay 1" },
    max_capacity_m3: 5_000,
  });
  const address = images.serve("surface.tif", surfaceFile(MAP, heightAt));
  await api.post("/materials/stockpiles/gravel/measure", { images: [address] });
  const { bounds } = (
    await api.get<{ data: readonly [{ bounds: Readonly<Record<string, number>> }] }>("/surveys")
  ).data[0];
  const { west = 0, east = 0, south = 0, north = 0 } = bounds;
  const [lat, lng] = [(south + north) / 2, (west + east) / 2];
  const [up, right] = [FOOTPRINT_M / 111_270, FOOTPRINT_M / 67_850];
  const footprint: Pair[] = [
    [lat - up, lng - right],
    [lat - up, lng + right],
    [lat + up, lng + right],
    [lat + up, lng - right],
  ];

  /** The outline as it was before somebody moved it. */
  async function restore(): Promise<void> {
    const answer = await fetch(`${service.http}/api/v1/materials/stockpiles/gravel`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ footprint }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  let worstS = 0;
  for (const isBusy of [false, true]) {
    if (isBusy) {
      for (let i = 0; i < BUSY_LOOPS; i += 1) {
        loops.push(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
      }
    }
    const followed: { dragged: Followed; saved: Followed }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await restore();
      const context = await browser.context();
      await context.addInitScript(WATCH);
      const page = await browser.page(context, "/stockpiles/gravel");
      const one = await correct(page, footprint, round);
      // The first one compiles the code.
      if (round > 0) followed.push(one);
      await browser.closeContexts();
    }
    const text = (name: "dragged" | "saved", what: keyof Followed): string => {
      const seconds = followed.map((one) => one[name][what]);
      const slowest = Math.max(...seconds);
      if (!isBusy) worstS = Math.max(worstS, slowest);
      return `${median(seconds).toFixed(2)} s (slowest ${slowest.toFixed(2)})`;
    };
    console.log(
      `${rounds} corners moved${isBusy ? ` beside ${BUSY_LOOPS} busy loops` : ""}: from the release to the figure ` +
        `${text("dragged", "figureS")}, to the last drawing of the map ${text("dragged", "mapS")}; from Save to the ` +
        `stored outline on the page ${text("saved", "figureS")}, on the map ${text("saved", "mapS")}; ${machineLoad()}`,
    );
  }
  if (worstS > limitS) process.exitCode = 1;
} finally {
  for (const loop of loops) loop.kill("SIGKILL");
  await browser[Symbol.asyncDispose]();
  await service.end("SIGTERM");
  await images[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}
