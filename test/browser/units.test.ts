import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo, type DrivenHour, driveAnHour } from "./support/driven-hour.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

describe.skipIf(!HAS_BROWSER)("pages in imperial units", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;
  let hour: DrivenHour;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
    const endMs = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
    hour = await driveAnHour(demo, { id: "truck-9", name: "Truck 9" }, endMs);
    await askDemo(demo, "PUT", "/api/v1/equipment/assets/truck-9/maintenance-plan", {
      services: [{ item: "oil", name: "Oil", every_km: 1_000 }],
      limits: [],
    });
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  async function openPage(path: string): Promise<Page> {
    const context = await browser.context();
    await context.addInitScript(
      `localStorage.setItem("plumbline.preferences", JSON.stringify({ units: "imperial" }))`,
    );
    return await browser.page(context, path);
  }

  it("a track has miles, feet and miles per hour, on the map and in the chart too; files say that they are metric", async () => {
    const range = `from=${new Date(hour.fromMs).toISOString()}&to=${new Date(hour.toMs).toISOString()}`;
    const page = await openPage(`/machines/truck-9/track?${range}`);
    await page.locator(".u-over").first().waitFor();
    const facts = await page.locator(".track-side dl").first().innerText();
    expect(facts).toMatch(/Top speed\s+13 mph/);
    expect(facts).toMatch(/Distance\s+[\d.]+ mi/);
    expect(facts).toContain("within 82 ft of one place");
    await expect
      .poll(() => page.locator(".maplibregl-ctrl-scale").innerText())
      .toMatch(/\s(ft|mi)$/);
    await page.getByRole("button", { name: "Show as a table" }).first().click();
    expect(await page.locator(".chart-table td").first().innerText()).toMatch(/^\d+ mph$/);
    await page.getByText("Files have metric units and times in UTC.").waitFor();
    expect(await page.locator("main").innerText()).not.toMatch(/\d\s(km|m|km\/h)\b/);
  });

  it("a radius that is typed in feet is sent in metres, exactly; a buffer that nobody typed stays as it is", async () => {
    const page = await openPage("/fences?project=site-a");
    await page.locator(".tool-row .main").click();
    await page.getByRole("button", { name: "Circle", exact: true }).click();
    await page.getByLabel("Latitude", { exact: true }).fill("50.2, 9.3");
    await page.getByRole("button", { name: "Set centre" }).click();
    await page.getByLabel("Radius, ft").fill("100");
    await page.getByLabel("Radius, ft").press("Enter");
    await page.getByLabel("Name", { exact: true }).fill("Yard");
    await page.getByText("When a crossing counts").click();
    expect(await page.getByLabel("Buffer, ft").inputValue()).toBe("98.425");
    const sending = page.waitForRequest(
      (request) => request.method() === "POST" && request.url().endsWith("/geofences"),
    );
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const body: unknown = (await sending).postDataJSON();
    expect(body).toMatchObject({ circle: { radius_m: 30.48 }, exit_buffer_m: 30 });
  });

  it("an odometer that is typed in miles keeps its kilometres when the units are changed", async () => {
    const page = await openPage("/machines/truck-9/maintenance");
    await page.getByLabel("Odometer, mi").fill("1000");
    await page.locator(".settings summary").click();
    await page.getByRole("combobox", { name: "Units" }).selectOption("metric");
    expect(await page.getByLabel("Odometer, km").inputValue()).toBe("1609.344");
    const sending = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: "Record the service" }).click();
    expect((await sending).postDataJSON()).toMatchObject({ odometer_km: 1_609.344 });
  });
});
