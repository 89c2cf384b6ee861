import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PATIENT_MS } from "../support/patience.ts";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.ts";
import { type RunningDemo, startDemo } from "./running-demo.ts";

const executablePath = findChromium();
/** Machines of the demo. */
const FLEET = 20;

describe.skipIf(executablePath === undefined)("the web console in a browser", () => {
  let demo: RunningDemo;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  /** What no page may do: break its content security policy, throw, or ask another server. */
  const wrong: string[] = [];

  beforeAll(async () => {
    demo = await startDemo();
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: CHROMIUM_FLAGS });
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.[Symbol.asyncDispose]();
  });

  async function openContext(width = 1280): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      locale: "en-GB",
    });
    context.setDefaultTimeout(PATIENT_MS);
    contexts.push(context);
    context.on("weberror", (error) => wrong.push(String(error.error())));
    context.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) wrong.push(message.text());
    });
    context.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(demo.origin)) {
        wrong.push(request.url());
      }
    });
    return context;
  }

  /** A page whose session the demo's link opened, at a path. */
  async function openPage(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${demo.origin}${path}#key=${demo.key}`);
    await page.getByRole("navigation").waitFor();
    return page;
  }

  const rowsOf = (page: Page) => page.locator("tbody tr").count();
  const speedsOf = async (page: Page) => (await page.locator("tbody td").allTextContents()).join();

  it("the link of the demo logs in, and its key does not stay in the address", async () => {
    const page = await (await openContext()).newPage();
    await page.goto(demo.link);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByText(`${FLEET} machines`).waitFor();
    expect(page.url()).toBe(`${demo.origin}/`);
    expect(wrong).toEqual([]);
  });

  it("the map draws in its own files alone, and has every machine as a list beside it", async () => {
    const page = await openPage(await openContext(), "/map");
    await page.locator(".maplibregl-canvas").waitFor();
    await page
      .locator(".machine-row")
      .nth(FLEET - 1)
      .waitFor();
    // The first machines placed the camera, and the address says where.
    await expect.poll(() => page.url()).toMatch(/at=50\.\d+,9\.\d+,/);
    await page.locator(".machine-row").first().click();
    expect(await page.locator(".machine-card").textContent()).toMatch(/reported|assumed/);
    expect(page.url()).toContain("asset=");
    expect(wrong).toEqual([]);
  });

  it("two tabs share one stream, and the second goes on when the first is closed", async () => {
    const context = await openContext();
    const streams: string[] = [];
    context.on("request", (request) => {
      if (request.url().includes("/api/v1/live")) streams.push(request.url());
    });
    const first = await openPage(context, "/machines");
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
    expect(wrong).toEqual([]);
  });

  it("alerts are acknowledged with a note, which is never markup", async () => {
    const page = await openPage(await openContext(), "/alerts");
    await page.locator("main summary").click();
    await page.locator(".choices input").first().check();
    await page.getByLabel("Note (optional)").fill("seen <img src=x onerror=alert(1)>");
    await page.getByRole("button", { name: "Acknowledge 1 alert" }).click();
    await page.getByText("seen <img src=x onerror=alert(1)>").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  it("a session that has ended asks for a key and goes on at the same place", async () => {
    const context = await openContext();
    const page = await openPage(context, "/machines?project=site-a");
    await expect.poll(() => rowsOf(page)).toBe(FLEET);
    await context.clearCookies();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("The session has ended").waitFor();
    await page.getByLabel("API key").fill(demo.key);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).toBe(`${demo.origin}/?project=site-a`);
  });

  it.each([
    "/",
    "/map",
    "/machines",
    "/alerts",
    "/no-such-page",
  ])("%s fits a screen of 320 pixels without sideways scrolling", async (path) => {
    const page = await openPage(await openContext(320), path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  });
});
