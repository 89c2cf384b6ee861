import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PATIENT_MS } from "../support/patience.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../support/survey-sets.ts";
import { type ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { createPile, measurePile, openSurveySite, type SurveySite } from "./support/survey-site.ts";

const run = promisify(execFile);
const IMAGES = 18;
/** A week apart, of a drone with RTK, so that a change of some cubic metres can be told. */
const flight = (epoch: number) => surveySet({ ...TINY_SURVEY, images: IMAGES, epoch }, 0);
/** As pages write a volume with its interval. */
const VOLUME = /^[\d.,]+ m³ ± [\d.,]+ m³ \(95 %\)$/;

interface Measurement {
  readonly measurement_id: string;
  readonly current_volume_m3: number;
  readonly uncertainty_95_m3: number;
  readonly change_m3: number;
  readonly significant: boolean | null;
}

describe.skipIf(!HAS_BROWSER)("the whole way of a flight in a browser", () => {
  let site: SurveySite;
  let browser: ConsoleBrowser;
  let earlier: string;
  let later: SurveySet;
  /** A place within the pile, near the first corner of its footprint, as longitude and latitude. */
  let inwards: readonly [number, number];

  beforeAll(async () => {
    site = await openSurveySite();
    ({ browser } = site);
    const first = await flight(1);
    later = await flight(2);
    const changeOf = (i: number) =>
      Math.abs((later.truth.piles[i]?.volumeM3 ?? 0) - (first.truth.piles[i]?.volumeM3 ?? 0));
    const order = first.truth.piles.map((_, i) => i).sort((a, b) => changeOf(b) - changeOf(a));
    // The pile that changes most from one flight to the other.
    const outline = first.truth.piles[order[0] ?? 0]?.outlineLonLat ?? [];
    inwards = inwardsOf(outline);
    await createPile(site, "gravel", "Gravel", outline);
    earlier = await measurePile(site, "gravel", site.images.show(first));
  }, 4 * PATIENT_MS);
  afterEach(() => browser.closeContexts());
  afterAll(() => site?.[Symbol.asyncDispose]());

  /** Drops files onto the middle of an element, as from the file manager. */
  async function drop(page: Page, selector: string, files: readonly string[]): Promise<void> {
    const box = await page.locator(selector).boundingBox();
    if (box === null) throw new Error(`${selector} has no place on the page`);
    const input = await page.context().newCDPSession(page);
    const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const data = { items: [], files: [...files], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
      await input.send("Input.dispatchDragEvent", { type, ...place, data });
    }
  }

  const history = async () =>
    (
      await site.api.get<{ data: readonly Measurement[] }>(
        "/materials/stockpiles/gravel/measurements",
      )
    ).data;

  it(
    "18 images are dropped and become a volume; its footprint is corrected, two dates are compared, and the sheet is printed",
    async () => {
      const context = await browser.context();
      const page = await browser.page(context, "/upload?project=yard");
      await drop(page, ".drop", later.images);
      await page.getByText(`${IMAGES} files are ready to send`).waitFor();
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.waitForURL(/\/jobs\?.*job=/);
      const job = page.url();
      await page.close();

      const again = await context.newPage();
      await again.goto(job);
      const said = plain(await again.getByText(VOLUME).innerText());
      const [measured] = await history();
      expect(await history()).toHaveLength(2);
      const interval = measured?.uncertainty_95_m3 ?? Number.NaN;
      const digits = interval < 10 ? 1 : 0;
      const format = new Intl.NumberFormat("en-GB", { maximumFractionDigits: digits });
      const written = (m3 = Number.NaN) => `${format.format(m3)} m³`;
      expect(said).toBe(`${written(measured?.current_volume_m3)} ± ${written(interval)} (95 %)`);
      await again.getByRole("link", { name: "To the stockpile" }).click();
      await again.getByRole("heading", { name: "Gravel, Bay 1" }).waitFor();
      await correctFootprint(again);

      await again.getByRole("link", { name: "The whole survey" }).click();
      await compareDates(again);
      await again.getByRole("link", { name: "The stockpile" }).click();
      const change = again.locator('dt:text-is("Last change") + dd');
      await change.waitFor();
      expect(measured?.significant).toBe(true);
      const changed = plain(await change.innerText());
      expect(changed).toMatch(/^-?[\d.,]+ m³ ± [\d.,]+ m³ \(95 %\)\. More than the uncertainty/);
      const printed = await printedText(again);
      for (const part of ["Project: Yard", "Gravel, Bay 1", said, changed]) {
        expect(printed).toContain(part);
      }
      expect(browser.wrong).toEqual([]);
    },
    6 * PATIENT_MS,
  );

  /** Moves a corner into the pile: figure and map follow before it is saved, and the footprint is stored. */
  async function correctFootprint(page: Page): Promise<void> {
    const canvas = page.locator(".maplibregl-canvas");
    await page.getByRole("button", { name: "Correct the footprint" }).click();
    const figure = page.getByRole("region", { name: "In this footprint" }).locator(".measure-main");
    const shown = async () => plain(await figure.first().innerText());
    await expect.poll(shown).toMatch(VOLUME);
    const whole = Number.parseFloat(await shown());
    const map = await stillPicture(page);
    const [x, y] = inwards;
    for (const [name, degrees] of [
      ["Latitude of corner 1", y],
      ["Longitude of corner 1", x],
    ] as const) {
      const field = page.getByLabel(name, { exact: true });
      await field.fill(degrees.toFixed(7));
      await field.press("Enter");
    }
    await expect.poll(async () => Number.parseFloat(await shown())).toBeLessThan(whole);
    await expect.poll(async () => (await canvas.screenshot()).equals(map)).toBe(false);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Correct the footprint" }).waitFor();
    const { footprint } = await site.api.get<{ footprint: readonly (readonly number[])[] }>(
      "/materials/stockpiles/gravel",
    );
    expect(footprint).toContainEqual([Number(y.toFixed(7)), Number(x.toFixed(7))]);
  }

  /** The map once two pictures of it are the same. */
  async function stillPicture(page: Page): Promise<Buffer> {
    const canvas = page.locator(".maplibregl-canvas");
    let last = await canvas.screenshot();
    await expect
      .poll(async () => {
        const next = await canvas.screenshot();
        const isStill = next.equals(last);
        last = next;
        return isStill;
      })
      .toBe(true);
    return last;
  }

  /** Chooses the earlier flight and moves the divider, at whose two sides are the two dates. */
  async function compareDates(page: Page): Promise<void> {
    await page.getByLabel("Compare with").selectOption(earlier);
    const divider = page.getByRole("slider", { name: "Divider between two surveys" });
    await divider.waitFor();
    const box = await page.locator(".swipe-box").boundingBox();
    if (box === null) throw new Error("the maps have no place on the page");
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width / 2, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, middle);
    await page.mouse.up();
    expect(Number(await divider.getAttribute("aria-valuenow"))).toBeCloseTo(25, -1);
    // A week lies between them.
    const dates = (await page.locator(".swipe-words").innerText()).match(/\d{1,2} May/g);
    expect(new Set(dates).size).toBe(2);
    const tile = page.waitForResponse((response) => response.url().includes("/change/"));
    await page.getByLabel("Show what changed between the two").check();
    expect((await tile).status()).toBe(200);
  }

  /** What paper shows: of the file where this machine reads such files, else of the page as it is printed. */
  async function printedText(page: Page): Promise<string> {
    const file = join(site.dir, "stockpile.pdf");
    await writeFile(file, await page.pdf({ format: "A4" }));
    expect((await readFile(file)).subarray(0, 5).toString()).toBe("%PDF-");
    await page.emulateMedia({ media: "print" });
    const text = await page.locator("body").innerText();
    const read = await run("pdftotext", ["-raw", file, "-"]).catch((error: { code?: unknown }) => {
      if (error.code === "ENOENT") return { stdout: text };
      throw error;
    });
    expect(text).not.toContain("Correct the footprint");
    return plain(read.stdout);
  }
});

/** From the first corner of an outline 40 % of the way to the mean of its corners. */
function inwardsOf(outline: readonly (readonly [number, number])[]): readonly [number, number] {
  const moved = (axis: 0 | 1) => {
    const mean = outline.reduce((sum, corner) => sum + corner[axis], 0) / outline.length;
    return 0.6 * (outline[0]?.[axis] ?? Number.NaN) + 0.4 * mean;
  };
  return [moved(0), moved(1)];
}

/** With the spaces that do not break as others. */
const plain = (text: string): string => text.replace(/\s+/g, " ");
