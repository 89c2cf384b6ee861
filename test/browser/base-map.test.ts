import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ServiceProcess } from "../support/service-process.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { startConsoleService } from "./support/console-service.ts";
import { smallPmtiles } from "./support/small-pmtiles.ts";

const ADMIN_KEY = "browser-admin-key-of-at-least-32-characters";
/** Water of the base map in the light appearance; plain ground is #eef1f4. */
const WATER = [0xbc, 0xd8, 0xe6];

describe.skipIf(!HAS_BROWSER)("a base map from a file of the service", () => {
  let dataDir: string;
  let service: ServiceProcess;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "plumbline-base-map-"));
    service = await startConsoleService({ dataDir, adminKey: ADMIN_KEY });
    browser = await ConsoleBrowser.launch(() => ({ origin: service.http, key: ADMIN_KEY }));
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await service?.end("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Share of the middle of the map that has the colour of water. */
  async function waterShare(page: Page): Promise<number> {
    const box = (await page.locator("canvas").first().boundingBox()) ?? expect.fail("no map");
    const clip = { x: box.x + box.width / 4, y: box.y + box.height / 4, width: 200, height: 200 };
    const pixels = await sharp(await page.screenshot({ clip }))
      .removeAlpha()
      .raw()
      .toBuffer();
    let count = 0;
    for (let at = 0; at < pixels.length; at += 3) {
      const isNear = WATER.every((value, i) => Math.abs((pixels[at + i] ?? 0) - value) <= 3);
      if (isNear) count += 1;
    }
    return count / (pixels.length / 3);
  }

  it("is drawn where there is one, read by ranges, with its attribution as text", async () => {
    const before = await browser.page(await browser.context(), "/map?at=30,10,3");
    await before.locator(".maplibregl-canvas").waitFor();
    expect(await waterShare(before)).toBe(0);

    await mkdir(join(dataDir, "maps"), { recursive: true });
    const attribution = '<a href="https://survey.example">© Survey of the world</a>';
    await writeFile(join(dataDir, "maps", "world.pmtiles"), smallPmtiles("water", attribution));
    const context = await browser.context();
    const answers: number[] = [];
    context.on("response", (response) => {
      if (response.url().endsWith("/maps/world.pmtiles")) answers.push(response.status());
    });
    const page = await browser.page(context, "/map?at=30,10,3");
    await expect.poll(() => waterShare(page)).toBeGreaterThan(0.8);
    expect(new Set(answers)).toEqual(new Set([206]));
    await page.getByText("© Survey of the world").waitFor();
    expect(await page.locator("a[href*='survey.example']").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("that cannot be read leaves the plain ground and a working map", async () => {
    await mkdir(join(dataDir, "maps"), { recursive: true });
    await writeFile(join(dataDir, "maps", "world.pmtiles"), "no map at all");
    const page = await browser.page(await browser.context(), "/map?at=30,10,3");
    await page.locator(".maplibregl-canvas").waitFor();
    expect(await waterShare(page)).toBe(0);
    expect(browser.wrong).toEqual([]);
  });
});
