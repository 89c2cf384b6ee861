import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { type OwnMachine, registerMachine, send } from "./support/own-machine.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const PROJECT = "site-a";
/** 22 m on either side of the southern edge of a restricted fence, whose crossings are warnings. */
const OUTSIDE = { latitude: 50.4008, longitude: 9.7 };
const INSIDE = { latitude: 50.4012, longitude: 9.7 };
const FENCE = {
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
};

describe.skipIf(!HAS_BROWSER)("alerts of the web console in a browser", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;
  let machine: OwnMachine;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
    machine = await registerMachine(demo, { id: "digger-9", name: "Digger 9", projectId: PROJECT });
    await machine.report(OUTSIDE);
    const url = `${demo.origin}/api/v1/equipment/geofences`;
    await send(url, `Bearer ${demo.key}`, FENCE);
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const entered = (page: Page) =>
    page.locator("section", { has: page.locator("#open-alerts") }).locator(".choices li", {
      hasText: "Digger 9 entered Blast area",
    });

  it("an entry arrives without reload and is said aloud, and what another tab acknowledges shows here", async () => {
    const context = await browser.context();
    const first = await browser.page(context, `/alerts?project=${PROJECT}`);
    const second = await context.newPage();
    await second.goto(`${demo.origin}/alerts?project=${PROJECT}`);
    await second.getByRole("heading", { name: "Open" }).waitFor();
    await first.locator(".live-bar").waitFor({ state: "detached" });
    await machine.report(INSIDE);
    await entered(first).waitFor();
    await expect
      .poll(() => first.locator("[aria-live=polite]").allTextContents())
      .toContainEqual(expect.stringContaining("Digger 9 entered Blast area"));
    await entered(second).waitFor();
    await entered(second).getByRole("checkbox").check();
    await second.getByLabel("Note (optional)").fill("guard is there");
    await second.getByRole("button", { name: "Acknowledge 1 alert" }).click();
    await entered(first).waitFor({ state: "detached" });
    await first.getByText("guard is there").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a muted rule opens no alert for that machine, and does again when the mute is ended", async () => {
    await machine.report(OUTSIDE);
    const page = await browser.page(await browser.context(), `/alerts?project=${PROJECT}`);
    await machine.report(INSIDE);
    await entered(page)
      .getByRole("button", { name: /^Mute: / })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Note (optional)").fill("blasting is over");
    await dialog.getByRole("button", { name: "Mute", exact: true }).click();
    await page.getByText("The rule is muted.").waitFor();
    await machine.report(OUTSIDE);
    await entered(page).waitFor({ state: "detached" });
    await machine.report(INSIDE);
    // It is acknowledged by the mute, with the mute's note.
    await page.getByText("acknowledged by a mute").first().waitFor();
    expect(await entered(page).count()).toBe(0);
    await page.getByRole("button", { name: /^End the mute: / }).click();
    await page.getByText("No rule is muted").waitFor();
    await machine.report(OUTSIDE);
    await machine.report(INSIDE);
    await entered(page).waitFor();
  });

  it("all that match a filter are acknowledged with a note, and others stay open", async () => {
    const page = await browser.page(await browser.context(), `/alerts?project=${PROJECT}`);
    await machine.report(OUTSIDE);
    await machine.report(INSIDE);
    await entered(page).waitFor();
    await page.getByLabel("Severity").selectOption("info");
    await expect.poll(() => entered(page).count()).toBe(0);
    await page.getByRole("button", { name: "Acknowledge all that match" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("that match the filters").waitFor();
    await dialog.getByLabel("Note (optional)").fill("morning round");
    await dialog.getByRole("button", { name: /^Acknowledge \d+ alerts?$/ }).click();
    await page.getByText(/alerts? w(as|ere) acknowledged/).waitFor();
    await page.getByText("morning round").first().waitFor();
    await page.getByLabel("Severity").selectOption("");
    await entered(page).waitFor();
  });

  it("the event log has what happens now on top, of the chosen machine alone", async () => {
    await machine.report(OUTSIDE);
    const page = await browser.page(await browser.context(), `/events?project=${PROJECT}`);
    await page.getByLabel("Machine").selectOption({ label: "Digger 9" });
    await page.locator("tbody tr").first().waitFor();
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.first().textContent()).toContain("Left a fence");
    const before = await rows.count();
    await machine.report(INSIDE);
    await expect.poll(() => rows.first().textContent()).toContain("Entered a fence");
    expect(await rows.count()).toBe(before + 1);
    expect((await rows.allTextContents()).every((text) => text.includes("Digger 9"))).toBe(true);
  });
});
