import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { seriousFindings } from "./support/axe.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { makeMeasuredPile } from "./support/measured-pile.ts";
import { CONSOLE_PAGES, looksOfToday } from "./support/pages.ts";
import { makeProgressSite } from "./support/progress-site.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const SIZES = [
  { device: "desktop", width: 1280, height: 800 },
  { device: "phone", width: 390, height: 844 },
] as const;
const THEMES = ["light", "dark"] as const;
const LOOKS = SIZES.flatMap((size) => THEMES.map((theme) => ({ ...size, theme })));
const PAGES_IN_LOOKS = looksOfToday(
  CONSOLE_PAGES.flatMap((page) => LOOKS.map((look) => ({ ...page, ...look }))),
);

describe.skipIf(!HAS_BROWSER)("pages for everybody", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    demo = await startDemo();
    await makeProgressSite(demo);
    await makeMeasuredPile(demo);
    browser = await ConsoleBrowser.launch(() => demo);
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  it.each(
    PAGES_IN_LOOKS,
  )("$name, $device, $theme: nothing that axe calls serious or critical", async ({
    path,
    ready,
    width,
    height,
    theme,
  }) => {
    const page = await browser.page(await browser.context({ width, height, theme }), path);
    await ready(page);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it.each(LOOKS)("so does the log-in, $device, $theme", async ({ width, height, theme }) => {
    const page = await (await browser.context({ width, height, theme })).newPage();
    await page.goto(`${demo.origin}/`);
    await page.getByLabel("API key").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("axe does find what is wrong", async () => {
    const page = await browser.page(await browser.context(), "/machines");
    await page.evaluate(`document.querySelector("main").append(document.createElement("input"))`);
    const rules = (await seriousFindings(page)).map(({ rule }) => rule);
    expect(rules).toEqual(["label"]);
  });

  it.each(
    looksOfToday(CONSOLE_PAGES),
  )("$name fits 320 pixels without sideways scrolling, and has one h1", async ({ path, ready }) => {
    const page = await browser.page(await browser.context({ width: 320 }), path);
    await ready(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  });
});
