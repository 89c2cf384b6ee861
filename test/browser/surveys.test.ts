import { basename } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SITE } from "../support/heap-survey.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { surveySet, TINY_SURVEY } from "../support/survey-sets.ts";
import { type ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { measureHeapTwice, openSurveySite, type SurveySite } from "./support/survey-site.ts";

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

interface Pit {
  /** Paths of its photographs. */
  readonly images: readonly string[];
  /** `[latitude, longitude]`, degrees. */
  readonly outline: readonly (readonly number[])[];
  /** Of its survey. */
  readonly id: string;
}

describe.skipIf(!HAS_BROWSER)("surveys of the web console in a browser", () => {
  let site: SurveySite;
  let browser: ConsoleBrowser;
  /** Newest first. */
  let surveys: readonly string[];

  beforeAll(async () => {
    site = await openSurveySite();
    ({ browser } = site);
    const location = { latitude: SITE.latDeg, longitude: SITE.lonDeg };
    await site.api.post("/projects", { id: "quarry", name: "Quarry", location });
    surveys = await measureHeapTwice(site);
  });
  afterEach(() => browser.closeContexts());
  afterAll(() => site?.[Symbol.asyncDispose]());

  let pit: Promise<Pit> | undefined;
  /** A stockpile that was measured from photographs, one of which is none. */
  function photographPit(): Promise<Pit> {
    pit ??= (async () => {
      const { images, truth } = await surveySet(TINY_SURVEY);
      const outline = truth.piles[0]?.outlineLonLat.map(([lng, lat]) => [lat, lng]) ?? [];
      await site.api.post("/projects", {
        ...{ id: "pit", name: "Pit", location: { latitude: 52.52, longitude: 13.405 } },
      });
      await site.api.post("/materials/stockpiles", {
        ...{ id: "sand", project_id: "pit", material: "Sand", location: "Bay 2" },
        ...{ max_capacity_m3: 500, footprint: outline },
      });
      const refused = site.images.serve("report.jpg", Buffer.from("not a photograph"));
      await site.api.post("/materials/stockpiles/sand/measure", {
        images: [...site.images.show({ images }), refused],
      });
      const { data } = await site.api.get<Listed>("/surveys?project_id=pit");
      return { images, outline, id: data[0]?.id ?? "" };
    })();
    return pit;
  }

  /** Statuses of tiles of a layer, as the page asks for them. */
  function tilesOf(page: Page, layer: string): readonly number[] {
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes(`/${layer}/`)) statuses.push(response.status());
    });
    return statuses;
  }

  /** Fields of the page that lie over another one, by their labels. */
  const fieldsOverEachOther = (page: Page) =>
    page.evaluate(`(() => {
      const fields = Array.from(document.querySelectorAll("main input, main select"));
      const boxes = fields.map((one) => one.getBoundingClientRect());
      return fields
        .filter((_, i) => boxes.some((b, j) => j < i && b.left < boxes[i].right - 1 && boxes[i].left < b.right - 1
          && b.top < boxes[i].bottom - 1 && boxes[i].top < b.bottom - 1))
        .map((one) => one.labels?.[0]?.textContent);
    })()`);

  it("lists both, with what is known of each, and says what is not", async () => {
    const page = await browser.page(await browser.context(), "/surveys");
    await page.getByText("2 surveys, newest first").waitFor();
    const row = await page.locator("main tbody tr").first().innerText();
    expect(row).toContain("Stockpile Gravel, Bay 1");
    expect(row).toContain("the given file; error not stated");
    expect(row).toContain("25 cm");
    expect(await fieldsOverEachOther(page)).toEqual([]);
    await page.getByLabel(/^Flown to/).fill("2020-01-01T00:00");
    await page.getByText("No surveys").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("draws when which ground was surveyed, and a mark leads to its survey", async () => {
    const page = await browser.page(await browser.context({ width: 390 }), "/surveys");
    const drawn = page.getByRole("img", { name: /^Time line: 2 surveys of one ground, from / });
    await drawn.waitFor();
    const marks = drawn.locator("[data-survey]");
    expect(await marks.count()).toBe(2);
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    expect(wide).toBeLessThanOrEqual(390);
    await marks.first().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/surveys/${surveys[1]}`);
    expect(browser.wrong).toEqual([]);
  });

  it("layers of a survey load, and the ends of its heights are words in the chosen units", async () => {
    const context = await browser.context();
    const page = await browser.page(context, "/surveys");
    const [relief, heights] = [tilesOf(page, "hillshade"), tilesOf(page, "heights")];
    await page.locator("main tbody a").first().click();
    await expect.poll(() => relief.includes(200)).toBe(true);
    await page.getByLabel("Heights in colours").check();
    await expect.poll(() => heights.includes(200)).toBe(true);
    expect(await page.getByLabel("Orthophoto").isDisabled()).toBe(true);
    const ends = page.locator(".heights-ends");
    expect(await ends.innerText()).toMatch(/^4[12](\.\d+)? m\s+4[2-6](\.\d+)? m$/);
    await page.evaluate("document.querySelector('details.settings').open = true");
    await page.getByLabel("Units").selectOption("imperial");
    await expect.poll(() => ends.innerText()).toMatch(/^13\d(\.\d+)? ft\s+1[345]\d(\.\d+)? ft$/);
    const file = await page.getByRole("link", { name: "Surface (GeoTIFF)" }).getAttribute("href");
    expect((await fetch(file ?? "")).status).toBe(200);
    expect(browser.wrong).toEqual([]);
  });

  it.each([
    1280, 390,
  ])("at %i px a divider between two dates is moved by keys and by the mouse", async (width) => {
    const page = await browser.page(
      await browser.context({ width, height: 844 }),
      `/surveys/${surveys[0]}?layer=heights&with=${surveys[1]}`,
    );
    const divider = page.getByRole("slider", { name: "Divider between two surveys" });
    await divider.focus();
    const now = () => divider.getAttribute("aria-valuenow");
    expect(await now()).toBe("50");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("PageUp");
    expect(await now()).toBe("62");
    expect(await divider.getAttribute("aria-valuetext")).toMatch(/^62% left: .+; 38% right: .+/);
    await page.keyboard.press("Home");
    expect(await now()).toBe("0");
    await page.keyboard.press("End");
    await expect
      .poll(() => page.locator(".swipe-over").getAttribute("style"))
      .toMatch(/inset\(0(px)? 0%/);
    const box = await page.locator(".swipe-box").boundingBox();
    if (box === null) throw new Error("the maps have no place on the page");
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
    await page.mouse.up();
    expect(Number(await now())).toBeCloseTo(25, -1);
    const words = await page.locator(".swipe-words").innerText();
    expect(words).toMatch(/Left: .+, Heights in colours\s+Right: .+, Heights in colours/);
    expect(browser.wrong).toEqual([]);
  });

  it("a slider goes through the dates of a ground: layer, place and focus stay", async () => {
    const page = await browser.page(
      await browser.context(),
      `/surveys/${surveys[1]}?layer=heights`,
    );
    const zooms: number[] = [];
    page.on("response", (response) => {
      const [, zoom] = /\/heights\/(\d+)\//.exec(response.url()) ?? [];
      if (zoom !== undefined && response.status() === 200) zooms.push(Number(zoom));
    });
    const slider = page.getByRole("slider", { name: /^Survey \d of 2/ });
    expect(await slider.inputValue()).toBe("0");
    expect(await page.getByRole("button", { name: "Earlier" }).isDisabled()).toBe(true);
    await expect.poll(() => zooms.length).toBeGreaterThan(0);
    const near = Math.max(...zooms);
    // A press while the map still moves goes out from where it is by then, so three of them may be one.
    const further = async () => {
      await page.getByRole("button", { name: "Zoom out" }).click();
      return Math.min(...zooms);
    };
    await expect.poll(further, { interval: 1_000 }).toBeLessThan(near);
    zooms.length = 0;
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(`**/surveys/${surveys[0]}?*layer=heights*`);
    await expect.poll(() => zooms.length).toBeGreaterThan(0);
    // As far away as before, not near enough to fill the map.
    expect(Math.max(...zooms)).toBeLessThan(near);
    await expect.poll(() => slider.inputValue()).toBe("1");
    const focused = "document.activeElement.closest('section')?.getAttribute('aria-labelledby')";
    await expect.poll(() => page.evaluate(focused)).toBe("survey-dates");
    await page.getByRole("button", { name: "Earlier" }).click();
    await page.waitForURL(`**/surveys/${surveys[1]}?*`);
    expect(browser.wrong).toEqual([]);
  });

  it("what changed between two dates is one map, with its scale in words", async () => {
    const page = await browser.page(
      await browser.context(),
      `/surveys/${surveys[0]}?with=${surveys[1]}`,
    );
    const change = tilesOf(page, "change");
    await page.getByLabel("Show what changed between the two").check();
    await page.getByLabel(/^Map of what changed from .+ to .+/).waitFor();
    await expect.poll(() => change.includes(200)).toBe(true);
    expect(await page.getByRole("slider", { name: /^Divider/ }).count()).toBe(0);
    const asked = page.waitForRequest((request) => request.url().includes("top_m=5&"));
    await page.getByLabel("Darkest colour at").selectOption("5");
    await asked;
    await page.getByText("the earlier one by the given file").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("change")).toBe("5");
    // No layer is shown, so none is chosen; choosing one shows it again.
    const layers = page.getByRole("radiogroup", { name: "Layer" });
    expect(await layers.locator("input:checked").count()).toBe(0);
    await page.getByText("The map shows what changed.").waitFor();
    await page.getByLabel("Heights in colours").check();
    await page.getByRole("slider", { name: /^Divider/ }).waitFor();
    expect(await page.getByLabel("Show what changed between the two").isChecked()).toBe(false);
    await expect.poll(() => new URL(page.url()).searchParams.get("change")).toBe(null);
    expect(browser.wrong).toEqual([]);
  });

  it(
    "a survey's photographs are dots on the map and lines of a table, and one that was refused is named",
    async () => {
      const { images, id } = await photographPit();
      const page = await browser.page(await browser.context(), `/surveys/${id}`);
      await page.getByLabel("Show where they were taken").check();
      const table = page.locator(".camera-table");
      await table.waitFor();
      const names = images.map((path) => basename(path));
      expect((await table.locator(".camera-name").allInnerTexts()).toSorted()).toEqual(
        names.toSorted(),
      );
      const said = `The survey rests on ${names.length} photographs. 1 was not used.`;
      await page.getByText(said).waitFor();
      const first = await table.locator("tbody tr").first().innerText();
      expect(first).toMatch(/report\.jpg\s+not used: ./);
      const row = table.locator("tr", { hasText: names[0] ?? "" });
      expect(await row.innerText()).toMatch(/used\s+[\d.]+ px \(RMS\)\s+\d+ points\s+± .+ \(1 σ\)/);
      const name = row.getByRole("button");
      await name.click();
      expect(await name.getAttribute("aria-pressed")).toBe("true");
      await expect.poll(() => new URL(page.url()).searchParams.get("cameras")).toBe("1");
      await page.reload();
      await table.waitFor();
      await page.getByLabel("Show where they were taken").uncheck();
      await table.waitFor({ state: "detached" });
      // A given surface has none.
      await page.goto(`${site.service.http}/surveys/${surveys[0]}`);
      await page.getByText("this survey has no photographs").waitFor();
      expect(browser.wrong).toEqual([]);
    },
    2 * PATIENT_MS,
  );

  it(
    "orthophotos lie under the maps of machines, fences, stockpiles and zones, with their age, until they are switched off",
    async () => {
      const { outline } = await photographPit();
      await site.api.post("/progress/zones", {
        ...{ project_id: "pit", name: "Ramp", polygon: outline, metric: { kind: "manual" } },
      });
      const context = await browser.context();
      const tiles: number[] = [];
      context.on("response", (response) => {
        if (response.url().includes("/orthophoto/")) tiles.push(response.status());
      });
      const [latitude = 0, longitude = 0] = outline[0] ?? [];
      const at = `at=${latitude.toFixed(5)},${longitude.toFixed(5)},19&project=pit`;
      const page = await browser.page(context, `/map?${at}`);
      for (const path of [
        `/map?${at}`,
        `/fences?${at}`,
        "/stockpiles?project=pit",
        "/progress/pit/setup?project=pit",
      ]) {
        tiles.length = 0;
        await page.goto(`${site.service.http}${path}`);
        await page.getByText(/^Flown .+ago\.$/).waitFor();
        await expect.poll(() => tiles.includes(200), { message: path }).toBe(true);
      }
      await page.goto(`${site.service.http}/map?${at}`);
      const layer = page.locator(".layer").filter({ hasText: "Orthophotos" });
      await layer.locator("summary").click();
      await layer.getByRole("button", { name: "Sand, Bay 2" }).waitFor();
      // The browser remembers that they were switched off.
      const switched = () => page.getByRole("checkbox", { name: "Orthophotos" });
      await switched().uncheck();
      await page.goto(`${site.service.http}/fences?${at}`);
      await switched().and(page.locator(":not(:checked)")).waitFor();
      tiles.length = 0;
      await switched().check();
      await expect.poll(() => tiles.includes(200)).toBe(true);
      expect(browser.wrong).toEqual([]);
    },
    2 * PATIENT_MS,
  );

  it("a key of another project sees none of them", async () => {
    const { key } = await site.api.post<{ key: string }>("/keys", {
      ...{ name: "quarry", scopes: ["materials:read", "progress:read"] },
      project_ids: ["quarry"],
    });
    const page = await browser.page(await browser.context(), "/surveys", {
      origin: site.service.http,
      key,
    });
    await page.getByText("No surveys").waitFor();
    await page.goto(`${site.service.http}/surveys/${surveys[0]}`);
    await page.locator(".notice-bad").waitFor();
    expect(await page.locator("main").innerText()).not.toContain("Gravel");
  });
});
