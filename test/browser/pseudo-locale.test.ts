import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { makeMeasuredPile } from "./support/measured-pile.ts";
import { CONSOLE_PAGES, looksOfToday } from "./support/pages.ts";
import { makeProgressSite } from "./support/progress-site.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const LOOKS = looksOfToday(
  CONSOLE_PAGES.flatMap((page) => [390, 1280].map((width) => ({ ...page, width }))),
);

describe.skipIf(!HAS_BROWSER)("pages in a language of long words", () => {
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

  /** Texts of elements that hide a part of them at their right or lower edge; who scrolls there sees all. */
  function cutTexts(page: Page): Promise<readonly string[]> {
    return page.evaluate(`
      [...document.querySelectorAll("body *")]
        .filter((one) => !one.closest(".hidden, .skip, svg, .maplibregl-map"))
        .filter((one) => {
          const { overflowX, overflowY, clip, clipPath } = getComputedStyle(one);
          // What only a screen reader gets.
          if (clip !== "auto" || clipPath !== "none") return false;
          const cutsX = ["hidden", "clip"].includes(overflowX) && one.scrollWidth > one.clientWidth + 1;
          const cutsY = ["hidden", "clip"].includes(overflowY) && one.scrollHeight > one.clientHeight + 1;
          return cutsX || cutsY;
        })
        .map((one) => one.tagName + ": " + one.textContent.slice(0, 80))
    `);
  }

  async function pseudoPage(path: string, width: number): Promise<Page> {
    const context = await browser.context({ width });
    await context.addInitScript(
      `localStorage.setItem("plumbline.preferences", JSON.stringify({ language: "pseudo" }))`,
    );
    return await browser.page(context, path);
  }

  it.each(LOOKS)("$name of $width pixels cuts no text off", async ({
    path,
    ready,
    hasGivenName,
    width,
  }) => {
    const page = await pseudoPage(path, width);
    await ready(page);
    const heading = page.locator("main h1");
    await heading.waitFor();
    // Each text has brackets at both ends: this one is whole.
    const text = hasGivenName ? page.locator("main h2").first() : heading;
    await text.waitFor();
    expect(await text.innerText()).toMatch(/^\[.*\]$/);
    expect(await cutTexts(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  });

  it("a text that is cut off is found", async () => {
    const page = await pseudoPage("/machines", 390);
    await page.locator("main h1").evaluate((heading) => {
      heading.setAttribute("style", "overflow: hidden; width: 20px; white-space: nowrap");
    });
    expect(await cutTexts(page)).toHaveLength(1);
  });
});
