import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo } from "./support/driven-hour.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

describe.skipIf(!HAS_BROWSER)("the page about the service, and help", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  it("an administrator sees that the service is ready, its backlog, room and version, and who is signed in", async () => {
    const page = await browser.page(await browser.context(), "/service");
    await page.getByText("The service is ready").waitFor();
    const facts = await page.locator(".facts").allInnerTexts();
    const all = facts.join("\n");
    expect(all).toMatch(/For live state and events\s+\d+ messages?/);
    expect(all).toMatch(/In the queue\s+0 jobs/);
    expect(all).toMatch(/Free disk\s+[\d.,]+ [GTM]B/);
    expect(all).toMatch(/Version\s+0\.1\.0/);
    expect(all).toMatch(/Last download\s+none since this process began/);
    const own = page.locator(".sign-ins li", { hasText: "this browser" });
    await own.waitFor();
    expect(await own.innerText()).toContain("127.0.0.1");
    expect(browser.wrong).toEqual([]);
  });

  it("an administrator logs another browser out, and its page asks for a key", async () => {
    const { key } = await askDemo(demo, "POST", "/api/v1/keys", {
      ...{ name: "Lost phone", scopes: ["equipment:read"] },
    });
    const served = { origin: demo.origin, key: String(key) };
    const phone = await browser.page(await browser.context(), "/machines", served);
    await phone.locator("tbody tr").first().waitFor();
    const page = await browser.page(await browser.context(), "/service");
    const row = page.locator(".sign-ins li", { hasText: "Lost phone" });
    await row.getByRole("button", { name: "Log out Lost phone, 127.0.0.1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
    await row.waitFor({ state: "detached" });
    await phone.getByLabel("API key").waitFor();
    const own = page.locator(".sign-ins li", { hasText: "this browser" });
    expect(await own.getByRole("button").count()).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("a backup that was downloaded is named with its time", async () => {
    const page = await browser.page(await browser.context(), "/service");
    const link = page.getByRole("link", { name: "Download a backup" });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^plumbline-\d{4}-\d\d-\d\d\.tar$/);
    await download.path();
    await page.reload();
    await page.getByText("Last download").waitFor();
    await page.locator(".facts time").nth(1).waitFor();
    expect((await page.locator(".facts").allInnerTexts()).join("\n")).not.toContain("none since");
  });

  it("a key without admin is told what the page needs, and has no link to it", async () => {
    const { key } = await askDemo(demo, "POST", "/api/v1/keys", {
      name: "Viewer",
      scopes: ["equipment:read"],
      project_ids: ["site-a"],
    });
    const page = await browser.page(await browser.context(), "/service", {
      origin: demo.origin,
      key: String(key),
    });
    await page.getByText("This page needs a key with admin").waitFor();
    await page.locator(".settings summary").click();
    await page.getByRole("link", { name: "Help" }).waitFor();
    expect(await page.locator(".settings").getByRole("link", { name: "Service" }).count()).toBe(0);
  });

  it("help says what figures mean, in both languages, and lists the packages of the pages with their licences", async () => {
    const page = await browser.page(await browser.context({ locale: "de-DE" }), "/help");
    await page.getByRole("heading", { name: "Was die Zahlen bedeuten" }).waitFor();
    await page.getByText("Die Hälfte des Intervalls").waitFor();
    const preact = page.locator(".licences li", { hasText: /^preact / });
    await preact.waitFor();
    expect(await preact.innerText()).toMatch(/^preact [\d.]+ MIT$/);
    const response = await page.request.get(`${demo.origin}/licences.md`);
    expect(await response.text()).toContain("Permission is hereby granted");
    expect(browser.wrong).toEqual([]);
  });
});
