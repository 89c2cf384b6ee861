import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

/** Machines of the demo. */
const FLEET = 20;

describe.skipIf(!HAS_BROWSER)("the web console in a browser", () => {
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

  const rowsOf = (page: Page) => page.locator("tbody tr").count();
  const speedsOf = async (page: Page) => (await page.locator("tbody td").allTextContents()).join();

  it("the link of the demo logs in, and its key does not stay in the address", async () => {
    const page = await (await browser.context()).newPage();
    await page.goto(demo.link);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByText(`${FLEET} machines`, { exact: true }).waitFor();
    await expect.poll(() => page.url()).toBe(`${demo.origin}/`);
    expect(browser.wrong).toEqual([]);
  });

  it("a link whose key is not taken says so at the log-in", async () => {
    const page = await (await browser.context()).newPage();
    await page.goto(`${demo.origin}/map#key=not-a-key`);
    await page.getByRole("alert").getByText("not").waitFor();
    await page.getByLabel("API key").waitFor();
    expect(page.url()).toBe(`${demo.origin}/map`);
    expect(browser.wrong).toEqual([]);
  });

  it("the map draws in its own files alone, and has every machine as a list beside it", async () => {
    const page = await browser.page(await browser.context(), "/map");
    await page.locator(".maplibregl-canvas").waitFor();
    await page
      .locator(".machine-row")
      .nth(FLEET - 1)
      .waitFor();
    // The first machines placed the camera, and the address says where.
    await expect.poll(() => page.url()).toMatch(/at=50\.\d+,9\.\d+,/);
    await page.locator(".machine-row").first().click();
    const card = page.locator(".machine-card");
    await expect.poll(() => card.textContent()).toMatch(/reported|assumed/);
    await expect.poll(() => page.url()).toContain("asset=");
    expect(browser.wrong).toEqual([]);
  });

  it("machines are filtered by type and status on the map and in the table, as the address says", async () => {
    const page = await browser.page(await browser.context(), "/map");
    const rows = page.locator(".machine-row");
    await rows.nth(FLEET - 1).waitFor();
    await page.getByLabel("Type").selectOption("excavator");
    const offered = await page.getByLabel("Type").locator("option:checked").textContent();
    const excavators = Number(/\((\d+)\)/.exec(offered ?? "")?.[1]);
    expect(excavators).toBeGreaterThan(0);
    expect(excavators).toBeLessThan(FLEET);
    await expect.poll(() => rows.count()).toBe(excavators);
    await page.getByText(`${excavators} of ${FLEET} machines match`).waitFor();
    await page.getByLabel("Status").selectOption("maintenance");
    await expect.poll(() => rows.count()).toBe(0);
    await expect
      .poll(() => new URL(page.url()).search)
      .toContain("type=excavator&status=maintenance");
    await page.goto(`${demo.origin}/machines?type=excavator`);
    await expect.poll(() => rowsOf(page)).toBe(excavators);
    await page.getByRole("button", { name: "Reset the filter" }).click();
    await expect.poll(() => rowsOf(page)).toBe(FLEET);
    await expect.poll(() => page.url()).toBe(`${demo.origin}/machines`);
    expect(browser.wrong).toEqual([]);
  });

  it("two tabs share one stream, and the second goes on when the first is closed", async () => {
    const context = await browser.context();
    const streams: string[] = [];
    context.on("request", (request) => {
      if (request.url().includes("/api/v1/live")) streams.push(request.url());
    });
    const first = await browser.page(context, "/machines");
    await first.locator(".live-bar").waitFor({ state: "detached" });
    const second = await context.newPage();
    await second.goto(`${demo.origin}/machines`);
    await second.locator(".live-bar").waitFor({ state: "detached" });
    await expect.poll(() => rowsOf(second)).toBe(FLEET);
    expect(streams).toHaveLength(1);
    await first.close();
    await expect.poll(() => streams.length).toBe(2);
    const before = await speedsOf(second);
    await expect.poll(() => speedsOf(second)).not.toBe(before);
    expect(browser.wrong).toEqual([]);
  });

  it("alerts are acknowledged with a note, which is never markup", async () => {
    const page = await browser.page(await browser.context(), "/alerts");
    await page.locator("main summary").click();
    await page.locator(".choices input").first().check();
    await page.getByLabel("Note (optional)").fill("seen <img src=x onerror=alert(1)>");
    await page.getByRole("button", { name: "Acknowledge 1 alert" }).click();
    await page.getByText("seen <img src=x onerror=alert(1)>").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("a session that has ended asks for a key and goes on at the same place", async () => {
    const context = await browser.context();
    const page = await browser.page(context, "/machines?project=site-a");
    await expect.poll(() => rowsOf(page)).toBe(FLEET);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    // The page finds it out by whichever of its lists it reads next, which may be before any press on a link.
    await context.clearCookies();
    await page.getByText("The session has ended").waitFor();
    await page.getByLabel("API key").fill(demo.key);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await expect.poll(() => page.url()).toBe(`${demo.origin}/?project=site-a`);
  });
});
