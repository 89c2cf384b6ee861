import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import {
  askDemo,
  type DrivenHour,
  driveAnHour,
  driveOn,
  sendBacklog,
} from "./support/driven-hour.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const HOSTILE = "Yard <img src=x onerror=alert(1)>";

describe.skipIf(!HAS_BROWSER)("track playback in a browser", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;
  let hour: DrivenHour;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
    // Whole minutes ago: the form takes no seconds.
    const endMs = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
    hour = await driveAnHour(demo, { id: "truck-9", name: "Truck 9" }, endMs);
    await driveAnHour(demo, { id: "truck-8", name: "Truck 8", northM: 400 }, endMs);
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const openPage = async (path: string, width = 1280): Promise<Page> =>
    await browser.page(await browser.context({ width }), path);
  const iso = (ms: number) => new Date(ms).toISOString();
  const range = (more = "") => `from=${iso(hour.fromMs)}&to=${iso(hour.toMs)}${more}`;
  const openHour = (more = "") => openPage(`/machines/truck-9/track?${range(more)}`);
  const scrubber = (page: Page) => page.getByRole("slider", { name: "Time that is shown" });
  const shownMs = async (page: Page) => Number(await scrubber(page).inputValue());
  const now = (page: Page) => page.locator(".track-now").innerText();
  /** Where the cursor of the chart of speeds is, CSS pixels from its left. */
  const cursorX = async (page: Page) => {
    const transform = await page.locator(".u-cursor-x").first().getAttribute("style");
    return Number(transform?.match(/translate\((-?[\d.]+)px/)?.[1] ?? Number.NaN);
  };

  it("an hour is replayed: stops and gaps are listed, and time goes on by itself until it is paused", async () => {
    const page = await openHour();
    await page.getByRole("heading", { name: "Track: Truck 9" }).waitFor();
    await page.getByRole("button", { name: /^Stop of 12 mins/ }).waitFor();
    await page.getByRole("button", { name: /^No positions for 10 mins/ }).waitFor();
    expect(await page.locator(".card dl").innerText()).toMatch(/Top speed\s+22 km\/h/);
    // The first position of the range.
    expect(await shownMs(page)).toBe(hour.fromMs);
    await page.getByRole("combobox", { name: "Rate" }).selectOption("60");
    await page.getByRole("button", { name: "Play" }).click();
    await expect.poll(() => shownMs(page)).toBeGreaterThan(hour.fromMs + 60_000);
    await page.getByRole("button", { name: "Pause" }).click();
    const paused = await shownMs(page);
    await expect.poll(() => page.url()).toContain(`t=${iso(paused).slice(0, 16)}`);
    expect(await shownMs(page)).toBe(paused);
    expect(browser.wrong).toEqual([]);
  });

  it("scrubbing by keys moves what is said of the machine and the cursor of the chart", async () => {
    const page = await openHour(`&t=${iso(hour.fromMs + 600_000)}`);
    await page.locator(".u-over").first().waitFor();
    expect(await shownMs(page)).toBe(hour.fromMs + 600_000);
    // The cursor is placed after the chart is drawn.
    await expect.poll(() => cursorX(page)).toBeGreaterThan(0);
    const [x, text] = [await cursorX(page), await now(page)];
    await scrubber(page).press("PageUp");
    await expect.poll(() => cursorX(page)).toBeGreaterThan(x);
    expect(await now(page)).not.toBe(text);
    await scrubber(page).fill(String(hour.stopMs + 60_000));
    await expect.poll(() => now(page)).toMatch(/in a stop of 12 mins/);
    expect(browser.wrong).toEqual([]);
  });

  it("pointing at the chart shows that time on the map, and a gap says how old the last position is", async () => {
    const page = await openHour();
    const plot = page.locator(".u-over").first();
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20);
    const middle = (hour.fromMs + hour.toMs) / 2;
    // A pixel is some seconds.
    await expect.poll(async () => Math.abs((await shownMs(page)) - middle)).toBeLessThan(20_000);
    await page.getByRole("button", { name: /^No positions for 10 mins/ }).click();
    await scrubber(page).fill(String(hour.gapMs + 300_000));
    await expect.poll(() => now(page)).toContain("No positions: the last is 5 mins old");
    // The line of the chart is broken there too.
    await page.getByText("Speed: no value").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("pointing at the line on the map shows the time of that place", async () => {
    const page = await openHour();
    const map = page.locator(".map canvas");
    await map.waitFor();
    const box = await map.boundingBox();
    const [left, top] = [box?.x ?? 0, box?.y ?? 0];
    const [width, height] = [box?.width ?? 0, box?.height ?? 0];
    // The line runs from left to right through the middle of the map: somewhere on the way down it is met.
    await expect
      .poll(async () => {
        for (let y = 0.3; y < 0.7; y += 0.02) {
          await page.mouse.move(left + width * 0.25, top + height * y);
        }
        return shownMs(page);
      })
      .not.toBe(hour.fromMs);
    expect(await shownMs(page)).toBeLessThan(hour.stopMs);
    expect(browser.wrong).toEqual([]);
  });

  it("several machines have a line each; one is taken away and one is added", async () => {
    const page = await openPage(`/tracks?asset_id=truck-9,truck-8&${range()}`);
    await page.getByText("2 gaps of over 5 min are left open.").waitFor();
    await page.getByRole("button", { name: "Remove Truck 8" }).click();
    await page.getByRole("heading", { name: "Track: Truck 9" }).waitFor();
    await expect.poll(() => page.url()).toContain("/machines/truck-9/track?");
    await page.getByLabel("Add a machine").selectOption("truck-8");
    await page.getByText("2 gaps of over 5 min are left open.").waitFor();
    await expect
      .poll(() => new URL(page.url()).searchParams.get("asset_id"))
      .toBe("truck-9,truck-8");
    expect(browser.wrong).toEqual([]);
  });

  it("exports are files of the API in three formats", async () => {
    const page = await openHour();
    const save = async (format: string) => {
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name: `Save as ${format}` }).click();
      const file = await coming;
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
    };
    const geojson = await save("GeoJSON");
    expect(geojson.name).toMatch(/^track truck-9 .*\.geojson$/);
    expect(JSON.parse(geojson.text)).toMatchObject({ type: "FeatureCollection" });
    expect((await save("GPX")).text.match(/<trkseg>/g)).toHaveLength(2);
    expect((await save("CSV")).text).toMatch(/^asset_id,piece,timestamp,latitude,longitude/);
    expect(browser.wrong).toEqual([]);
  });

  it("a fence that was entered is in the list by its name, which is never markup", async () => {
    const { latitude, longitude } = hour.ahead;
    const circle = { centre: [latitude, longitude], radius_m: 40 };
    await askDemo(demo, "POST", "/api/v1/equipment/geofences", {
      ...{ id: "yard", name: HOSTILE, project_id: "site-a", circle },
    });
    await driveOn(demo, "truck-9", hour.ahead);
    const until = iso(Date.now() + 60_000);
    const page = await openPage(`/machines/truck-9/track?from=${iso(hour.fromMs)}&to=${until}`);
    await expect
      .poll(async () => {
        await page.reload();
        await page
          .getByRole("heading", { name: "Stops, gaps, fences and late positions" })
          .waitFor();
        return page.getByRole("button", { name: `Entered ${HOSTILE}` }).count();
      })
      .toBe(1);
    expect(await page.locator("main img").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("positions of a backlog are marked as late, in the list, the chart, the legend and the summary", async () => {
    const sent = await sendBacklog(demo, { id: "truck-7", name: "Truck 7", northM: -400 });
    const path = (atMs: number) =>
      `/machines/truck-7/track?from=${iso(sent.fromMs)}&to=${iso(sent.toMs)}&t=${iso(atMs)}`;
    const page = await openPage(path(sent.fromMs + 605_000));
    // Between two late positions; the backlog came 40 min after the first.
    await expect.poll(() => now(page)).toMatch(/received 3\d mins.* later/);
    const facts = page.locator(".card dl");
    await expect
      .poll(() => facts.innerText())
      .toContain("of 184 positions 181 were received more than 1 min late");
    expect(await facts.innerText()).toMatch(/the latest 4\d mins.* after it was taken/);
    await page
      .getByRole("button", { name: /^181 positions received late, up to 4\d mins.* after they/ })
      .waitFor();
    await page.getByText("received more than 1 min late", { exact: true }).waitFor();
    const chart = page.locator("figure.chart").first();
    expect(await chart.locator(".chart-readout").innerText()).toMatch(/received .* later/);
    await chart.getByRole("button", { name: "Show as a table" }).click();
    await chart.getByRole("columnheader", { name: "Received late" }).waitFor();
    const cells = chart.getByRole("cell", { name: /^received \d+ mins.* later$/ });
    expect(await cells.count()).toBeGreaterThan(50);
    // What came in time is not marked.
    await scrubber(page).fill(String(sent.liveMs));
    await expect.poll(() => now(page)).toContain("± 3 m");
    expect(await now(page)).not.toContain("received");

    const german = await browser.page(
      await browser.context({ width: 390, locale: "de-DE" }),
      path(sent.fromMs + 605_000),
    );
    await german.getByText("von 184 Positionen kamen 181 mehr als 1 Min. verspätet an").waitFor();
    await expect.poll(() => now(german)).toMatch(/3\d Min\..* später empfangen/);
    expect(browser.wrong).toEqual([]);
  });

  it("a range that cannot be asked for says why, and one that can is in the address", async () => {
    const page = await openHour();
    await page.locator(".u-over").first().waitFor();
    await page.locator(".track-range summary").click();
    await page.getByLabel("From", { exact: true }).fill("2026-03-05T10:00");
    await page.getByLabel("To", { exact: true }).fill("2026-03-05T10:00");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("The start has to be before the end.").waitFor();
    await page.getByLabel("To", { exact: true }).fill("2026-03-05T11:00");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("No positions in this range").first().waitFor();
    await expect.poll(() => page.url()).toMatch(/from=2026-03-0\dT/);
    expect(browser.wrong).toEqual([]);
  });

  it("the table of machines and the card on the map lead to the track of the last 24 hours", async () => {
    const page = await openPage("/machines");
    await page.getByRole("link", { name: "Track of Truck 9" }).click();
    await page.getByRole("heading", { name: "Track: Truck 9" }).waitFor();
    await expect.poll(() => page.url()).toMatch(/\/machines\/truck-9\/track\?from=.*&to=/);
    await page.goto(`${demo.origin}/map?asset=truck-9`);
    await page.locator(".machine-card").getByRole("link", { name: "Track" }).click();
    await page.getByRole("button", { name: /^Stop of 12 mins/ }).waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("fits a screen of 320 pixels without sideways scrolling, also with the table of the chart", async () => {
    const page = await openPage(`/machines/truck-9/track?${range()}`, 320);
    await page.getByRole("button", { name: "Show as a table" }).first().click();
    await page.getByRole("rowheader").first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  });
});
