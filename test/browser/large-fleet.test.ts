import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApiClient } from "../support/api-client.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import type { DeviceAccess } from "../support/site.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { startConsoleService } from "./support/console-service.ts";
import { send } from "./support/own-machine.ts";

const ADMIN_KEY = "browser-admin-key-of-at-least-32-characters";
/** More than the map draws one by one, and than a list shows at first. */
const MACHINES = 320;
/** Machines that have reported today: more than the table of their use shows at first. */
const REPORTED = 110;

describe.skipIf(!HAS_BROWSER)("a console of a fleet of 320 machines", () => {
  let dataDir: string;
  let service: ServiceProcess;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "plumbline-large-fleet-"));
    service = await startConsoleService({ dataDir, adminKey: ADMIN_KEY });
    const api = createApiClient(service.http, ADMIN_KEY);
    const location = { latitude: 52.5, longitude: 13.4 };
    await api.post("/projects", { id: "yard", name: "Yard", location });
    for (let i = 0; i < MACHINES; i += 1) {
      // 20 in a row, 10 m apart: all within a few pixels of a map that shows the town.
      const row = Math.floor(i / 20);
      const place = { latitude: 52.5 + row * 1e-4, longitude: 13.4 + (i % 20) * 1.5e-4 };
      const { mqtt } = await api.post<{ mqtt: DeviceAccess }>("/equipment/assets", {
        ...{ id: `machine-${i}`, name: `Machine ${i}`, type: "van", project_id: "yard" },
        location: place,
      });
      if (i >= REPORTED) continue;
      const reading = { timestamp: new Date().toISOString(), ...place, accuracy_meters: 1 };
      const login = `Bearer machine-${i}.${mqtt.password}`;
      await send(`${service.http}/api/v1/ingest/plumbline`, login, reading);
    }
    browser = await ConsoleBrowser.launch(() => ({ origin: service.http, key: ADMIN_KEY }));
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await service?.end("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
  });

  const rows = (page: Page) => page.locator(".machine-row").count();
  const CHOSEN = ".machine-row[aria-pressed='true']";
  /** Whether all of a row is within the part of the list that is on the screen. */
  const isInSight = (page: Page, selector: string) =>
    page.evaluate(`(() => {
      const row = document.querySelector(${JSON.stringify(selector)});
      const { top, bottom } = row.getBoundingClientRect();
      const box = row.closest(".map-lists").getBoundingClientRect();
      return top >= box.top && bottom <= box.bottom && bottom <= innerHeight;
    })()`);
  const zoomOf = (page: Page) => Number(/at=[-\d.]+,[-\d.]+,([\d.]+)/.exec(page.url())?.[1]);

  it("the list beside the map says how many it leaves out, and shows them when asked", async () => {
    const context = await browser.context();
    const lists: string[] = [];
    context.on("request", (request) => {
      if (/\/equipment\/assets(\?|$)/.test(request.url())) lists.push(request.url());
    });
    const page = await browser.page(context, "/map");
    await page.getByText(`200 of ${MACHINES} are listed.`).waitFor();
    // All at once and once: the live stream brings no machine that the list lacks.
    expect(lists).toHaveLength(1);
    expect(await rows(page)).toBe(200);
    await page.getByRole("button", { name: "List 120 more" }).click();
    await expect.poll(() => rows(page)).toBe(MACHINES);
    expect(await page.getByText("are listed").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("a search is of the map as well: what it leaves out cannot be pressed there", async () => {
    const page = await browser.page(await browser.context(), "/map?at=52.50000,13.40015,19");
    await page.getByText(`200 of ${MACHINES} are listed.`).waitFor();
    const canvas = page.locator("canvas").first();
    const { x, y, width, height } = (await canvas.boundingBox()) ?? expect.fail("no map");
    const card = page.locator(".machine-card");
    const press = () => page.mouse.click(x + width / 2, y + height / 2);
    const isShown = async () => {
      await press();
      return await card.isVisible();
    };
    await expect.poll(isShown).toBe(true);
    expect(await card.textContent()).toContain("Machine 1");
    await page.getByRole("searchbox").fill("Machine 300");
    await expect.poll(() => rows(page)).toBe(1);
    await expect.poll(isShown).toBe(false);
    await page.getByRole("searchbox").fill("");
    await expect.poll(isShown).toBe(true);
    expect(browser.wrong).toEqual([]);
  });

  it("a machine beyond the first 200 that is pressed on the map is in the list and in sight", async () => {
    const page = await browser.page(await browser.context(), "/map?at=52.50150,13.40150,19");
    await page.getByText(`200 of ${MACHINES} are listed.`).waitFor();
    const { x, y, width, height } =
      (await page.locator("canvas").first().boundingBox()) ?? expect.fail("no map");
    const chosen = page.locator(CHOSEN);
    await expect
      .poll(async () => {
        await page.mouse.click(x + width / 2, y + height / 2);
        return await chosen.allTextContents();
      })
      .toEqual([expect.stringContaining("Machine 310")]);
    await page.getByText("110 more in between").waitFor();
    await page.getByText(`201 of ${MACHINES} are listed.`).waitFor();
    await expect.poll(() => isInSight(page, CHOSEN)).toBe(true);
    expect(await page.evaluate("document.activeElement.closest('.map-side')")).toBe(null);
    expect(browser.wrong).toEqual([]);
  });

  it("the machine of an address is in sight in the list, and the list is not moved again", async () => {
    const page = await browser.page(await browser.context(), "/map?asset=machine-150");
    const chosen = page.locator(CHOSEN);
    await chosen.waitFor();
    await expect.poll(() => isInSight(page, CHOSEN)).toBe(true);
    const first = ".machine-row";
    expect(await isInSight(page, first)).toBe(false);
    await page.locator(first).first().scrollIntoViewIfNeeded();
    await page.locator(".machine-card").getByText("Follow").click();
    expect(await isInSight(page, first)).toBe(true);
    expect(browser.wrong).toEqual([]);
  });

  it("a press on a group of machines zooms to them", async () => {
    const page = await browser.page(await browser.context(), "/map?at=52.5007,13.4014,11");
    await page.getByText(`200 of ${MACHINES} are listed.`).waitFor();
    const canvas = page.locator("canvas").first();
    const { x, y, width, height } = (await canvas.boundingBox()) ?? expect.fail("no map");
    await expect
      .poll(async () => {
        await page.mouse.click(x + width / 2, y + height / 2);
        return zoomOf(page);
      })
      .toBeGreaterThan(12);
    expect(browser.wrong).toEqual([]);
  });

  it.each([
    "light",
    "dark",
  ] as const)("utilisation is printed with all lines, dark on white, from the %s theme", async (theme) => {
    const page = await browser.page(await browser.context({ theme }), "/utilisation");
    const lines = () => page.locator(".heat tbody tr").count();
    await expect.poll(lines).toBe(100);
    // When the pages are laid out, not some time after.
    await page.evaluate(
      'matchMedia("print").addEventListener("change", ({ matches }) => { if (matches) printed = document.querySelectorAll(".heat tbody tr").length; })',
    );
    await page.pdf();
    expect(await page.evaluate("printed")).toBe(REPORTED);
    await expect.poll(lines).toBe(REPORTED);
    await page.emulateMedia({ media: "print", colorScheme: theme });
    const colour = 'getComputedStyle(document.querySelector(".heat tbody th")).color';
    expect(await page.evaluate(colour)).toBe("rgb(0, 0, 0)");
    expect(await page.locator("nav").first().isVisible()).toBe(false);
    expect(browser.wrong).toEqual([]);
  });
});
