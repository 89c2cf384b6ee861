import { WebIO } from "@gltf-transform/core";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { HEAP_FOOTPRINT } from "../support/heap-survey.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { surveySet, TINY_SURVEY } from "../support/survey-sets.ts";
import { seriousFindings } from "./support/axe.ts";
import { type ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { glCounts, WATCH_GL, WITHOUT_GL } from "./support/gl-watch.ts";
import {
  createPile,
  measurePile,
  openSurveySite,
  type SurveySite,
  showHeap,
} from "./support/survey-site.ts";

/** A cone: its height over its radius of 6 m is its slope. */
const HEAP_M = 4.2;
const VISITS = 20;

interface Survey {
  readonly products: { readonly model_3d_url: string };
}

describe.skipIf(!HAS_BROWSER)("surveys in three dimensions", { timeout: 2 * PATIENT_MS }, () => {
  let site: SurveySite;
  let browser: ConsoleBrowser;
  /** Of photographs, and of a given surface without colours. */
  let flown: string;
  let heap: string;

  beforeAll(async () => {
    site = await openSurveySite();
    ({ browser } = site);
    const set = await surveySet(TINY_SURVEY);
    await createPile(site, "sand", "sand", set.truth.piles[0]?.outlineLonLat ?? []);
    flown = await measurePile(site, "sand", site.images.show(set));
    await createPile(site, "gravel", "gravel", HEAP_FOOTPRINT);
    heap = await measurePile(site, "gravel", [await showHeap(site, HEAP_M)]);
  }, 2 * PATIENT_MS);
  afterEach(() => browser.closeContexts());
  afterAll(() => site?.[Symbol.asyncDispose]());

  const shown = (page: Page) => page.getByRole("heading", { name: "In words" }).waitFor();
  const factOf = (page: Page, name: string) =>
    page.locator(`dt:text-is("${name}") + dd`).innerText();

  it("a model is upright, in the colours of its photographs, and turned by keys and buttons", async () => {
    const page = await browser.page(await browser.context(), `/surveys/${flown}`);
    await page.getByRole("link", { name: "3D view" }).click();
    await shown(page);
    const view = page.getByRole("application");
    await view.focus();
    const directions: string[] = [];
    for (const key of ["2", "3", "4", "5", "1"]) {
      await page.keyboard.press(key);
      await expect.poll(() => view.getAttribute("aria-label")).not.toBe(directions.at(-1));
      directions.push((await view.getAttribute("aria-label")) ?? "");
    }
    expect(directions.map((label) => /Looking (\S+)\.$/.exec(label)?.[1])).toEqual([
      ...["north", "west", "south", "east"],
      "north",
    ]);
    const { products } = await site.api.get<Survey>(`/surveys/${flown}`);
    const glb = await (await fetch(products.model_3d_url)).arrayBuffer();
    const [texture] = (await new WebIO().readBinary(new Uint8Array(glb))).getRoot().listTextures();
    const photographed = await meanColour(Buffer.from(texture?.getImage() ?? []));
    const box = await page.locator(".model-view canvas").boundingBox();
    if (box === null) throw new Error("the picture has no place on the page");
    // From above the middle half of the picture is all ground.
    const middle = {
      ...{ x: box.x + box.width * 0.4, y: box.y + box.height * 0.4 },
      ...{ width: box.width * 0.2, height: box.height * 0.2 },
    };
    const drawn = await meanColour(await page.screenshot({ clip: middle }));
    for (const [i, channel] of drawn.entries()) {
      expect(Math.abs(channel - (photographed[i] ?? 0))).toBeLessThan(40);
    }
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("+");
    await page.getByRole("button", { name: "From the east" }).click();
    await expect.poll(() => view.getAttribute("aria-label")).toContain("Looking west");
    expect(browser.wrong).toEqual([]);
  });

  it("two typed places have the cone's slope in true metres, also where heights are drawn five times", async () => {
    const page = await browser.page(await browser.context(), `/surveys/${heap}/3d?show=pile`);
    await shown(page);
    expect(await factOf(page, "Above the base")).toMatch(/^from -?[\d.]+ m to 4(\.\d+)? m$/);
    // The heap is in the middle of what is shown around its footprint.
    const [width = "", depth = ""] = (await factOf(page, "Size")).match(/[\d.]+(?= m)/g) ?? [];
    const [middle, up] = [Number(width) / 2, Number(depth) / 2];
    const fields = page.getByRole("textbox");
    for (const [i, value] of [middle + 1, up, middle + 5, up].entries()) {
      await fields.nth(i).fill(value.toFixed(3));
    }
    const figures = async () => ({
      plan: Number.parseFloat(await factOf(page, "Distance in plan")),
      lower: Number.parseFloat((await factOf(page, "Height difference")).replace(/^B is /, "")),
      slope: Number.parseFloat((await factOf(page, "Slope from A to B")).replace("−", "-")),
    });
    await page.getByText("B is").waitFor();
    const before = await figures();
    expect(before.plan).toBeCloseTo(4, 1);
    // Cells of 25 cm: a height between them is off by less than 5 cm.
    expect(Math.abs(before.lower - (4 * HEAP_M) / 6)).toBeLessThan(0.1);
    expect(Math.abs(before.slope + (100 * HEAP_M) / 6)).toBeLessThan(3);
    await page.getByLabel("5 times").check();
    expect(await figures()).toEqual(before);
    await fields.nth(0).fill("9000");
    await page.getByText("There is no surface at this place.").waitFor();
    await page.evaluate("document.querySelector('details.settings').open = true");
    await page.getByLabel("Units").selectOption("imperial");
    expect(await factOf(page, "Above the base")).toMatch(/ft to 1[34](\.\d+)? ft$/);
    expect(browser.wrong).toEqual([]);
  });

  it("two clicks in the points measure, and a third begins again", async () => {
    const page = await browser.page(await browser.context(), `/surveys/${heap}/3d?show=points`);
    await shown(page);
    const view = page.getByRole("application");
    await view.focus();
    await page.keyboard.press("1");
    const box = await view.boundingBox();
    if (box === null) throw new Error("the picture has no place on the page");
    const click = (right: number) =>
      page.mouse.click(box.x + box.width / 2 + right, box.y + box.height / 2);
    await click(0);
    await page.getByText("above the lowest point").waitFor();
    await click(120);
    await page.getByText("B is").waitFor();
    const [width = ""] = (await factOf(page, "Size")).match(/[\d.]+(?= m)/g) ?? [];
    const east = await page.getByRole("textbox").first().inputValue();
    expect(Math.abs(Number(east) - Number(width) / 2)).toBeLessThan(0.5);
    expect(await factOf(page, "Height difference")).toMatch(/^B is [\d.]+ m lower$/);
    await click(60);
    await expect.poll(() => page.getByText("B is").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("twenty visits leave no context and nothing in the memory of the graphics card", async () => {
    const context = await browser.context();
    await context.addInitScript(WATCH_GL);
    const page = await browser.page(context, "/help");
    const warnings: string[] = [];
    page.on("console", (message) => warnings.push(message.text()));
    for (let visit = 0; visit < VISITS; visit += 1) {
      await page.evaluate(`history.pushState(null, "", "/surveys/${flown}/3d")`);
      await shown(page);
      // Drawn at the next frame.
      await expect.poll(async () => (await glCounts(page)).live["Buffer"]).toBeGreaterThan(0);
      expect((await glCounts(page)).open).toBe(1);
      await page.evaluate('history.pushState(null, "", "/help")');
      await expect.poll(async () => (await glCounts(page)).open).toBe(0);
    }
    const { made, live } = await glCounts(page);
    expect(made).toBe(VISITS);
    // What three deletes by itself; four textures of one pixel a context go with the context, which is lost.
    expect(live).toMatchObject({ Buffer: 0, VertexArray: 0, Program: 0, Shader: 0 });
    expect(live["Texture"]).toBeLessThanOrEqual(4 * VISITS);
    expect(await page.locator("canvas").count()).toBe(0);
    expect(warnings.filter((text) => text.includes("Too many active WebGL"))).toEqual([]);
    expect(browser.wrong).toEqual([]);
  });

  it("a file that is still coming is cancelled when the page is left", async () => {
    const page = await browser.page(await browser.context(), "/help");
    let isAsked = false;
    // The service has sent nothing yet when the page is left.
    await page.route("**/model.glb*", () => {
      isAsked = true;
    });
    const cancelled = page.waitForEvent("requestfailed", (request) =>
      request.url().includes("model.glb"),
    );
    await page.evaluate(`history.pushState(null, "", "/surveys/${flown}/3d")`);
    await expect.poll(() => isAsked).toBe(true);
    await page.evaluate('history.pushState(null, "", "/help")');
    expect((await cancelled).failure()?.errorText).toContain("ERR_ABORTED");
  });

  it("without WebGL 2, and when the card is taken away, the relief is shown", async () => {
    const without = await browser.context();
    await without.addInitScript(WITHOUT_GL);
    const plain = await browser.page(without, `/surveys/${heap}/3d`);
    await plain.getByText("does not offer WebGL 2").waitFor();
    await reliefLoads(plain);
    const context = await browser.context();
    await context.addInitScript(WATCH_GL);
    const page = await browser.page(context, `/surveys/${heap}/3d`);
    await shown(page);
    await page.evaluate("glWatch.lose()");
    await page.getByText("took the graphics card away").waitFor();
    await reliefLoads(page);
    await page.getByRole("button", { name: "Try 3D again" }).click();
    await shown(page);
    await expect.poll(() => page.locator(".relief-picture").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it.each([
    { width: 1280, theme: "light" },
    { width: 1280, theme: "dark" },
    { width: 320, theme: "dark" },
  ] as const)("at $width px in $theme axe finds nothing serious, and nothing scrolls sideways", async (look) => {
    const page = await browser.page(
      await browser.context({ ...look, height: 800 }),
      `/surveys/${heap}/3d?show=pile`,
    );
    await shown(page);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
      look.width,
    );
    expect(browser.wrong).toEqual([]);
  });

  const reliefLoads = (page: Page) =>
    expect
      .poll(() =>
        page.evaluate(
          "[...document.querySelectorAll('.relief-picture img')].some((one) => one.naturalWidth > 0)",
        ),
      )
      .toBe(true);
});

/** Red, green and blue, 0 to 255. */
async function meanColour(picture: Buffer): Promise<readonly number[]> {
  const { channels } = await sharp(picture).removeAlpha().stats();
  return channels.map(({ mean }) => mean);
}
