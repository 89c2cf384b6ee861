import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ApiClient } from "../support/api-client.ts";
import { SITE } from "../support/heap-survey.ts";
import { seriousFindings } from "./support/axe.ts";
import { type ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { measureHeapTwice, openSurveySite, type SurveySite } from "./support/survey-site.ts";

/** Degrees of a metre at the site. */
const [NORTH, EAST] = [1 / 111_270, 1 / 67_850] as const;

type Pair = readonly [latitude: number, longitude: number];
/** A place of the site, metres east and north of the heap's middle. */
const at = (east: number, north: number): Pair => [
  Number((SITE.latDeg + north * NORTH).toFixed(7)),
  Number((SITE.lonDeg + east * EAST).toFixed(7)),
];
/** A square around the heap, whose toe is at 6 m. */
const SQUARE = [at(-7.5, -7.5), at(7.5, -7.5), at(7.5, 7.5), at(-7.5, 7.5)];

interface Volume {
  readonly net_m3: number;
  readonly uncertainty_95_m3: number;
  readonly cut_m3: number;
  readonly fill_m3: number;
  readonly warnings: readonly string[];
  readonly accuracy_basis: "survey" | "surface";
}
interface Pile {
  readonly id: string;
  readonly material: string;
  readonly footprint?: readonly Pair[];
  readonly volume_basis: string;
}

const number = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });
/** As the page writes volumes: to a tenth below 100 m³, and never 0 for what is not 0. */
function cubic(m3: number): string {
  if (m3 !== 0 && Math.abs(m3) < 0.05) return m3 > 0 ? "under 0.1 m³" : "below 0, by less than";
  const digits = Math.abs(m3) < 100 ? 1 : 0;
  return `${new Intl.NumberFormat("en-GB", { maximumFractionDigits: digits }).format(m3)} m³`;
}

/** As pages write a volume of 1 m³ or more with its interval: both to a tenth where the interval is below 10 m³. */
function within(m3: number, intervalM3: number): string {
  const digits = intervalM3 < 10 ? 1 : 0;
  const format = new Intl.NumberFormat("en-GB", { maximumFractionDigits: digits });
  return `${format.format(m3)} m³ ± ${format.format(intervalM3)} m³ (95 %)`;
}

describe.skipIf(!HAS_BROWSER)("measuring by hand in a browser", () => {
  let site: SurveySite;
  let api: ApiClient;
  let browser: ConsoleBrowser;
  let newest: string;
  let earlier: string;

  beforeAll(async () => {
    site = await openSurveySite();
    ({ api, browser } = site);
    [newest, earlier] = await measureHeapTwice(site);
  });
  afterEach(() => browser.closeContexts());
  afterAll(() => site?.[Symbol.asyncDispose]());

  const panelOf = (page: Page) => page.getByRole("region", { name: "Measure", exact: true });

  /** Chooses a tool and types its corners, with no other device than the keyboard. */
  async function typeCorners(page: Page, tool: string, corners: readonly Pair[]): Promise<void> {
    await panelOf(page).getByRole("button", { name: tool, exact: true }).focus();
    await page.keyboard.press("Enter");
    const field = panelOf(page).getByLabel("Latitude", { exact: true });
    await field.focus();
    for (const corner of corners) {
      await page.keyboard.type(corner.join(", "));
      await page.keyboard.press("Enter");
    }
  }

  const fact = (page: Page, name: string) =>
    panelOf(page).locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]");

  /** Waits until the page shows the figures of a volume, all of them. */
  async function showsVolume(page: Page, volume: Volume): Promise<void> {
    const { net_m3, uncertainty_95_m3, cut_m3, fill_m3 } = volume;
    const net = within(net_m3, uncertainty_95_m3);
    await expect.poll(() => fact(page, "Net volume").innerText()).toBe(net);
    expect(await fact(page, "Cut (above").innerText()).toContain(cubic(cut_m3));
    expect(await fact(page, "Fill (below").innerText()).toContain(cubic(fill_m3));
  }

  it("the volume follows a footprint that is corrected, marked as a preview, and nothing is saved", async () => {
    const page = await browser.page(await browser.context(), "/stockpiles/gravel");
    const before = await api.get<Pile>("/materials/stockpiles/gravel");
    await page.getByRole("button", { name: "Correct the footprint" }).click();
    const preview = page.getByRole("region", { name: "In this footprint" });
    await preview.getByText("Preview, not saved").waitFor();
    const figure = preview.locator(".measure-main").first();
    const shows = async (footprint: readonly Pair[]) => {
      const path = "/materials/stockpiles/gravel/preview-volume";
      const { net_m3, uncertainty_95_m3 } = await api.post<Volume>(path, { footprint });
      await expect.poll(() => figure.innerText()).toBe(within(net_m3, uncertainty_95_m3));
      return net_m3;
    };
    const corners = before.footprint ?? [];
    const whole = await shows(corners);
    // A corner that is moved into the heap takes a part of it away.
    const moved = [at(4, 0), ...corners.slice(1)];
    const [latitude, longitude] = moved[0] ?? [0, 0];
    const field = page.getByLabel("Latitude of corner 1", { exact: true });
    await field.fill(String(latitude));
    await field.press("Enter");
    const other = page.getByLabel("Longitude of corner 1", { exact: true });
    await other.fill(String(longitude));
    await other.press("Enter");
    expect(await shows(moved)).toBeLessThan(whole);
    await preview.getByText("What the preview rests on").click();
    await preview.getByText("Cut (above the base)").waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    expect((await api.get<Pile>("/materials/stockpiles/gravel")).footprint).toEqual(
      before.footprint,
    );
    await page.getByRole("button", { name: "Draw a section" }).click();
    await page.getByText(/^Heights from .+ to 46(\.\d+)? m\.$/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(browser.wrong).toEqual([]);
  });

  it("by keyboard alone a volume has the figures of the API above each base, and becomes a stockpile", async () => {
    const page = await browser.page(await browser.context(), `/surveys/${newest}`);
    await typeCorners(page, "Volume", SQUARE);
    const measure = (base: object) =>
      api.post<Volume>(`/surveys/${newest}/volume`, { footprint: SQUARE, base });
    const plane = await measure({ method: "plane" });
    await showsVolume(page, plane);
    expect(plane.uncertainty_95_m3).toBeGreaterThan(0);
    const panel = panelOf(page);
    for (const warning of plane.warnings) await panel.getByText(warning).waitFor();
    expect(await fact(page, "Basis").innerText()).toContain(
      plane.accuracy_basis === "survey" ? "what this survey left uncertain" : "1 % is assumed",
    );

    await panel.getByLabel("Above", { exact: true }).selectOption("tin");
    await showsVolume(page, await measure({ method: "tin" }));
    await panel.getByLabel("Above", { exact: true }).selectOption("level");
    await panel.getByText("Say first what the volume is above").waitFor();
    await panel.getByLabel("Level, m").fill("43");
    const level = await measure({ method: "level", height_m: 43 });
    // The ground lies at 42 m: around the heap the surface is below the level.
    expect(level.fill_m3).toBeGreaterThan(50);
    await showsVolume(page, level);
    await panel.getByLabel("Above", { exact: true }).selectOption("survey");
    await panel.getByLabel("Above which survey").selectOption(earlier);
    await showsVolume(page, await measure({ method: "survey", survey_id: earlier }));
    expect(await seriousFindings(page)).toEqual([]);

    await panel.getByRole("button", { name: "Make it a stockpile" }).focus();
    await page.keyboard.press("Enter");
    await panel.getByLabel("Material", { exact: true }).fill("Sand");
    await panel.getByLabel("Place", { exact: true }).fill("Bay 9");
    await panel.getByLabel("Capacity, m³").fill("400");
    await page.keyboard.press("Enter");
    await panel.getByRole("link", { name: "Go to Sand, Bay 9" }).click();
    await page.getByRole("heading", { name: "Sand, Bay 9" }).waitFor();
    const { data } = await api.get<{ data: readonly Pile[] }>(
      "/materials/stockpiles?project_id=yard",
    );
    const made = data.find(({ material }) => material === "Sand");
    expect(made?.volume_basis).toBe("none");
    for (const corner of SQUARE) expect(made?.footprint).toContainEqual(corner);
    expect(browser.wrong).toEqual([]);
  });

  it("a height has an interval that is said not to be known, and a section has its gap", async () => {
    const page = await browser.page(await browser.context(), `/surveys/${newest}`);
    const place = at(1, 0);
    await typeCorners(page, "Height", [place]);
    const { height_m } = await api.get<{ height_m: number }>(
      `/surveys/${newest}/height?at=${place.join(",")}`,
    );
    await expect
      .poll(() => panelOf(page).locator(".measure-main").innerText())
      .toBe(`${number.format(height_m)} m, interval not known`);

    const line = [at(0, 0), at(30, 0)];
    await typeCorners(page, "Distance and section", line);
    const profile = await api.get<{
      length_m: number;
      points: readonly { height_m: number | null }[];
    }>(`/surveys/${newest}/profile?from=${line[0]}&to=${line[1]}&max_points=201`);
    // The surface ends 12.5 m from the heap.
    expect(profile.points.some(({ height_m: height }) => height === null)).toBe(true);
    await expect
      .poll(() => fact(page, "Length in plan").innerText())
      .toContain(`${number.format(profile.length_m)} m, interval not known`);
    expect(await fact(page, "Rise from start").innerText()).toContain("not known");
    await page.getByText(/^Heights from .+ the survey has no heights\.$/).waitFor();
    await panelOf(page).getByRole("button", { name: "Show as a table" }).click();
    const rows = panelOf(page).locator(".section-table tbody tr");
    await expect.poll(() => rows.count()).toBe(profile.points.length);
    expect(await rows.last().innerText()).toContain("no height");
    expect(browser.wrong).toEqual([]);
  });

  it("a place outside of the survey is a failure in words, and no height of 0", async () => {
    const page = await browser.page(await browser.context(), `/surveys/${newest}`);
    await typeCorners(page, "Height", [at(30, 0)]);
    await panelOf(page).getByText("The survey has no height at").waitFor();
    expect(await panelOf(page).locator(".measure-main").count()).toBe(0);
  });

  it("a polygon is drawn with the mouse, and its area is that of the service's volume", async () => {
    const page = await browser.page(await browser.context(), `/surveys/${newest}`);
    await panelOf(page).getByRole("button", { name: "Volume", exact: true }).click();
    const canvas = page.locator(".maplibregl-canvas");
    const box = await canvas.boundingBox();
    if (box === null) throw new Error("the map has no place on the page");
    const asked = page.waitForResponse((response) => response.url().endsWith("/volume"));
    await panelOf(page).getByRole("button", { name: "Rectangle" }).click();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await expect
      .poll(async () => {
        await page.mouse.click(x - 200, y - 200);
        await page.mouse.move(x, y);
        await page.mouse.click(x + 200, y + 200);
        return await panelOf(page).locator(".corners tbody tr").count();
      })
      .toBe(4);
    await showsVolume(page, (await (await asked).json()) as Volume);
    expect(browser.wrong).toEqual([]);
  });

  it("on a phone a place is set by a finger, and nothing is wider than the page", async () => {
    const context = await browser.context({
      width: 390,
      height: 844,
      hasTouch: true,
      theme: "dark",
    });
    const page = await browser.page(context, `/surveys/${newest}`);
    await panelOf(page).getByRole("button", { name: "Height", exact: true }).click();
    const canvas = page.locator(".maplibregl-canvas");
    const height = panelOf(page).locator(".measure-main");
    await expect
      .poll(async () => {
        await canvas.scrollIntoViewIfNeeded();
        const box = await canvas.boundingBox();
        if (box !== null) {
          await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
        }
        // A second tap within 0.3 s is one of two, which zoom in.
        return await height.waitFor({ timeout: 1_000 }).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    expect(await height.innerText()).toMatch(/^4[2-6]/);
    await typeCorners(page, "Volume", SQUARE);
    await fact(page, "Net volume").waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    const tooWide = `document.documentElement.scrollWidth <= 320 ? [] : Array.from(document.querySelectorAll("main *"))
      .filter((one) => one.getBoundingClientRect().right > 320)
      .map((one) => one.tagName + "." + one.getAttribute("class"))`;
    await expect.poll(() => page.evaluate(tooWide)).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
  });
});
