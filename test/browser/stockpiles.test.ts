import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import { seriousFindings } from "./support/axe.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { startConsoleService } from "./support/console-service.ts";
import { heapSurface } from "./support/heap-surface.ts";

const ADMIN_KEY = "browser-admin-key-of-at-least-32-characters";
const SECRET = "Secret quarry";

interface Pile {
  readonly id: string;
  readonly current_volume_m3: number;
  readonly uncertainty_95_m3?: number;
  readonly volume_basis: string;
  readonly footprint_status: string;
  readonly footprint?: readonly (readonly number[])[];
}
interface Measured {
  readonly measurement_id: string;
}

describe.skipIf(!HAS_BROWSER)("stockpiles of the web console in a browser", () => {
  let dataDir: string;
  let service: ServiceProcess;
  let api: ApiClient;
  let browser: ConsoleBrowser;

  const pileOf = (id: string) => api.get<Pile>(`/materials/stockpiles/${id}`);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "plumbline-stockpiles-"));
    service = await startConsoleService({ dataDir, adminKey: ADMIN_KEY });
    api = createApiClient(service.http, ADMIN_KEY);
    const location = { latitude: 52.52, longitude: 13.4 };
    await api.post("/projects", { id: "yard", name: "North yard", location });
    await api.post("/projects", { id: "quarry", name: SECRET, location });
    const pile = (id: string, project_id: string, material: string, more: object = {}) =>
      api.post("/materials/stockpiles", {
        ...{ id, project_id, material, location: "Bay 1", max_capacity_m3: 1_000, ...more },
      });
    await pile("gravel", "yard", "Gravel 8/16", { density_t_per_m3: 1.6 });
    await pile("sand", "yard", "=Sand 0/2");
    await pile("ore", "quarry", SECRET, { current_volume_m3: 400 });
    for (const [radius, height] of [
      [9, 5],
      [10, 6],
    ] as const) {
      await api.post<Measured>("/materials/stockpiles/gravel/measure", {
        images: [await heapSurface(radius, height)],
      });
    }
    browser = await ConsoleBrowser.launch(() => ({ origin: service.http, key: ADMIN_KEY }));
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await service?.end("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
  });

  it("the list shows a measured figure with its interval, and unknown where nothing was said; CSV has no formula", async () => {
    const page = await browser.page(await browser.context(), "/stockpiles?project=yard");
    const card = page.locator(".pile-card").filter({ hasText: "Gravel 8/16" });
    await card.getByText("± ").first().waitFor();
    const { current_volume_m3, uncertainty_95_m3 = 0 } = await pileOf("gravel");
    const text = await card.innerText();
    const decimals = uncertainty_95_m3 < 10 ? 1 : 0;
    expect(text).toContain(
      `${current_volume_m3.toFixed(decimals)} m³ ± ${uncertainty_95_m3.toFixed(decimals)} m³`,
    );
    expect(uncertainty_95_m3).toBeGreaterThan(0);
    expect(text).toContain("measured");
    expect(text).toContain("footprint proposed");
    const empty = page.locator(".pile-card").filter({ hasText: "=Sand 0/2" });
    expect(await empty.innerText()).toContain("neither measured nor declared");
    expect(await empty.innerText()).not.toMatch(/(^|\s)0 m³/);
    expect(await seriousFindings(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const csv = await readFile(await download.path(), "utf8");
    expect(csv).toMatch(/^gravel,yard,Gravel 8\/16,Bay 1,\d+/m);
    expect(csv).toMatch(/^sand,yard,'=Sand 0\/2,Bay 1,,,,1000,,none,false,,none/m);
    await page.getByRole("button", { name: "As a table" }).click();
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("button", { name: /^Volume/ }).click();
    // What is not known comes last.
    expect(await page.locator("tbody tr").last().innerText()).toContain("=Sand 0/2");
    expect(browser.wrong).toEqual([]);
  });

  it("a measured stockpile shows its change, its history as a table, its layers, and its files", async () => {
    const context = await browser.context();
    const relief = context.waitForEvent("response", {
      predicate: (response) => response.url().includes("/hillshade/"),
    });
    const page = await browser.page(context, "/stockpiles/gravel");
    expect((await relief).status()).toBe(200);
    await page.getByText("More than the uncertainty explains").waitFor();
    await page.getByRole("button", { name: "Show as a table" }).click();
    await expect.poll(() => page.locator(".pile-history-table tbody tr").count()).toBe(2);
    expect(await page.locator(".pile-line").count()).toBe(1);
    expect(await page.locator(".pile-history-table tbody").innerText()).toContain(
      "nothing: the first",
    );
    await page.getByText("This survey has no orthophoto").waitFor();
    const [heights] = await Promise.all([
      page.waitForResponse((response) => response.url().includes("/heights/")),
      page.getByLabel("Heights in colours", { exact: true }).check(),
    ]);
    expect(heights.status()).toBe(200);
    await page.getByText("(dark) to").waitFor();
    await page.getByLabel("Opacity, percent").fill("50");
    expect(await seriousFindings(page)).toEqual([]);
    const report = await page
      .getByRole("link", { name: "Report to read and print" })
      .getAttribute("href");
    expect((await fetch(report ?? "")).status).toBe(200);
    await page.getByText("No fence belongs to this stockpile").waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    // What is wider than the page, if it scrolls sideways.
    const tooWide = `document.documentElement.scrollWidth <= 320 ? [] : Array.from(document.querySelectorAll("main *"))
      .filter((one) => one.getBoundingClientRect().right > 320)
      .map((one) => one.tagName + "." + one.getAttribute("class"))`;
    await expect.poll(() => page.evaluate(tooWide)).toEqual([]);
    expect(browser.wrong).toEqual([]);
  });

  it("a proposed footprint is corrected by the table and confirmed by a button", async () => {
    const page = await browser.page(await browser.context(), "/stockpiles/gravel");
    await page.getByRole("button", { name: "Confirm the footprint" }).click();
    await page.getByText("footprint confirmed").waitFor();
    expect((await pileOf("gravel")).footprint_status).toBe("confirmed");
    const before = (await pileOf("gravel")).footprint ?? [];
    await page.getByRole("button", { name: "Correct the footprint" }).click();
    await page.locator(".corners tbody tr").first().waitFor();
    // Somebody else changes it meanwhile: both versions are shown.
    await fetch(`${service.http}/api/v1/materials/stockpiles/gravel`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ location: "Bay 2" }),
    });
    await page.getByRole("button", { name: "Insert a corner after corner 1" }).first().click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody changed this stockpile meanwhile").waitFor();
    await page.getByRole("button", { name: "Save yours over it" }).click();
    await page.getByRole("button", { name: "Correct the footprint" }).waitFor();
    expect(((await pileOf("gravel")).footprint ?? []).length).toBe(before.length + 1);
    // The volume is not of what is drawn now, and the page and its print say so.
    await page
      .getByText("with the footprint or the base as it was before: measure again")
      .waitFor();
  });

  it("a declared volume becomes the figure, and is called declared", async () => {
    const page = await browser.page(await browser.context(), "/stockpiles/sand");
    await page.getByRole("button", { name: "Declare a volume" }).click();
    await page.getByLabel("Volume, m³").fill("120");
    await page.locator("dialog").getByRole("button", { name: "Declare a volume" }).click();
    await page.getByText("120 m³, without an interval").first().waitFor();
    await page.getByText("declared by a person").first().waitFor();
    await page.locator(".pile-hollow").waitFor();
    expect(await pileOf("sand")).toMatchObject({
      current_volume_m3: 120,
      volume_basis: "declared",
    });
  });

  it("capacity, shares, base and fence are put right over nobody's change, and what is wrong is said at its field", async () => {
    await api.post("/equipment/geofences", {
      ...{ id: "bay", project_id: "yard", name: "Bay <b>one", kind: "zone" },
      polygon: [
        [52.52, 13.4],
        [52.52, 13.401],
        [52.521, 13.401],
      ],
    });
    await api.post("/materials/stockpiles", {
      ...{ id: "chips", project_id: "yard", material: "Chips", location: "Bay 7" },
      ...{ max_capacity_m3: 100, current_volume_m3: 30 },
    });
    const page = await browser.page(await browser.context(), "/stockpiles/chips");
    const facts = page.getByRole("region", { name: "What it is" });
    await facts.getByText("empty below 2%, low below 20%, full from 95%").waitFor();
    await facts.getByRole("button", { name: "Change…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Low below, %").fill("40");
    await dialog.getByLabel("Capacity, m³").fill("0");
    await dialog.getByLabel("Volume is above").selectOption("level");
    const save = dialog.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await dialog.getByText("Nothing was sent").waitFor();
    expect(await dialog.getByLabel("Capacity, m³").getAttribute("aria-invalid")).toBe("true");
    await dialog.getByLabel("Level, m").fill("-1,5");
    await dialog.getByLabel("Capacity, m³").fill("120");
    await dialog.getByLabel("Fence of its loads").selectOption("bay");
    // Somebody else says where it lies meanwhile.
    const moved = await fetch(`${service.http}/api/v1/materials/stockpiles/chips`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ location: "Bay 8" }),
    });
    expect(moved.status).toBe(200);
    await save.click();
    await dialog.locator(".versions").getByText("Bay 8").waitFor();
    await dialog.getByRole("button", { name: "Save yours over it" }).click();
    await dialog.waitFor({ state: "detached" });
    await facts.getByText("Bay <b>one").waitFor();
    await facts.getByText("a level (-1.5 m)").waitFor();
    expect(await pileOf("chips")).toMatchObject({
      ...{ max_capacity_m3: 120, geofence_id: "bay", status: "low" },
      thresholds: { empty_percent: 2, low_percent: 40, full_percent: 95 },
      base: { method: "level", height_m: -1.5 },
    });
    expect(await seriousFindings(page)).toEqual([]);

    await facts.getByRole("button", { name: "Remove…" }).click();
    await dialog.getByRole("button", { name: "Remove the stockpile" }).click();
    await page.waitForURL(/\/stockpiles(\?|$)/);
    await page.locator(".pile-card").first().waitFor();
    await expect.poll(() => page.locator(".pile-card", { hasText: "Chips" }).count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("a new stockpile is made with corners that are typed", async () => {
    const page = await browser.page(await browser.context(), "/stockpiles?project=yard");
    await page.getByRole("button", { name: "New stockpile" }).click();
    for (const pair of ["52.52, 13.4", "52.52, 13.4003", "52.5202, 13.4003"]) {
      await page.getByLabel("Latitude", { exact: true }).fill(pair);
      await page.getByRole("button", { name: "Add corner" }).click();
    }
    await page.getByLabel("Material", { exact: true }).fill("Topsoil");
    await page.getByLabel("Place", { exact: true }).fill("Bay 3");
    await page.getByLabel("Capacity, m³").fill("500");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const card = page.locator(".pile-card").filter({ hasText: "Topsoil" });
    await card.waitFor();
    expect(await card.innerText()).toContain("neither measured nor declared");
  });

  it("a key of one project sees nothing of another, and has no button for what it may not do", async () => {
    const { key } = await api.post<{ key: string }>("/keys", {
      ...{ name: "Yard reader", scopes: ["materials:read"], project_ids: ["yard"] },
    });
    const served = { origin: service.http, key };
    const page = await browser.page(await browser.context(), "/stockpiles", served);
    await page.locator(".pile-card").first().waitFor();
    expect(await page.locator("body").innerText()).not.toContain(SECRET);
    expect(await page.getByRole("button", { name: "Declare" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "New stockpile" }).count()).toBe(0);
    await page.goto(`${service.http}/stockpiles/ore`);
    await page.getByRole("alert").first().waitFor();
    expect(await page.locator("body").innerText()).not.toContain(SECRET);
    await page.goto(`${service.http}/stockpiles/gravel`);
    await page.getByText("Loads need a key with equipment:read").waitFor();
    expect(await page.getByRole("button", { name: "Correct the footprint" }).count()).toBe(0);
  });
});
