import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPlumblineClient, type PlumblineClient } from "../../client/index.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { driveAnHour } from "./support/driven-hour.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

/** Machines of the demo. */
const FLEET = 20;

describe.skipIf(!HAS_BROWSER)("the page of a machine in a browser", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;
  let api: PlumblineClient;
  let id = "";
  let name = "";

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
    api = createPlumblineClient({ baseUrl: demo.origin, apiKey: demo.key });
    const { data } = await api.GET("/api/v1/equipment/assets", { params: { query: { limit: 1 } } });
    const [asset] = data?.data ?? [];
    if (asset === undefined) throw new Error("the demo has no machines");
    ({ id, name } = asset);
    const { error } = await api.PUT("/api/v1/equipment/assets/{asset_id}/maintenance-plan", {
      params: { path: { asset_id: id } },
      body: {
        services: [
          {
            item: "oil",
            name: "Oil and filter",
            every_hours: 250,
            every_days: 180,
            warn_at_percent: 90,
          },
        ],
        limits: [
          {
            id: "hot",
            name: "Coolant",
            field: "coolant_temperature_c",
            above: 20,
            for_s: 0,
            severity: "info",
          },
        ],
      },
    });
    expect(error).toBeUndefined();
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const open = async (path: string, width = 1280) =>
    await browser.page(await browser.context({ width }), path);

  const section = (page: Page, title: string) =>
    page.locator("section.card", { has: page.getByRole("heading", { name: title, exact: true }) });

  it("is opened from the table and has the newest values with their units", async () => {
    const page = await open("/machines");
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await expect.poll(() => page.url()).toBe(`${demo.origin}/machines/${id}`);
    const values = section(page, "Newest values");
    await values.getByText(/\d km\/h/).waitFor();
    expect(await section(page, "Position and status").textContent()).toMatch(/reported|assumed/);
    expect(browser.wrong).toEqual([]);
  });

  it("is opened from the card of the map", async () => {
    const page = await open(`/map?asset=${id}`);
    await page.getByRole("link", { name: "All about this machine" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/machines/${id}`);
  });

  it("has the use of each day with bounds and basis", async () => {
    const page = await open(`/machines/${id}/use`);
    const row = page.locator("tbody tr").first();
    await row
      .getByText(/\d\s(h|min)/)
      .first()
      .waitFor();
    expect(await row.textContent()).toMatch(/observed|meter|inferred|unknown/);
    expect(await row.textContent()).toContain("today so far");
  });

  it("draws readings, each with its message in words and a table", async () => {
    const page = await open(`/machines/${id}/readings`);
    const chart = page.locator("figure", { has: page.getByRole("heading", { name: "Speed" }) });
    await chart.getByText(/^Speed: .* to .*, last .* km\/h\.$/).waitFor();
    await chart.locator("canvas").waitFor();
    await chart.getByRole("button", { name: "Show as a table" }).click();
    await chart.locator("tbody tr").first().waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a service is recorded, and its interval begins anew", async () => {
    const page = await open(`/machines/${id}/maintenance`);
    await section(page, "Services").getByText("Oil and filter").waitFor();
    await section(page, "Services").getByText("no service recorded yet").waitFor();
    await section(page, "Record a service").getByLabel("Hour meter, h").fill("1234.5");
    await section(page, "Record a service").getByLabel("Note (optional)").fill("<b>new</b> filter");
    await page.getByRole("button", { name: "Record the service" }).click();
    await page.getByText("Recorded: Oil and filter").waitFor();
    const history = section(page, "Services that were done");
    await history.getByText("1,234.5 hrs (as stated)").waitFor();
    await history.getByText("<b>new</b> filter").waitFor();
    await section(page, "Services")
      .getByText("no service recorded yet")
      .waitFor({ state: "detached" });
    expect(await history.locator("li b").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("its own plan is changed and taken away, and one of its own begins as that of its type", async () => {
    const stored = (
      await api.GET("/api/v1/equipment/assets/{asset_id}", {
        params: { path: { asset_id: id } },
      })
    ).data;
    const { error } = await api.PUT(
      "/api/v1/equipment/projects/{project_id}/maintenance-plans/{type}",
      {
        params: { path: { project_id: stored?.project_id ?? "", type: stored?.type ?? "" } },
        body: {
          services: [
            { item: "grease", name: "Grease the pins", every_hours: 50, warn_at_percent: 90 },
          ],
        },
      },
    );
    expect(error).toBeUndefined();
    const page = await open(`/machines/${id}/maintenance`, 390);
    const plan = section(page, "Maintenance plan");
    await plan.getByText("This machine has a plan of its own").waitFor();
    await plan.getByRole("button", { name: "Change its own plan" }).click();
    await page.getByLabel("Every so many engine hours").fill("300");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: "Save" }).click();
    await section(page, "Services")
      .getByText(/of 300\shrs?/)
      .waitFor();
    await plan.getByRole("button", { name: "Remove its own plan" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove its own plan" }).click();
    await plan.getByText("The plan of its type holds.").waitFor();
    await section(page, "Services").getByText("Grease the pins").waitFor();
    await plan.getByRole("button", { name: "Give it a plan of its own" }).click();
    const service = page.getByRole("group", { name: "Service 1", exact: true });
    expect(await service.getByLabel("Name").inputValue()).toBe("Grease the pins");
    await page.getByRole("button", { name: "Save" }).click();
    await plan.getByText("This machine has a plan of its own").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a dry run says what a message would become, and why another would not", async () => {
    const page = await open(`/machines/${id}/device`);
    const pane = section(page, "Dry run");
    await pane
      .getByLabel("Message, as the device sends it")
      .fill('{"latitude":50.1,"longitude":9.2}');
    await pane.getByRole("button", { name: "Try it" }).click();
    await pane.getByText("1 reading would be stored.").waitFor();
    expect(await pane.textContent()).toContain("time of receipt: the message has no possible time");
    await pane.getByLabel("Message, as the device sends it").fill("not JSON");
    await pane.getByRole("button", { name: "Try it" }).click();
    await pane.getByText("It would go to quarantine: payload is not JSON").waitFor();
  });

  it("a command that waits is withdrawn", async () => {
    const page = await open(`/machines/${id}/device`);
    const pane = section(page, "Commands");
    await pane.getByLabel("Command, in the device's words").fill("set_interval");
    await pane.getByLabel(/^Parameters/).fill('{"seconds":10}');
    await pane.getByRole("button", { name: "Send" }).click();
    await pane.getByText('{"seconds":10}', { exact: true }).waitFor();
    // The simulated devices subscribe to no commands, so it stays where it is.
    await pane.getByRole("button", { name: "Cancel" }).click();
    await pane.getByText(/cancelled, never sent/).waitFor();
    expect(await pane.getByRole("button", { name: "Cancel" }).count()).toBe(0);
  });

  it("the heat table has every machine of the demo, and never 0 for what it does not know", async () => {
    const page = await open("/utilisation");
    const rows = page.locator(".heat tbody tr");
    await expect.poll(() => rows.count()).toBe(FLEET);
    expect(await rows.first().textContent()).toContain("no report");
    await page.getByLabel("Figure").selectOption({ label: "Distance" });
    await page
      .locator(".heat tbody td", { hasText: /\d\skm/ })
      .first()
      .waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^utilisation-.*\.csv$/);
    await page.locator("main").getByLabel("Rows").selectOption("project");
    await expect.poll(() => rows.count()).toBe(1);
    expect(browser.wrong).toEqual([]);
  });

  it("a figure of the fleet says how much of it was inferred over gaps", async () => {
    // Its engine ran before and after ten minutes of silence.
    const machine = { id: "gap-1", name: "Gap truck" };
    await driveAnHour(demo, machine, Date.now());
    const page = await open("/utilisation");
    const row = page.locator(".heat tbody tr", { hasText: machine.name });
    await row
      .getByText(/^\d+% inferred over gaps$/)
      .first()
      .waitFor();
    await page.getByLabel("Figure").selectOption({ label: "Idle with engine on" });
    await row
      .getByText(/^computed from: \d+% inferred over gaps$/)
      .first()
      .waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("the table of machines keeps the columns that were chosen", async () => {
    const page = await open("/machines");
    await page.getByRole("columnheader", { name: "Zone" }).waitFor();
    await page.locator("summary", { hasText: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Zone" }).uncheck();
    await page.getByRole("columnheader", { name: "Zone" }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("columnheader", { name: "Speed" }).waitFor();
    expect(await page.getByRole("columnheader", { name: "Zone" }).count()).toBe(0);
  });

  it.each([
    "use",
    "readings",
    "maintenance",
  ])("its part %s fits a screen of 320 pixels without sideways scrolling", async (tab) => {
    const page = await open(`/machines/${id}/${tab}`, 320);
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  });

  it("the heat table scrolls by itself on a screen of 320 pixels", async () => {
    const page = await open("/utilisation", 320);
    await page.locator(".heat").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  });
});
