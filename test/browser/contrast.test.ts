import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { seriousFindings } from "./support/axe.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { makeMeasuredPile, PILE } from "./support/measured-pile.ts";
import { CONSOLE_PAGES } from "./support/pages.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

/** Of each kind one: a map, a table, a form, charts, bars. */
const LOOKED_AT = [
  { name: "overview", theme: "dark" },
  { name: "map-card", theme: "light" },
  { name: "machines", theme: "dark" },
  { name: "machine/use", theme: "light" },
  { name: "fence-editor", theme: "dark" },
  { name: "stockpile", theme: "light" },
] as const;

describe.skipIf(!HAS_BROWSER)("contrast themes of the system", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    demo = await startDemo();
    await makeMeasuredPile(demo);
    browser = await ConsoleBrowser.launch(() => demo);
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const open = async (path: string, theme: "light" | "dark" = "light") =>
    await browser.page(await browser.context({ theme, hasForcedColours: true }), path);

  const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
    page.evaluate(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`,
    );

  it.each(LOOKED_AT)("$name, $theme: nothing that axe calls serious or critical", async ({
    name,
    theme,
  }) => {
    const { path, ready } = CONSOLE_PAGES.find((one) => one.name === name) ?? expect.fail(name);
    const page = await open(path, theme);
    await ready(page);
    expect(await seriousFindings(page)).toEqual([]);
    expect(browser.wrong).toEqual([]);
  });

  it("the page that is open has another ground in the menu, and its name the colour that belongs to it", async () => {
    const page = await open("/machines");
    await page.locator("tbody tr").first().waitFor();
    const here = '.nav a[aria-current="page"]';
    const ground = await styleOf(page, here, "backgroundColor");
    expect(ground).not.toBe(await styleOf(page, "html", "backgroundColor"));
    expect(await styleOf(page, here, "color")).not.toBe(ground);
  });

  it("the chosen machine is marked in the list, and what has the focus is outlined", async () => {
    const page = await open("/map");
    const row = page.locator(".machine-row").first();
    await row.click();
    await page.locator(".machine-card").waitFor();
    const chosen = await styleOf(page, '.machine-row[aria-pressed="true"]', "borderLeftWidth");
    const other = await styleOf(page, '.machine-row[aria-pressed="false"]', "borderLeftWidth");
    expect(Number.parseFloat(chosen)).toBeGreaterThan(Number.parseFloat(other));
    await page.keyboard.press("Tab");
    await page.locator(":focus-visible").waitFor();
    expect(await styleOf(page, ":focus-visible", "outlineStyle")).toBe("solid");
  });

  it("only the tab that is open is marked", async () => {
    const page = await open("/machines/site-a-crane-01/use");
    await page.locator(".bars-days").waitFor();
    const ground = await styleOf(page, "html", "backgroundColor");
    expect(await styleOf(page, ".tabs a:not([aria-current])", "borderBottomColor")).toBe(ground);
    const here = await styleOf(page, '.tabs a[aria-current="page"]', "borderBottomColor");
    expect(here).not.toBe(ground);
  });

  it("bars are full of another colour than the page's ground", async () => {
    const page = await open(`/stockpiles/${PILE.id}`);
    await page.locator(".pile-terms span").first().waitFor();
    const ground = await styleOf(page, "html", "backgroundColor");
    for (const filled of [".pile-level", ".pile-terms span", ".pile-swatch"]) {
      const colour = await styleOf(page, filled, "backgroundColor");
      expect([filled, colour]).not.toEqual([filled, ground]);
      expect([filled, colour]).not.toEqual([filled, "rgba(0, 0, 0, 0)"]);
    }
  });

  it("the ground is the system's, whatever appearance was chosen before", async () => {
    const page = await open("/", "dark");
    await page.evaluate(
      `localStorage.setItem("plumbline.preferences", JSON.stringify({ theme: "light" }))`,
    );
    await page.reload();
    await page.locator('html[data-theme="dark"]').waitFor();
    expect(await styleOf(page, "html", "backgroundColor")).toBe("rgb(0, 0, 0)");
  });
});
