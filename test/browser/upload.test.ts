import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { writeHeapRaster } from "../support/heap-raster.ts";
import { PATIENT_MS } from "../support/patience.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import { surveySet } from "../support/survey-sets.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { startConsoleService } from "./support/console-service.ts";

const KEY = "upload-story-admin-key-0123456789abcdef";
const PROJECT = "north-yard";

describe.runIf(HAS_BROWSER)("the story of a flight", { timeout: 4 * PATIENT_MS }, () => {
  let dir: string;
  let service: ServiceProcess;
  let browser: ConsoleBrowser;
  let images: readonly string[];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "plumbline-upload-"));
    ({ images } = await surveySet({ images: 18, widthPx: 800 }, 0));
    service = await startConsoleService({ dataDir: join(dir, "data"), adminKey: KEY });
    await post("/projects", {
      ...{ id: PROJECT, name: "North yard", time_zone: "UTC" },
      location: { latitude: 52.52, longitude: 13.405 },
    });
    await post("/materials/stockpiles", {
      ...{ id: "gravel", project_id: PROJECT, material: "Gravel 8/16", location: "Box 2" },
      max_capacity_m3: 500,
    });
    browser = await ConsoleBrowser.launch(() => ({ origin: service.http, key: KEY }));
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await service?.end("SIGTERM");
    await rm(dir, { recursive: true, force: true });
  });

  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${service.http}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([response.status, response.ok]).toEqual([expect.any(Number), true]);
    return await response.json();
  }

  async function post(path: string, body: object): Promise<void> {
    const response = await fetch(`${service.http}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.text()]).toEqual([201, expect.any(String)]);
  }

  it("18 images are checked and sent, the page is closed, the job goes on, and ends with the volume and its interval", async () => {
    expect(images).toHaveLength(18);
    const context = await browser.context();
    const page = await browser.page(context, `/upload?project=${PROJECT}`);
    const files = page.getByLabel("Images, or one GeoTIFF of heights");
    await files.setInputFiles(images.slice(0, 3));
    await page.getByText("At least 5 images are needed").waitFor();
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    await files.setInputFiles([...images]);
    // The first three are there twice now.
    await page.getByText("18 files are ready to send").waitFor();
    await page.getByText("the same file is there already").waitFor();
    expect(await page.getByText("without a position").count()).toBe(0);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.waitForURL(/\/jobs\?.*job=/);
    await page.getByText("This page can be closed").waitFor();
    const { pathname, search } = new URL(page.url());
    await page.close();

    const again = await context.newPage();
    await again.goto(`${service.http}${pathname}${search}`);
    await again.getByText(/^[\d.,]+ m³ ± [\d.,]+ m³ \(95 %\)$/).waitFor();
    await again.getByRole("link", { name: "To the stockpile" }).waitFor();
    await again.getByText(/\d+ of 18 images used/).click();
    const small = again.locator(".fates img").first();
    await small.waitFor();
    await again.waitForFunction(
      "document.querySelector('.fates img').complete && document.querySelector('.fates img').naturalWidth === 160",
    );
    expect(browser.wrong).toEqual([]);
  });

  it("nothing is sent before it is known what for: the stockpiles are waited for, or asked for again", async () => {
    const context = await browser.context();
    let isRefused = true;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route("**/materials/stockpiles?*", async (route) => {
      if (isRefused) return await route.fulfill({ status: 503, json: {} });
      await held;
      await route.continue();
    });
    const page = await browser.page(context, `/upload?project=${PROJECT}`);
    const send = page.getByRole("button", { name: "Send", exact: true });
    const target = page.getByLabel("What it is for");
    await page
      .getByLabel("Images, or one GeoTIFF of heights")
      .setInputFiles(await writeHeapRaster(join(dir, "held.tif")));
    await page.getByText("1 file is ready to send").waitFor();
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
    await again.waitFor();
    expect(await send.isDisabled()).toBe(true);
    isRefused = false;
    await again.click();
    expect(await send.isDisabled()).toBe(true);
    expect(await target.isDisabled()).toBe(true);
    release();
    await expect.poll(() => send.isEnabled()).toBe(true);
    expect(await target.inputValue()).toBe("gravel");
  });

  it("a GeoTIFF of heights becomes a survey without a stockpile, and the job leads to its map", async () => {
    const raster = await writeHeapRaster(join(dir, "heights.tif"));
    const page = await browser.page(await browser.context(), `/upload?project=${PROJECT}`);
    await page.getByLabel("Images, or one GeoTIFF of heights").setInputFiles(raster);
    await page
      .getByLabel("What it is for")
      .selectOption("Only a survey: maps and heights, to measure on later");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("the flight was sent for its survey alone").waitFor();
    await page.getByRole("link", { name: "To the survey" }).click();
    await page.getByText("Flight for its survey alone").waitFor();
    await page.getByRole("button", { name: "Delete this survey" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete this survey" }).click();
    await page.waitForURL(/\/surveys(\?|$)/);
    await page.getByText(/newest first|No surveys/).waitFor();
    expect(await page.getByText("Flight for its survey alone").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("a flight that the quota has no room for is refused at once and leads to what the project has stored, where a larger quota is given, and then it is sent", async () => {
    const raster = await writeHeapRaster(join(dir, "refused.tif"));
    const only = "Only a survey: maps and heights, to measure on later";
    const page = await browser.page(await browser.context(), `/upload?project=${PROJECT}`);
    const begun: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().includes("/uploads")) begun.push("POST");
    });
    const usage = () => ask("GET", `/projects/${PROJECT}/storage`);
    // What is there stays, and nothing more fits.
    await ask("PUT", `/projects/${PROJECT}/storage`, { limit_mib: 0 });
    await page.getByLabel("Images, or one GeoTIFF of heights").setInputFiles(raster);
    await page.getByLabel("What it is for").selectOption(only);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const refused = page.getByRole("alert");
    await refused.getByText(/^The quota of the project has no room for this/).waitFor();
    // Not asked again and again for a minute, as a connection that broke is.
    expect(begun).toEqual(["POST"]);
    await refused.getByRole("link", { name: "What to do about it" }).click();
    await page.waitForURL(new RegExp(`/settings/projects/${PROJECT}`));
    const card = page.locator(".set-list > li");
    await card.getByRole("heading", { name: "North yard" }).waitFor();
    expect(await card.count()).toBe(1);
    await card.getByText(/^There is no room left/).waitFor();
    expect(await card.getByText(/ of 0 bytes?$/).count()).toBe(1);
    const bar = card.getByRole("meter", { name: "Stored files of North yard" });
    expect(await bar.getAttribute("value")).toBe("100");
    const surveys = card.getByRole("link", { name: "Surveys" });
    expect(await surveys.getAttribute("href")).toBe(`/surveys?project=${PROJECT}`);

    const change = card.getByRole("button", { name: "Change the quota: North yard" });
    await change.click();
    const quota = page.getByRole("dialog").getByLabel("Quota, MiB");
    await quota.fill("8,5");
    await page.getByRole("dialog").getByText("A whole number of MiB, or nothing.").waitFor();
    // Somebody else sets one meanwhile: both are shown.
    await ask("PUT", `/projects/${PROJECT}/storage`, { limit_mib: 1 });
    await quota.fill("20480");
    await quota.press("Enter");
    await page.getByRole("button", { name: "Save yours over it" }).click();
    await card.getByText(/ of 21 GB$/).waitFor();
    expect(await card.getByText(/^There is no room left/).count()).toBe(0);
    expect(await usage()).toMatchObject({ limit_bytes: 20_480 * 1_024 ** 2 });

    await page.goBack();
    await page.getByLabel("Images, or one GeoTIFF of heights").setInputFiles(raster);
    await page.getByLabel("What it is for").selectOption(only);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.waitForURL(/\/jobs\?.*job=/);
    await page.getByText("the flight was sent for its survey alone").waitFor();
    await ask("PUT", `/projects/${PROJECT}/storage`, { limit_mib: null });
    expect(browser.wrong).toEqual([]);
  });
});
