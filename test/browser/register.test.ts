import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openDevice } from "../support/mqtt-device.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const MOSQUITTO_PUB = "/usr/bin/mosquitto_pub";

describe.skipIf(!HAS_BROWSER)("who registers a tracker in a browser", () => {
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

  const open = async (path: string, width = 1280) =>
    await browser.page(await browser.context({ width }), path);

  async function register(page: Page, name: string): Promise<void> {
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Type", { exact: true }).fill("excavator");
    await page.getByLabel("Latitude of its place, degrees").fill("50.1");
    await page.getByLabel("Longitude of its place, degrees").fill("9.2");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByText(`${name} is registered`).waitFor();
  }

  /** What the page shows beside a name of the credentials. */
  async function credential(page: Page, name: string): Promise<string> {
    const fact = page.locator("dt", { hasText: new RegExp(`^${name}$`) });
    return (await fact.locator("xpath=following-sibling::dd[1]//code").textContent()) ?? "";
  }

  async function accessOf(page: Page) {
    const [username, password, topic, address] = [
      await credential(page, "User name"),
      await credential(page, "Password"),
      await credential(page, "Topic"),
      await credential(page, "Address"),
    ];
    return { access: { username, password, topic }, port: Number(address.split(":")[1]) };
  }

  it("takes the place of the phone in hand, with how exact it is, or says that it may not", async () => {
    const context = await browser.context({ width: 390 });
    const page = await browser.page(context, "/register");
    const take = page.getByRole("button", { name: "Use the place of this device" });
    await take.click();
    await page.getByText("This browser may not tell where it is.").waitFor();
    await context.grantPermissions(["geolocation"]);
    await context.setGeolocation({ latitude: 50.1234567, longitude: 9.2, accuracy: 12 });
    await take.click();
    await page.getByText("Taken, ± 12 m by this device.").waitFor();
    const field = (name: string) => page.getByLabel(`${name} of its place, degrees`).inputValue();
    expect([await field("Latitude"), await field("Longitude")]).toEqual(["50.123457", "9.200000"]);
    expect(browser.wrong).toEqual([]);
  });

  it("reads why a payload is refused, sends a right one, and sees it on the machine's page", async () => {
    const page = await open("/machines");
    await page.getByRole("link", { name: "Register a machine" }).click();
    await register(page, "Bagger Süd 7");
    await page.getByText("Waiting for the device.").waitFor();
    const { access, port } = await accessOf(page);
    expect(access).toMatchObject({
      username: "bagger-sud-7",
      topic: "sites/site-a/assets/bagger-sud-7/telemetry",
    });

    const wrongPassword = await openDevice({ access: { ...access, password: "wrong" }, port });
    expect(wrongPassword.returnCode).toBe(4);
    await page.getByText("The device was refused: log-in refused: wrong password").waitFor();

    const device = await openDevice({ access, port });
    await device.publish({ payload: '{"latitude": "north", "longitude": 9.2}' });
    await page.getByText(/A message came that could not be read/).waitFor();
    await device.publish({ payload: "{}", topic: "sites/site-a/assets/other/telemetry" });
    await page.getByText(/a topic that is not the device's own/).waitFor();

    await device.publish({ payload: '{"latitude": 50.2, "longitude": 9.3, "speed_kmh": 4}' });
    await page.getByText("A message came and was stored.").waitFor();
    await page.getByRole("link", { name: "Open its page" }).click();
    await page.getByRole("heading", { name: "Bagger Süd 7" }).waitFor();
    await page.getByText("50.20000, 9.30000").waitFor();
    await page.getByText("4 km/h, reported").waitFor();
    await device.disconnect();
    expect(browser.wrong).toEqual([]);
  });

  it.skipIf(!isExecutable(MOSQUITTO_PUB))(
    "copies the command of the page into a shell, and the message is stored",
    async () => {
      const page = await open("/register");
      await register(page, "Walze 3");
      const command = (await page.locator(".copy-block code").first().textContent()) ?? "";
      expect(command).toMatch(/^mosquitto_pub -h 127\.0\.0\.1 -p \d+/);
      await promisify(execFile)("sh", ["-c", command]);
      await page.getByText("A message came and was stored.").waitFor();
      // The password is there once: a page that is loaded again has the form.
      await page.reload();
      await page.getByLabel("Name", { exact: true }).waitFor();
      expect(await page.locator(".copy-block").count()).toBe(0);
    },
  );

  it("an id that is taken is told at its field", async () => {
    const page = await open("/register");
    await page.getByLabel("Name", { exact: true }).fill("Second");
    await page.getByLabel("Id", { exact: true }).fill("bagger-sud-7");
    await page.getByLabel("Type", { exact: true }).fill("excavator");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByText(/^Not accepted: .*bagger-sud-7/).waitFor();
    expect(await page.getByLabel("Id", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  });

  it("a message in quarantine goes into a dry run, and is put right there", async () => {
    const page = await open("/machines/bagger-sud-7/device");
    await page.getByRole("button", { name: "Into the dry run" }).click();
    const payload = page.getByLabel("Message, as the device sends it");
    expect(await payload.inputValue()).toContain('"north"');
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("It would go to quarantine: latitude is not a number").waitFor();
    await payload.fill('{"latitude": 50.2, "longitude": 9.2}');
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("1 reading would be stored.").waitFor();
    await page.getByRole("button", { name: "Read again" }).click();
    await page.getByText("It still cannot be read: latitude is not a number").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("new credentials end the old ones, and are asked for twice", async () => {
    const page = await open("/machines/bagger-sud-7/device");
    await page.getByRole("button", { name: "New credentials" }).click();
    await page.getByRole("button", { name: "Make a new password now" }).click();
    const { access, port } = await accessOf(page);
    const device = await openDevice({ access, port });
    expect(device.returnCode).toBe(0);
    await device.publish({ payload: '{"latitude": 50.21, "longitude": 9.3}' });
    await page.getByText("A message came and was stored.").waitFor();
    await device.disconnect();
  });

  it.each([
    "/register",
    "/machines/bagger-sud-7",
    "/machines/bagger-sud-7/device",
  ])("%s fits a screen of 320 pixels without sideways scrolling", async (path) => {
    const page = await open(path, 320);
    await page.getByRole("heading", { level: 2 }).or(page.getByLabel("Type")).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  });
});

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
