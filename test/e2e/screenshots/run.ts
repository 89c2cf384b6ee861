import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ConsoleBrowser } from "../../browser/support/console-browser.ts";
import { makeMeasuredPile } from "../../browser/support/measured-pile.ts";
import { CONSOLE_PAGES } from "../../browser/support/pages.ts";
import { makeProgressSite } from "../../browser/support/progress-site.ts";
import { startDemo } from "../../browser/support/running-demo.ts";

/**
 * `npm run screenshots -- FOLDER [page…]`: every page of the console, or those named, as the demo fills it, light and
 * dark, on a screen and on a phone, for people to look at.
 */
const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: npm run screenshots -- FOLDER [page…]");
  process.exit(2);
}
const unknown = names.filter((name) => !CONSOLE_PAGES.some((page) => page.name === name));
if (unknown.length > 0) {
  const known = CONSOLE_PAGES.map(({ name }) => name).join(", ");
  console.error(`there is no page ${unknown.join(", ")}; pages: ${known}`);
  process.exit(2);
}

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

await mkdir(folder, { recursive: true });
await using demo = await startDemo();
await makeProgressSite(demo);
await makeMeasuredPile(demo);
await using browser = await ConsoleBrowser.launch(() => demo);
for (const { width, height } of SIZES) {
  for (const theme of ["light", "dark"] as const) {
    for (const { name, path, ready } of CONSOLE_PAGES) {
      if (names.length > 0 && !names.includes(name)) continue;
      const page = await browser.page(await browser.context({ width, height, theme }), path);
      await ready(page);
      // Tiles and symbols of a map are drawn after the page says that it is there.
      await page.waitForLoadState("networkidle").catch(() => undefined);
      await page.waitForTimeout(1_500);
      await page.screenshot({
        path: join(folder, `${name.replaceAll("/", "-")}-${width}-${theme}.png`),
      });
      await browser.closeContexts();
      console.log(`${name} ${width} ${theme}`);
    }
  }
}
for (const line of browser.wrong) console.error(`wrong: ${line}`);
process.exitCode = browser.wrong.length === 0 ? 0 : 1;
