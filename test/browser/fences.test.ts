import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { connectMachine, registerMachine } from "./support/own-machine.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

/** A quiet corner of the demo's project, where no simulated machine goes. */
const MIDDLE = { latitude: 50.4, longitude: 9.7 };
/** At this zoom the map shows some 900 m around it. */
const AT = `at=${MIDDLE.latitude},${MIDDLE.longitude},16`;
/** Another one, for the story of a machine that enters. */
const CORNER = { latitude: 50.44, longitude: 9.75 };
const PROJECT = "site-a";

describe.skipIf(!HAS_BROWSER)("fences of the web console in a browser", () => {
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

  /** A press on the map, pixels from its middle. */
  async function press(page: Page, right: number, down: number): Promise<void> {
    const box = await page.locator(".maplibregl-canvas").boundingBox();
    if (box === null) throw new Error("the map has no place on the page");
    const [x, y] = [box.x + box.width / 2 + right, box.y + box.height / 2 + down];
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
  }

  async function beginFence(page: Page): Promise<void> {
    await page.locator(".maplibregl-canvas").waitFor();
    await page.getByRole("button", { name: "Draw a fence" }).click();
    await page.getByRole("heading", { name: "New fence" }).waitFor();
  }

  /** Draws a square of 300 pixels around the middle of the map. */
  async function drawSquare(page: Page): Promise<void> {
    // The tool is a file of its own: it draws as soon as it is there.
    await expect
      .poll(async () => {
        await press(page, -150, -150);
        return page.getByRole("button", { name: "Finish the shape" }).count();
      })
      .toBe(1);
    await press(page, 150, -150);
    await press(page, 150, 150);
    await page.getByText("m² about, computed in this browser").first().waitFor();
    await press(page, -150, 150);
    await press(page, -150, -150);
    await expect.poll(() => corners(page)).toBeGreaterThanOrEqual(4);
  }

  async function typeCorners(page: Page, pairs: readonly string[]): Promise<void> {
    for (const pair of pairs) {
      await page.getByLabel("Latitude", { exact: true }).fill(pair);
      await page.getByRole("button", { name: "Add corner" }).click();
    }
  }

  /** Saves what is drawn as an area whose entries are warnings. */
  async function saveRestricted(page: Page, name: string): Promise<void> {
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Kind", { exact: true }).selectOption("restricted");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name }).waitFor();
  }

  const corners = (page: Page) => page.locator(".corners tbody tr").count();
  const fenceOf = async (name: string) => {
    const answer = await fetch(`${demo.origin}/api/v1/equipment/geofences?limit=100`, {
      headers: { authorization: `Bearer ${demo.key}` },
    });
    const { data } = (await answer.json()) as {
      data: { id: string; name: string; shape: string; polygon: [number, number][] }[];
    };
    return data.find((fence) => fence.name === name);
  };

  it("a polygon drawn by mouse is measured while it is drawn, corrected, previewed and saved", async () => {
    const page = await browser.page(await browser.context(), `/fences?${AT}&project=${PROJECT}`);
    await beginFence(page);
    await drawSquare(page);
    const drawn = await corners(page);
    // A corner too many goes again by a button, and comes back by another.
    await page.getByRole("button", { name: "Delete corner 1" }).first().click();
    expect(await corners(page)).toBe(drawn - 1);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await corners(page)).toBe(drawn);
    await page.getByLabel("Name", { exact: true }).fill("Drawn by mouse");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("No machine has its newest position inside.").waitFor();
    await page.getByText("computed by the service").first().waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "Drawn by mouse" }).waitFor();
    const [south = 0, ...more] = ((await fenceOf("Drawn by mouse"))?.polygon ?? []).map(
      ([lat]) => lat,
    );
    expect(Math.min(south, ...more)).toBeLessThan(MIDDLE.latitude);
    expect(Math.max(south, ...more)).toBeGreaterThan(MIDDLE.latitude);
    expect(browser.wrong).toEqual([]);
  });

  it("the keyboard alone draws a fence by the table of corners", async () => {
    const page = await browser.page(await browser.context(), `/fences?${AT}&project=${PROJECT}`);
    const { keyboard } = page;
    /** Goes on with Tab to what has that name. */
    async function tabTo(name: string): Promise<void> {
      for (let presses = 0; presses < 120; presses += 1) {
        const focused: string = await page.evaluate(
          "(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent; })()",
        );
        if (focused.trim() === name) return;
        await keyboard.press("Tab");
      }
      throw new Error(`Tab does not lead to ${name}`);
    }
    await page.getByRole("button", { name: "Draw a fence" }).waitFor();
    await tabTo("Draw a fence");
    await keyboard.press("Enter");
    await tabTo("Latitude");
    for (const [latitude, longitude] of [
      ["50.41", "9.70"],
      ["50.41", "9.71"],
      ["50,42", "9,71"],
    ] as const) {
      await keyboard.type(latitude);
      await keyboard.press("Tab");
      await keyboard.type(longitude);
      // Adds the corner, and the focus is at the next one's latitude.
      await keyboard.press("Enter");
    }
    expect(await corners(page)).toBe(3);
    await keyboard.type("50.42 9.70");
    await keyboard.press("Enter");
    expect(await corners(page)).toBe(4);
    await tabTo("Name");
    await keyboard.type("Drawn by keyboard");
    await tabTo("Save");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Drawn by keyboard" }).waitFor();
    expect((await fenceOf("Drawn by keyboard"))?.polygon).toEqual([
      [50.41, 9.7],
      [50.41, 9.71],
      [50.42, 9.71],
      [50.42, 9.7],
    ]);
  });

  it("a corner that the service refuses is named at its row", async () => {
    const page = await browser.page(await browser.context(), `/fences?project=${PROJECT}`);
    await beginFence(page);
    await typeCorners(page, ["50.41, 9.7", "50.42, 9.71", "50.41, 9.71", "50.42, 9.7"]);
    await page.getByText("Edges cross near").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Crossed");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".corners .field-error").first().waitFor();
    expect(await page.locator(".corners .field-error").first().textContent()).toMatch(/^Corner \d/);
  });

  it("a fence drawn by mouse and one by table warn of a machine that enters, without reload, and another tab acknowledges", async () => {
    const context = await browser.context();
    const at = `at=${CORNER.latitude},${CORNER.longitude},16`;
    const drawing = await browser.page(context, `/fences?${at}&project=${PROJECT}`);
    await beginFence(drawing);
    await drawSquare(drawing);
    await saveRestricted(drawing, "By mouse");
    const polygon = (await fenceOf("By mouse"))?.polygon ?? [];
    const south = Math.min(...polygon.map(([latitude]) => latitude));
    expect(south).toBeLessThan(CORNER.latitude);

    // The second one begins 67 m farther north, within the first.
    const [from, to] = [south + 0.0006, south + 0.0012];
    const [west, east] = [CORNER.longitude - 0.001, CORNER.longitude + 0.001];
    await drawing.goto(`${demo.origin}/fences?project=${PROJECT}`);
    await beginFence(drawing);
    const table = [
      [from, west],
      [from, east],
      [to, east],
      [to, west],
    ].map(([latitude = 0, longitude = 0]) => `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`);
    await typeCorners(drawing, table);
    await saveRestricted(drawing, "By table");

    const watching = await context.newPage();
    await watching.goto(`${demo.origin}/alerts?project=${PROJECT}`);
    await watching.getByRole("heading", { name: "Open", exact: true }).waitFor();
    await drawing.goto(`${demo.origin}/alerts?project=${PROJECT}`);
    // What a reload would not leave.
    await watching.evaluate("window.isTheSamePage = true");
    await using digger = await connectMachine(demo, {
      id: "digger-7",
      name: "Digger 7",
      projectId: PROJECT,
    });
    const { longitude } = CORNER;
    const drive = async (...northDeg: readonly number[]) => {
      for (const deg of northDeg) await digger.report({ latitude: south + deg, longitude });
    };
    const entered = (page: Page, fence: string) =>
      page
        .locator("section", { has: page.locator("#open-alerts") })
        .locator(".choices li", { hasText: `Digger 7 entered ${fence}` });
    // A second position inside confirms an entry.
    await drive(-0.0002, 0.0002, 0.0003);
    await entered(watching, "By mouse").waitFor();
    expect(await entered(watching, "By table").count()).toBe(0);
    await drive(0.0005, 0.0008, 0.0009);
    await entered(watching, "By table").waitFor();

    await entered(drawing, "By table").getByRole("checkbox").check();
    await drawing.getByLabel("Note (optional)").fill("banksman is there");
    await drawing.getByRole("button", { name: "Acknowledge 1 alert" }).click();
    await entered(watching, "By table").waitFor({ state: "detached" });
    await watching.getByText("banksman is there").waitFor();
    expect(await entered(watching, "By mouse").count()).toBe(1);
    expect(await watching.evaluate("window.isTheSamePage")).toBe(true);
    expect(browser.wrong).toEqual([]);
  });

  it("of two people who change a fence the second sees both versions and decides", async () => {
    const context = await browser.context();
    const first = await browser.page(context, `/fences?project=${PROJECT}`);
    await beginFence(first);
    await first.getByRole("button", { name: "Circle", exact: true }).click();
    await first.getByLabel("Latitude", { exact: true }).fill("50.43, 9.7");
    await first.getByRole("button", { name: "Set centre" }).click();
    await first.getByLabel("Radius, m").fill("80");
    await first.getByLabel("Radius, m").press("Enter");
    await first.getByLabel("Name", { exact: true }).fill("Shared");
    await first.getByRole("button", { name: "Save", exact: true }).click();
    await first.getByRole("heading", { name: "Shared" }).waitFor();
    const second = await context.newPage();
    await second.goto(first.url());
    for (const page of [first, second]) {
      await page.getByRole("button", { name: "Change", exact: true }).click();
      await page.getByRole("heading", { name: "Change Shared" }).waitFor();
    }
    await first.getByLabel("Name", { exact: true }).fill("Of the first");
    await first.getByRole("button", { name: "Save", exact: true }).click();
    await first.getByRole("heading", { name: "Of the first" }).waitFor();
    await second.getByLabel("Name", { exact: true }).fill("Of the second");
    await second.getByRole("button", { name: "Save", exact: true }).click();
    const both = second.getByRole("region", { name: "Somebody changed this fence meanwhile" });
    await both.or(second.locator(".versions")).first().waitFor();
    const table = await second.locator(".versions").textContent();
    expect(table).toContain("Of the first");
    expect(table).toContain("Of the second");
    expect((await fenceOf("Of the second"))?.id).toBeUndefined();
    await second.getByRole("button", { name: "Save yours over it" }).click();
    await second.getByRole("heading", { name: "Of the second" }).waitFor();
    expect((await fenceOf("Of the second"))?.shape).toBe("circle");
    await second.getByRole("button", { name: "Delete", exact: true }).click();
    await second.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => fenceOf("Of the second")).toBeUndefined();
  });

  it("a file is imported whole, and its visits are saved as CSV without formulas", async () => {
    const page = await browser.page(await browser.context(), `/fences?project=${PROJECT}`);
    await page.getByRole("button", { name: "Import a file" }).click();
    const at = { latitude: 50.45, longitude: 9.7 };
    const feature = {
      type: "Feature",
      properties: { name: "=Tank", radius_m: 60 },
      geometry: { type: "Point", coordinates: [at.longitude, at.latitude] },
    };
    const file = (features: object[]) => ({
      name: "fences.geojson",
      mimeType: "application/geo+json",
      buffer: Buffer.from(JSON.stringify({ type: "FeatureCollection", features })),
    });
    const nameless = { ...feature, properties: {} };
    await page.getByLabel("GeoJSON or KML file").setInputFiles(file([feature, nameless]));
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("features[1]").first().waitFor();
    expect(await fenceOf("=Tank")).toBeUndefined();
    await page.getByLabel("GeoJSON or KML file").setInputFiles(file([feature]));
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("1 fence was imported").waitFor();
    const fence = await fenceOf("=Tank");
    const machine = await registerMachine(demo, {
      id: "visitor",
      name: "Visitor",
      projectId: PROJECT,
    });
    await machine.report(at);
    await page.goto(`${demo.origin}/fences/${fence?.id}/visits`);
    await expect
      .poll(async () => {
        await page.reload();
        await page.locator("main h1").waitFor();
        return page.getByText("still inside").count();
      })
      .toBe(1);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const csv = await readFile(await (await download).path(), "utf8");
    expect(csv).toContain("visitor");
    expect(csv).toContain("'=Tank");
  });
});
