import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo } from "./support/driven-hour.ts";
import { registerMachine } from "./support/own-machine.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const ID = "digger-7";
const PATH = `/api/v1/equipment/assets/${ID}`;

describe.skipIf(!HAS_BROWSER)("settings of a device in a browser", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
    await registerMachine(demo, { id: ID, name: "Digger 7", projectId: "site-a" });
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const change = (body: object) => askDemo(demo, "PATCH", PATH, body);
  const stored = () => send(demo, PATH);
  const settings = (page: Page) =>
    page.locator("section.card", { has: page.locator("#device-settings") });
  const hardware = (page: Page) => settings(page).getByLabel("Hardware id");
  const save = (page: Page) => settings(page).getByRole("button", { name: "Save", exact: true });

  it("of two people, what one types outlives a change of the other, and both versions are shown before one holds", async () => {
    await change({ name: "Digger 7", hardware_id: "111" });
    const page = await browser.page(await browser.context(), `/machines/${ID}/device`);
    await expect.poll(() => hardware(page).inputValue()).toBe("111");
    await hardware(page).fill("222");
    await change({ name: "Digger seven", decoder: "osmand" });
    // The page has read the machine again.
    await page.getByRole("heading", { level: 1, name: "Digger seven" }).waitFor();
    expect(await hardware(page).inputValue()).toBe("222");
    await save(page).click();
    const versions = settings(page).locator(".versions");
    await versions.waitFor();
    expect(await versions.locator("tbody tr").allTextContents()).toEqual([
      "Formatplumblineosmand",
      "Hardware id222111",
    ]);
    expect(await stored()).toMatchObject({ decoder: "osmand", hardware_id: "111" });
    await settings(page).getByRole("button", { name: "Save yours over it" }).click();
    await settings(page).getByText("Saved", { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ decoder: "plumbline", hardware_id: "222" });
    expect(browser.wrong).toEqual([]);
  });

  it("the stored version may be gone on with instead", async () => {
    await change({ hardware_id: "333" });
    const page = await browser.page(await browser.context(), `/machines/${ID}/device`);
    await expect.poll(() => hardware(page).inputValue()).toBe("333");
    await hardware(page).fill("444");
    await change({ hardware_id: "555" });
    await save(page).click();
    await settings(page).getByRole("button", { name: "Go on with the stored one" }).click();
    expect(await hardware(page).inputValue()).toBe("555");
    expect(await stored()).toMatchObject({ hardware_id: "555" });
  });

  it("a change of something else on the machine asks nothing", async () => {
    await change({ hardware_id: "666" });
    const page = await browser.page(await browser.context(), `/machines/${ID}/device`);
    await expect.poll(() => hardware(page).inputValue()).toBe("666");
    await hardware(page).fill("777");
    await change({ make: "Liebherr" });
    await save(page).click();
    await settings(page).getByText("Saved", { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ make: "Liebherr", hardware_id: "777" });
  });

  it("a second press after an answer that was lost makes no second password", async () => {
    const page = await browser.page(await browser.context(), `/machines/${ID}/device`);
    const answers: string[] = [];
    await page.route("**/credentials", async (route) => {
      const answer = await route.fetch();
      answers.push(answer.headers()["idempotent-replayed"] ?? "first");
      // The service has done it, and the network loses what it says.
      if (answers.length === 1) await route.abort();
      else await route.fulfill({ response: answer });
    });
    await page.getByRole("button", { name: "New credentials" }).click();
    const sure = page.getByRole("button", { name: "Make a new password now" });
    await sure.click();
    await page.getByText("The service does not answer.").waitFor();
    await sure.click();
    await page.getByText("The answer came without the password").waitFor();
    expect(answers).toEqual(["first", "true"]);
    // Who wants another one presses again, and that is another request.
    await page.getByRole("button", { name: "New credentials" }).click();
    await sure.click();
    await page.getByText("The password is shown now and never again.").waitFor();
    expect(answers).toEqual(["first", "true", "first"]);
  });
});

async function send({ origin, key }: RunningDemo, path: string): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return await response.json();
}
