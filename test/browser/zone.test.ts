import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo, driveAnHour } from "./support/driven-hour.ts";
import { registerMachine } from "./support/own-machine.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const PROJECTS = { berlin: "Europe/Berlin", pune: "Asia/Kolkata" } as const;

describe.skipIf(!HAS_BROWSER)("times in a browser that is in another zone than the project", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
    for (const [id, time_zone] of Object.entries(PROJECTS)) {
      await askDemo(demo, "POST", "/api/v1/projects", {
        ...{ id, name: id, time_zone, location: { latitude: 50, longitude: 9 } },
      });
      await registerMachine(demo, { id: `${id}-1`, name: `Digger of ${id}`, projectId: id });
    }
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const openPage = async (path: string, zone = "America/New_York"): Promise<Page> =>
    await browser.page(await browser.context({ zone }), path);
  const shownZone = (page: Page) => page.locator(".zone-line");

  it("are in the zone of the chosen project, in the browser's for several, and the page says which", async () => {
    const page = await openPage("/machines?project=pune");
    await page.getByText("Times in Asia/Kolkata, the time zone of the project").waitFor();
    await page.locator(".settings summary").click();
    await page.getByRole("combobox", { name: "Project" }).selectOption("berlin");
    await page.getByText("Times in Europe/Berlin, the time zone of the project").waitFor();
    await page.getByRole("combobox", { name: "Project" }).selectOption("");
    await page.getByText(/^Times in America\/New_York, .* the projects are in several/).waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("follow the person's choice, which stays", async () => {
    const page = await openPage("/machines?project=pune");
    await page.locator(".settings summary").click();
    const choice = page.getByRole("combobox", { name: "Times in" });
    await choice.selectOption("browser");
    await page.getByText("Times in America/New_York, the time zone of this browser").waitFor();
    await choice.selectOption("utc");
    await expect.poll(() => shownZone(page).innerText()).toBe("Times in UTC");
    await page.reload();
    await expect.poll(() => shownZone(page).innerText()).toBe("Times in UTC");
  });

  it("of a range are shown and typed in that zone, with the hour that comes twice and the one that never comes", async () => {
    const range = "from=2026-10-24T23:00:00Z&to=2026-10-25T02:00:00Z";
    const page = await openPage(`/machines/berlin-1/track?project=berlin&${range}`);
    await page
      .getByText("25 Oct 2026, 01:00:00 CEST to 25 Oct 2026, 03:00:00 CET")
      .first()
      .waitFor();
    await page.locator(".track-range summary").click();
    const [from, to] = ["From", "To"].map((name) => page.getByLabel(name, { exact: true }));
    expect(await from?.inputValue()).toBe("2026-10-25T01:00");
    expect(await to?.inputValue()).toBe("2026-10-25T03:00");
    await from?.fill("2026-03-29T02:30");
    await page.getByText("There is no such time: clocks are put forward over it.").waitFor();
    await from?.fill("2026-10-25T02:30");
    await page.getByText("this time comes twice, and the first is meant.").waitFor();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await expect.poll(() => page.url()).toContain("from=2026-10-25T00%3A30%3A00Z");
    await page
      .getByText("25 Oct 2026, 02:30:00 CEST to 25 Oct 2026, 03:00:00 CET")
      .first()
      .waitFor();
  });

  it("of a half-hour zone are on the axis at its whole hours, and in the name of a file", async () => {
    const endMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    await driveAnHour(demo, { id: "pune-9", name: "Truck 9", projectId: "pune" }, endMs);
    const iso = (ms: number) => new Date(ms).toISOString();
    const range = `from=${iso(endMs - 3_600_000)}&to=${iso(endMs)}`;
    const page = await openPage(`/machines/pune-9/track?project=pune&${range}`);
    await page.locator(".u-over").first().waitFor();
    await page.getByRole("heading", { name: /^At .*:30:00 GMT\+5:30$/ }).waitFor();
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/^track pune-9 .*-30-00\+0530\.csv$/);
    // What programs read stays in UTC.
    expect(await readFile(await file.path(), "utf8")).toContain(
      iso(endMs - 3_600_000).slice(0, 19),
    );
    await page.getByRole("button", { name: "Show as a table" }).first().click();
    expect(await page.getByRole("rowheader").first().innerText()).toMatch(/:30:00 GMT\+5:30$/);
    expect(browser.wrong).toEqual([]);
  });

  it("the use of a machine has the days of its project, whatever zone is chosen", async () => {
    const page = await openPage("/utilisation?project=pune");
    await page.getByText("Days of the time zone of the project: Asia/Kolkata").waitFor();
    const today = new Intl.DateTimeFormat("en-GB", {
      ...{ timeZone: "Asia/Kolkata", weekday: "short", day: "numeric", month: "short" },
    }).format(Date.now());
    expect(await page.locator(".heat thead th").nth(-2).innerText()).toContain(today);
    expect(await page.locator(".heat thead th").count()).toBe(9);
  });

  it("a service was done at the time of the project that was typed", async () => {
    await askDemo(demo, "PUT", "/api/v1/equipment/assets/pune-1/maintenance-plan", {
      services: [{ item: "oil", name: "Oil", every_hours: 250 }],
      limits: [],
    });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const page = await openPage("/machines/pune-1/maintenance?project=pune", "Pacific/Auckland");
    await page.getByLabel("When it was done").fill(`${yesterday}T04:15`);
    const sending = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: "Record the service" }).click();
    const body: unknown = (await sending).postDataJSON();
    const before = new Date(Date.parse(`${yesterday}T04:15+05:30`)).toISOString();
    expect(body).toMatchObject({ item: "oil", serviced_at: before });
  });
});
