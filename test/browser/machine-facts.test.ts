import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo } from "./support/driven-hour.ts";
import { registerMachine } from "./support/own-machine.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const ID = "facts-1";
const PATH = `/api/v1/equipment/assets/${ID}`;

describe.skipIf(!HAS_BROWSER)("what is known of a machine in a browser", () => {
  let demo: RunningDemo;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await ConsoleBrowser.launch(() => demo);
    await registerMachine(demo, { id: ID, name: "Diger 1", projectId: "site-a" });
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const stored = async () => {
    const response = await fetch(`${demo.origin}${PATH}`, {
      headers: { authorization: `Bearer ${demo.key}` },
    });
    return { status: response.status, asset: await response.json() };
  };

  it("a name is put right, and a machine taken out of service, over nobody's change", async () => {
    const page = await browser.page(await browser.context(), `/machines/${ID}`);
    await page.getByRole("button", { name: "Change…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Digger <b>1");
    await dialog.getByLabel("Out of service").check();
    // Somebody else says the make meanwhile, and the page reads the machine again behind the dialog.
    await askDemo(demo, "PATCH", PATH, { make: "Liebherr" });
    await page.locator("dd", { hasText: "Liebherr" }).waitFor();
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Digger <b>1");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    const versions = dialog.locator(".versions");
    await versions.getByText("Liebherr").waitFor();
    await dialog.getByRole("button", { name: "Go on with the stored one" }).click();
    await dialog.getByLabel("Name").fill("Digger <b>1");
    await dialog.getByLabel("Out of service").check();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Digger <b>1" }).waitFor();
    await page.getByText("yes, a person said so").waitFor();
    expect(await stored()).toMatchObject({
      asset: { name: "Digger <b>1", make: "Liebherr", maintenance: true, status: "maintenance" },
    });
    // The lists have the new name at once.
    await page.getByRole("link", { name: "Machines" }).first().click();
    await page.getByRole("rowheader", { name: "Digger <b>1" }).waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("half a place is refused beside its field, and a whole one is kept", async () => {
    const page = await browser.page(await browser.context(), `/machines/${ID}`);
    await page.getByRole("button", { name: "Change…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Latitude of its place").fill("52,5");
    await dialog.getByLabel("Longitude of its place").fill("");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.locator(".field-error").waitFor();
    expect(await dialog.getByLabel("Latitude of its place").getAttribute("aria-invalid")).toBe(
      "true",
    );
    await dialog.getByLabel("Longitude of its place").fill("13.4");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const { asset } = await stored();
    expect(asset).toMatchObject({ registered_location: { latitude: 52.5, longitude: 13.4 } });
  });

  it("a machine is removed after a question, and the lists no longer have it", async () => {
    const page = await browser.page(await browser.context(), `/machines/${ID}`);
    await page.getByRole("button", { name: "Remove…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect((await stored()).status).toBe(200);
    await page.getByRole("button", { name: "Remove…" }).click();
    await dialog.getByText("What it reported stays stored.").waitFor();
    await dialog.getByRole("button", { name: "Remove the machine" }).click();
    await page.getByRole("heading", { level: 1, name: "Machines" }).waitFor();
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("rowheader", { name: "Digger" }).waitFor({ state: "detached" });
    expect((await stored()).status).toBe(404);
    expect(browser.wrong).toEqual([]);
  });
});
