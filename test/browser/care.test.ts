import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo } from "./support/driven-hour.ts";
import { type OwnMachine, registerMachine } from "./support/own-machine.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const PROJECT = "site-a";
/** 22 m on either side of the southern edge of a fence whose crossings are warnings. */
const OUTSIDE = { latitude: 50.4008, longitude: 9.7 };
const INSIDE = { latitude: 50.4012, longitude: 9.7 };
/** A machine of the demo that sends a temperature. */
const TRUCK = "site-a-haul-truck-01";
const OTHER_TRUCK = "site-a-haul-truck-02";

describe.skipIf(!HAS_BROWSER)("what a console owes who looks at it all day", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;
  let machine: OwnMachine;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
    machine = await registerMachine(demo, { id: "digger-5", name: "Digger 5", projectId: PROJECT });
    await machine.report(OUTSIDE);
    await askDemo(demo, "POST", "/api/v1/equipment/geofences", {
      id: "blast-area",
      name: "Blast area",
      project_id: PROJECT,
      kind: "restricted",
      alert_on: ["enter"],
      exit_buffer_m: 5,
      polygon: [
        [50.401, 9.695],
        [50.401, 9.705],
        [50.405, 9.705],
        [50.405, 9.695],
      ],
    });
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  /** Limits that every reading of the machine exceeds. */
  const setLimits = (id: string, names: readonly string[], severity: string) =>
    askDemo(demo, "PUT", `/api/v1/equipment/assets/${id}/maintenance-plan`, {
      services: [],
      limits: names.map((name) => ({
        ...{ id: name, name, field: "coolant_temperature_c", above: -40, for_s: 0, severity },
      })),
    });

  it("open alerts are read once at the start, each list for its severities", async () => {
    const context = await browser.context();
    const lists: string[] = [];
    context.on("request", (request) => {
      if (request.url().includes("/equipment/alerts?status=open")) lists.push(request.url());
    });
    const page = await browser.page(context, "/alerts");
    await page.locator(".live-bar").waitFor({ state: "detached" });
    await page.locator("#open-alerts").waitFor();
    await page.getByRole("link", { name: "Machines" }).first().click();
    await page.locator("main tbody tr").first().waitFor();
    expect(lists.length).toBe(2);
  });

  it("an alert is in German on a German page", async () => {
    const page = await browser.page(await browser.context({ locale: "de-DE" }), "/alerts");
    await page.locator(".live-bar").waitFor({ state: "detached" });
    await machine.report(INSIDE);
    await page.getByText("Digger 5 ist in Blast area eingefahren").first().waitFor();
    expect(await page.getByText("Digger 5 entered Blast area").count()).toBe(0);
  });

  it("the events of a machine are a press away, named as such, and all others another", async () => {
    const page = await browser.page(await browser.context(), "/machines/digger-5");
    await page.getByRole("link", { name: "Events", exact: true }).click();
    await page.getByText("Only events of Digger 5.").waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?asset=digger-5");
    const rows = page.locator("main tbody tr");
    await rows.filter({ hasText: "Digger 5 entered Blast area" }).first().waitFor();
    expect((await rows.allTextContents()).every((text) => text.includes("Digger 5"))).toBe(true);
    await page.getByRole("button", { name: "Show all machines" }).click();
    await page.getByText("Only events of").waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  it("a refusal for too many requests is waited out by reads, and said of writes", async () => {
    const page = await browser.page(await browser.context(), "/register");
    await page.getByLabel("Name", { exact: true }).fill("Digger 6");
    await page.getByLabel("Type", { exact: true }).fill("excavator");
    // As a proxy in front does; the next request of each goes through to the service.
    const refused = new Set<string>();
    await page.route(/\/equipment\/(assets|utilization)(\?|$)/, async (route) => {
      const { pathname } = new URL(route.request().url());
      const what = `${route.request().method()} ${pathname}`;
      if (refused.has(what)) return await route.continue();
      refused.add(what);
      const error = { code: "rate_limit_exceeded", message: "Too many", request_id: "req_1" };
      const headers = { "retry-after": "3" };
      return await route.fulfill({ status: 429, headers, json: { error } });
    });
    await page.getByRole("button", { name: "Register", exact: true }).click();
    const alert = page.getByRole("alert");
    await alert
      .getByText(/^The service asks to wait: Too many\. .* after \d\d:\d\d:\d\d\.$/)
      .waitFor();
    expect(await alert.locator("code").textContent()).toBe("req_1");
    await alert.getByRole("button", { name: "Copy: Request id, for the administrator" }).waitFor();
    await alert.getByText("press again now").waitFor();
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByText("The password is shown now and never again.").waitFor();
    await page.getByRole("link", { name: "Utilisation" }).first().click();
    await page.getByText(/^Too many requests in this minute\. This page reads on/).waitFor();
    await page.locator(".heat tbody tr").first().waitFor();
    // The list of machines may be refused, once, after the figures were.
    await page.getByText("Too many requests").waitFor({ state: "detached" });
  });

  it("of many acknowledged alerts the older ones are loaded too", async () => {
    const names = Array.from({ length: 25 }, (_, i) => `limit-${i}`);
    await setLimits(OTHER_TRUCK, names, "warning");
    const page = await browser.page(await browser.context(), "/alerts");
    await openAlert(page, /: limit-24 above /).waitFor();
    const filter = { asset_id: OTHER_TRUCK };
    await askDemo(demo, "POST", "/api/v1/equipment/alerts/acknowledge", { filter });
    const list = page.locator("section", { has: page.locator("#acknowledged-alerts") });
    const shown = list.getByText(/^20 of \d+ are shown, the newest first\.$/);
    await shown.waitFor();
    const total = Number((await shown.textContent())?.match(/of (\d+)/)?.[1]);
    expect(total).toBeGreaterThanOrEqual(25);
    await list.getByRole("button", { name: "Show older ones" }).click();
    await expect.poll(() => list.locator(".alert-line").count()).toBe(Math.min(40, total));
  });

  it("figures of the overview say what they rest on", async () => {
    const page = await browser.page(await browser.context(), "/");
    await page.getByText(/^Last known state of all \d+ machines at /).waitFor();
    await page.getByText(/^Open at .*, whenever they opened, of all \d+ machines\.$/).waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a count of the overview leads to what it counts", async () => {
    const page = await browser.page(await browser.context(), "/");
    const main = page.locator("main");
    const connected = main.getByRole("link", { name: /^\d+ connected$/ });
    const [count] = (await connected.innerText()).match(/\d+/) ?? [];
    await connected.click();
    await page.getByText(`${count} of`).waitFor();
    const filters = page.locator(".fleet-filters");
    expect(await filters.getByLabel("Connection").inputValue()).toBe("ok");
    await page.goBack();
    await main
      .getByRole("link", { name: /^\d+ (critical|warning|notice)$/ })
      .first()
      .click();
    const severity = page.getByLabel("Severity");
    const chosen = await severity.inputValue();
    await expect.poll(() => new URL(page.url()).searchParams.get("severity")).toBe(chosen);
    expect(chosen).not.toBe("");
    // The choice can be sent to a colleague.
    await severity.selectOption("critical");
    await expect.poll(() => new URL(page.url()).searchParams.get("severity")).toBe("critical");
    await page.reload();
    await expect.poll(() => severity.inputValue()).toBe("critical");
    for (const [path, label, choice] of [
      ["/events", "Recorded", "week"],
      ["/utilisation", "Figure", "distance"],
    ] as const) {
      await page.goto(`${demo.origin}${path}`);
      await page.getByLabel(label).selectOption(choice);
      await expect.poll(() => new URL(page.url()).search, { message: path }).toContain(choice);
      await page.reload();
      await expect.poll(() => page.getByLabel(label).inputValue(), { message: path }).toBe(choice);
    }
    await page.goto(demo.origin);
    await main.getByRole("link", { name: "Stockpiles" }).click();
    await page.getByRole("heading", { level: 1, name: "Stockpiles" }).waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("the age and UTC of a time are there for keyboard and touch, and in tables by choice", async () => {
    const page = await browser.page(await browser.context(), `/machines/${TRUCK}`);
    const time = page.locator(".moment").first();
    await time.focus();
    await page.keyboard.press("Enter");
    expect(await time.getAttribute("aria-expanded")).toBe("true");
    await page
      .locator("dd", { has: time })
      .getByText(/\d{4}-\d\d-\d\dT.*Z/)
      .waitFor();
    await page.goto(`${demo.origin}/events`);
    await page.locator("main tbody tr").first().waitFor();
    expect(await page.locator("main tbody .moment").count()).toBe(0);
    await page.locator(".settings summary").click();
    await page.getByLabel(/^Times(?! in)/).selectOption("full");
    await page
      .locator("main tbody tr")
      .first()
      .getByText(/ago · \d{4}-\d\d-\d\dT.*Z/)
      .waitFor();
  });

  it("printing shows every line without an event that no browser sent", async () => {
    const context = await browser.context();
    await context.addInitScript(`
      addEventListener("beforeprint", () => { window.beforePrint = true; });
      window.print = () => { window.printed = true; };
    `);
    const page = await browser.page(context, "/utilisation");
    await page.getByRole("button", { name: "Print", exact: true }).click();
    await expect.poll(() => page.evaluate("window.printed")).toBe(true);
    expect(await page.evaluate("window.beforePrint")).toBeUndefined();
  });

  it("a new critical alert is heard if somebody turned the sound on", async () => {
    const context = await browser.context();
    await context.addInitScript(`
      window.tones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
    `);
    const page = await browser.page(context, "/alerts");
    const tones = () => page.evaluate("window.tones");
    await page.getByRole("button", { name: "Sound for critical alerts" }).click();
    await expect.poll(tones).toBe(2);
    await page.getByRole("button", { name: "Sound is on", pressed: true }).waitFor();
    await setLimits(TRUCK, ["hot"], "critical");
    await openAlert(page, /: hot above /).waitFor();
    await expect.poll(tones).toBe(4);
    await page.reload();
    await page.getByRole("button", { name: "Sound is on", pressed: true }).waitFor();
  });
});

const openAlert = (page: Page, text: RegExp) =>
  page
    .locator("section", { has: page.locator("#open-alerts") })
    .getByText(text)
    .first();
