import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo, driveAnHour } from "./support/driven-hour.ts";
import { WITHOUT_GL } from "./support/gl-watch.ts";
import { registerMachine } from "./support/own-machine.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const MINUTE_MS = 60_000;
/** Away from the machines of the demo, degrees. */
const YARD = { latitude: 50.3, longitude: 9.4 };

/** A square around a place, `[latitude, longitude]` of its corners. */
const squareAt = ({ latitude, longitude }: typeof YARD, half: number) => [
  [latitude - half, longitude - half],
  [latitude - half, longitude + half],
  [latitude + half, longitude + half],
  [latitude + half, longitude - half],
];

describe.skipIf(!HAS_BROWSER)("the live map in a browser", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  async function centreOf(page: Page) {
    const box = (await page.locator("canvas").first().boundingBox()) ?? expect.fail("no map");
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
  async function middleOf(page: Page): Promise<string> {
    const { x, y } = await centreOf(page);
    const clip = { x: x - 20, y: y - 20, width: 40, height: 40 };
    return (await page.screenshot({ clip })).toString("base64");
  }
  const placeOf = (page: Page) => /at=([-\d.]+),([-\d.]+),/.exec(page.url())?.slice(1, 3).join();

  it("zones and stockpiles are layers that are read when they are switched on, drawn and in words", async () => {
    const polygon = squareAt(YARD, 0.0005);
    await askDemo(demo, "POST", "/api/v1/progress/zones", {
      ...{ project_id: "site-a", name: "Ramp <b>south", polygon, metric: { kind: "manual" } },
      declared_progress: 40,
    });
    await askDemo(demo, "POST", "/api/v1/projects", {
      ...{ id: "site-b", name: "Empty site", location: YARD },
    });
    const footprint = squareAt({ ...YARD, latitude: 50.31 }, 0.0005);
    await askDemo(demo, "POST", "/api/v1/materials/stockpiles", {
      ...{ project_id: "site-a", material: "gravel 0/32", location: "south yard", footprint },
      max_capacity_m3: 900,
    });
    const context = await browser.context();
    const asked: string[] = [];
    context.on("request", (request) => {
      const [path] = /progress\/zones|materials\/stockpiles/.exec(request.url()) ?? [];
      if (path !== undefined) asked.push(path);
    });
    const page = await browser.page(context, "/map?at=50.30000,9.40000,17");
    await page.locator(".machine-row").first().waitFor();
    await page.getByLabel("Fences").and(page.locator(":checked")).waitFor();
    expect(asked).toEqual([]);
    const before = await middleOf(page);

    await page.getByLabel("Progress zones").check();
    await page.getByText("1 in words").click();
    await page.getByText("by observations; 40% declared").waitFor();
    await expect.poll(() => middleOf(page)).not.toBe(before);
    expect(new Set(asked)).toEqual(new Set(["progress/zones"]));
    await expect.poll(() => page.url()).toContain("layers=fences,zones");

    await page.getByLabel("Stockpiles").check();
    const piles = page.locator(".layer").filter({ hasText: "Stockpiles" });
    await piles.locator("summary").click();
    await piles.getByText("without any volume").waitFor();
    await piles.getByRole("button", { name: "gravel 0/32, south yard" }).click();
    await expect.poll(() => placeOf(page)).toBe("50.31000,9.40000");

    // The browser remembers them, and another address has the last word.
    await page.goto(`${demo.origin}/map`);
    await page.getByLabel("Stockpiles").and(page.locator(":checked")).waitFor();
    await page.goto(`${demo.origin}/map?layers=zones&project=site-b`);
    await page.getByText("There are no progress zones.").waitFor();
    expect(await page.getByLabel("Fences").isChecked()).toBe(false);
    expect(browser.wrong).toEqual([]);
  });

  const drawFence = (name: string, polygon: number[][]) =>
    askDemo(demo, "POST", "/api/v1/equipment/geofences", {
      ...{ project_id: "site-a", name, kind: "zone", polygon, alert_on: ["both"] },
    });

  it("the card has fuel with its age, the fence since when, and says in words that a position came late", async () => {
    await drawFence("Long valley", squareAt({ latitude: 50.2, longitude: 9.3 }, 0.3));
    // The last of its positions is some ten minutes old when it is received.
    const late = { id: "late-1", name: "Late truck" };
    await driveAnHour(demo, late, Date.now() - 10 * MINUTE_MS);
    const page = await browser.page(await browser.context(), `/map?layers=&asset=${late.id}`);
    const card = page.locator(".machine-card");
    await card.getByText("after it was taken.").waitFor();
    const text = await card.textContent();
    expect(text).toMatch(/Came late1\d mins? \d+ secs? after it was taken\. Received /);
    expect(text).toMatch(/Fuel\d\d%, reported by the device, 1\d mins? ago/);
    expect(text).toMatch(/Long valley since .+\((.+ ago|now)\)the fence was drawn or changed/);
    expect(browser.wrong).toEqual([]);
  });

  it("the card acknowledges an alert, and calls no position late that came in time", async () => {
    const place = { latitude: 50.6, longitude: 9.8 };
    await drawFence("Gate yard", squareAt(place, 0.001));
    const machine = await registerMachine(demo, {
      ...{ id: "prompt-1", name: "Prompt digger", projectId: "site-a" },
    });
    await machine.report(place);
    const page = await browser.page(await browser.context(), `/map?asset=${machine.id}`);
    const card = page.locator(".machine-card");
    const acknowledge = card.getByRole("button", { name: /^Acknowledge: .*Gate yard/ });
    await acknowledge.click();
    await acknowledge.waitFor({ state: "detached" });
    expect(await statesOfAlerts(machine.id)).toEqual(["acknowledged"]);
    await card.getByText("not known, the device reported none").waitFor();
    await card.getByText("first position was already inside").waitFor();
    expect(await card.textContent()).not.toContain("Came late");
    // The log has the same cause in words, not as the API names it.
    await page.goto(`${demo.origin}/events?asset=${machine.id}`);
    await page.getByText("cause: first position inside").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  async function statesOfAlerts(assetId: string): Promise<readonly string[]> {
    const response = await fetch(`${demo.origin}/api/v1/equipment/alerts?asset_id=${assetId}`, {
      headers: { authorization: `Bearer ${demo.key}` },
    });
    const { data } = (await response.json()) as { readonly data: readonly { status: string }[] };
    return data.map(({ status }) => status);
  }

  it("without WebGL the list has the machines, and says why there is no map", async () => {
    const context = await browser.context();
    await context.addInitScript(WITHOUT_GL);
    const page = await browser.page(context, "/map");
    await page.getByText("cannot draw the map (no WebGL 2)").waitFor();
    await page.locator(".machine-row").first().click();
    await page.locator(".machine-card").waitFor();
    expect(await page.locator(".map-pane canvas").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("fingers on a phone: a tap opens the card, the map is moved, the card closed, and the list reached", async () => {
    const machine = await registerMachine(demo, {
      ...{ id: "touch-1", name: "Touched digger", projectId: "site-a" },
    });
    const place = { latitude: 50.45, longitude: 9.55 };
    await machine.report(place);
    const context = await browser.context({ width: 390, height: 844, hasTouch: true });
    const page = await browser.page(context, "/map?at=50.45000,9.55000,17");
    const card = page.locator(".machine-card");
    const head = card.getByRole("heading", { name: machine.name });
    const { x, y } = await centreOf(page);
    await expect
      .poll(async () => {
        await page.touchscreen.tap(x, y);
        // A second tap within 0.3 s is one of two, which zoom in, and taps that go on so never open it.
        return await head.waitFor({ timeout: 1_000 }).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    await expect.poll(() => isInSight(page, ".machine-card h2")).toBe(true);

    const before = placeOf(page);
    // Not where the tap was: a finger that is put down there again at once is a gesture of its own, which zooms.
    await drag(page, { x: x + 100, y: y + 80 }, { x: x - 20, y: y + 20 });
    await expect.poll(() => placeOf(page)).not.toBe(before);
    await card.getByRole("button", { name: "Close" }).tap();
    await card.waitFor({ state: "detached" });

    const row = page.locator(".machine-row").first();
    await row.scrollIntoViewIfNeeded();
    const name = await row.locator(".machine-name").textContent();
    await row.tap();
    await card.getByRole("heading", { name: name ?? "" }).waitFor();
    await expect.poll(() => isInSight(page, ".machine-card h2")).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(browser.wrong).toEqual([]);
  });

  /** Whether an element is on the screen, above the bar of pages. */
  const isInSight = (page: Page, selector: string) =>
    page.evaluate(`(() => {
      const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight - 58;
    })()`);

  /** One finger over the screen; playwright has taps alone. */
  async function drag(page: Page, from: Point, to: Point) {
    const session = await page.context().newCDPSession(page);
    const steps = [0, 0.25, 0.5, 0.75, 1].map((part) => ({
      x: from.x + part * (to.x - from.x),
      y: from.y + part * (to.y - from.y),
    }));
    for (const [index, point] of steps.entries()) {
      const type = index === 0 ? "touchStart" : "touchMove";
      await session.send("Input.dispatchTouchEvent", { type, touchPoints: [point] });
    }
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }
});

interface Point {
  readonly x: number;
  readonly y: number;
}
