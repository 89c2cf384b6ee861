import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type HttpReceiver, openHttpReceiver } from "../support/http-receiver.ts";
import { until } from "../support/until.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo } from "./support/driven-hour.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const MACHINE = "site-a-excavator-01";

describe.skipIf(!HAS_BROWSER)("administration in a browser", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;
  let receiver: HttpReceiver;

  beforeAll(async () => {
    demo = await startDemo();
    receiver = await openHttpReceiver();
    browser = await ConsoleBrowser.launch(() => demo);
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const dialog = (page: Page) => page.getByRole("dialog");
  /** A command to a machine is an event of the type `equipment.command.queued`. */
  const causeEvent = () =>
    askDemo(demo, "POST", `/api/v1/equipment/assets/${MACHINE}/commands`, { name: "reboot" });

  it("a webhook is made with a secret that is shown once, its delivery is seen, and replayed by a button", async () => {
    const page = await browser.page(await browser.context(), "/settings/webhooks");
    await page.getByRole("button", { name: "New webhook" }).click();
    const form = dialog(page);
    await form.getByLabel("URL").fill("http://192.0.2.1/hook");
    await form.getByLabel("Name").fill("Site office");
    await form.getByLabel("Events", { exact: true }).selectOption("some");
    await form.getByLabel("Other types").fill("equipment.command.queued, nonsense.*");
    await form.getByRole("button", { name: "Create the webhook" }).click();
    // What is wrong is at its field.
    await form.locator("fieldset .field-error").waitFor();
    expect(await form.locator("fieldset .field-error").innerText()).toContain(
      "matches no event type",
    );
    await form.getByLabel("Other types").fill("equipment.command.queued");
    await form.getByRole("button", { name: "Create the webhook" }).click();
    await form.locator(".field .field-error").waitFor();
    await form.getByLabel("URL").fill(receiver.url);
    await form.getByRole("button", { name: "Create the webhook" }).click();
    const secret = page.locator(".secret-card");
    await secret.waitFor();
    expect(await secret.locator("code").innerText()).toMatch(/^whsec_/);
    await secret.getByRole("button", { name: "I have stored it" }).click();
    expect(await page.getByText("whsec_").count()).toBe(0);
    await page.getByRole("link", { name: "Site office" }).click();
    await page.getByText("No deliveries").waitFor();

    await causeEvent();
    await until("the receiver has the event", () => receiver.received.length > 0);
    const row = page.locator(".deliveries tbody tr").first();
    await row.getByText("delivered", { exact: true }).waitFor();
    expect(await row.innerText()).toContain("HTTP 204");
    await row.getByRole("button", { name: /^Replay/ }).click();
    await until("the receiver has it again", () => receiver.received.length === 2);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
    await page.getByText(/sent again/).waitFor();
    expect(browser.wrong).toEqual([]);
  });
});
