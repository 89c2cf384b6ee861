import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type HttpReceiver, openHttpReceiver } from "../support/http-receiver.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { until } from "../support/until.ts";
import { seriousFindings } from "./support/axe.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { askDemo } from "./support/driven-hour.ts";
import { type RunningDemo, startDemo } from "./support/running-demo.ts";

const MACHINE = "site-a-excavator-01";
/** Markup, and an override of the direction of writing, which would turn what follows it around. */
const HOSTILE = "<img src=x onerror=alert(1)> \u202Eرافعة 7";

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
    await until("the receiver has the event", () => receiver.received.length > 0, PATIENT_MS);
    const row = page.locator(".deliveries tbody tr").first();
    await row.getByText("delivered", { exact: true }).waitFor();
    expect(await row.innerText()).toContain("HTTP 204");
    await row.getByRole("button", { name: /^Replay/ }).click();
    await until("the receiver has it again", () => receiver.received.length === 2, PATIENT_MS);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
    await page.getByText(/sent again/).waitFor();
    expect(browser.wrong).toEqual([]);
  });

  /** Makes a key on the page and yields it as the page shows it, once. */
  async function makeKey(page: Page, name: string, project?: string): Promise<string> {
    await page.getByRole("button", { name: "New key" }).click();
    const form = dialog(page);
    await form.getByLabel("Name").fill(name);
    for (const scope of ["equipment:read", "events:read"]) {
      await form.getByLabel(new RegExp(`^${scope}`)).check();
    }
    if (project !== undefined) {
      await form.getByLabel("Every project, also later ones").uncheck();
      await form.getByLabel(project, { exact: true }).check();
    }
    await form.getByRole("button", { name: "Create the key" }).click();
    const card = page.locator(".secret-card");
    await card.waitFor();
    const key = await card.locator("code").innerText();
    await card.getByRole("button", { name: "I have stored it" }).click();
    expect(await page.getByText(key).count()).toBe(0);
    return key;
  }

  it("a page that is open with a key ends when the key is revoked", async () => {
    const page = await browser.page(await browser.context(), "/settings/keys");
    const key = await makeKey(page, "Anna, site office");
    const other = await browser.page(await browser.context(), "/settings/webhooks", {
      origin: demo.origin,
      key,
    });
    await other.getByRole("heading", { level: 1, name: "Administration" }).waitFor();
    // The list says who is signed in with it.
    await page.reload();
    const card = page.locator(".set-list > li", { hasText: "Anna, site office" });
    await card.getByText("1 browser, from 127.0.0.1").waitFor();
    await card.getByRole("button", { name: "Revoke" }).click();
    await dialog(page).getByRole("button", { name: "Revoke" }).click();
    await page.getByText("1 revoked key").waitFor();
    expect(await page.locator(".set-list > li", { hasText: "Anna" }).count()).toBe(0);
    await other.getByLabel("API key").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a key is renamed by keyboard where it stands: what is wrong is said in words, and of two who rename it both names are shown", async () => {
    const page = await browser.page(await browser.context(), "/settings/keys");
    const key = await makeKey(page, "Ben");
    const card = page.locator(".set-list > li", { hasText: key.slice(0, 13) });
    const input = card.getByLabel("Name", { exact: true });
    const rename = (name: string) => card.getByRole("button", { name: `Rename ${name}` });
    const hasFocus = (place: Locator) => place.and(page.locator(":focus")).waitFor();
    await rename("Ben").focus();
    await page.keyboard.press("Enter");
    await hasFocus(input);
    await page.keyboard.press("Escape");
    await hasFocus(rename("Ben"));
    await page.keyboard.press("Enter");
    await hasFocus(input);
    // All of it is selected: what is typed takes its place.
    await page.keyboard.press("Delete");
    await card.getByText("A key needs a name.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await input.count()).toBe(1);
    await page.keyboard.type(HOSTILE);
    await page.keyboard.press("Enter");
    await card.getByRole("heading", { name: HOSTILE }).waitFor();
    await hasFocus(rename(HOSTILE));
    expect(await page.locator("main img").count()).toBe(0);

    await page.keyboard.press("Enter");
    await hasFocus(input);
    await page.keyboard.type("Ben, crane");
    const { data } = (await read("/api/v1/keys")) as { data: { id: string; name: string }[] };
    const id = data.find(({ name }) => name === HOSTILE)?.id;
    await askDemo(demo, "PATCH", `/api/v1/keys/${id}`, { name: "Ben, office" });
    await page.keyboard.press("Enter");
    const versions = card.locator(".versions");
    await versions.getByText("Ben, office").waitFor();
    expect(await versions.innerText()).toContain("Ben, crane");
    await card.getByRole("button", { name: "Save yours over it" }).click();
    await card.getByRole("heading", { name: "Ben, crane" }).waitFor();

    // Every page shows the name of the key that it was opened with.
    const lead = { name: "Lead", scopes: ["admin"] };
    const { key: leadKey } = (await askDemo(demo, "POST", "/api/v1/keys", lead)) as { key: string };
    const opened = { origin: demo.origin, key: leadKey };
    const phone = await browser.context({ width: 390, theme: "dark" });
    const other = await browser.page(phone, "/settings/keys", opened);
    const own = other.locator(".set-list > li", { hasText: "the key of this browser" });
    await own.getByRole("button", { name: /^Rename/ }).click();
    const ownInput = own.getByLabel("Name", { exact: true });
    await ownInput.fill("Site lead");
    expect(await seriousFindings(other)).toEqual([]);
    await ownInput.press("Enter");
    await other.getByText("Key: Site lead").waitFor({ state: "attached" });
    expect(browser.wrong).toEqual([]);
  });

  it("a key of one project sees that project, no webhook of others, and no part for administrators", async () => {
    const admin = await browser.page(await browser.context(), "/settings/keys");
    await askDemo(demo, "POST", "/api/v1/projects", {
      ...{ id: "north-yard", name: "North yard", location: { latitude: 53, longitude: 8 } },
    });
    await admin.reload();
    await admin.getByRole("button", { name: "New key" }).waitFor();
    const key = await makeKey(admin, "Foreman", "North yard");
    const page = await browser.page(await browser.context(), "/settings/projects", {
      origin: demo.origin,
      key,
    });
    await page.getByRole("heading", { name: "North yard" }).waitFor();
    expect(await page.locator(".set-list > li").count()).toBe(1);
    expect(await page.getByRole("button", { name: "New project" }).count()).toBe(0);
    const tabs = page.getByRole("navigation", { name: "Parts of the administration" });
    expect(await tabs.getByRole("link", { name: "Keys" }).count()).toBe(0);
    await tabs.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("No webhooks").waitFor();
    expect(await page.getByRole("button", { name: "New webhook" }).count()).toBe(0);
  });

  it("a project is made and changed; of two people who change it, both versions are shown", async () => {
    const page = await browser.page(await browser.context(), "/settings/projects");
    await page.getByRole("button", { name: "New project" }).click();
    const form = dialog(page);
    await form.getByLabel("Name").fill("Harbour east");
    await form.getByLabel("Id").fill("harbour-east");
    await form.getByLabel("Latitude, °").fill("95");
    await form.getByLabel("Longitude, °").fill("8,5");
    await form.getByRole("button", { name: "Create the project" }).click();
    const latitude = form.locator(".field", { has: page.getByLabel("Latitude, °") });
    await latitude.locator(".field-error").waitFor();
    await form.getByLabel("Latitude, °").fill("53,5");
    await form.getByRole("button", { name: "Create the project" }).click();
    const card = page.locator(".set-list > li", { hasText: "Harbour east" });
    await card.getByText("53.5, 8.5").waitFor();
    expect(await card.innerText()).toMatch(/Planned start\s+not set/);

    await card.getByRole("button", { name: "Edit Harbour east" }).click();
    await form.getByLabel("Time zone").fill("Europe/London");
    await askDemo(demo, "PATCH", "/api/v1/projects/harbour-east", { name: "Harbour west" });
    await form.getByRole("button", { name: "Save" }).click();
    await form.locator(".versions").getByText("Harbour west").waitFor();
    await form.getByRole("button", { name: "Save yours over it" }).click();
    await card.getByText("Europe/London").waitFor();

    await card.getByRole("button", { name: "Delete Harbour east" }).click();
    await form.getByRole("button", { name: "Delete" }).click();
    await card.waitFor({ state: "detached" });
    expect(browser.wrong).toEqual([]);
  });

  it("a project's logo is chosen, printed with its name on its progress page, and removed; a drawing that can run is refused", async () => {
    const page = await browser.page(await browser.context(), "/settings/projects");
    const card = page.locator(".set-list > li", { hasText: "site-a" }).first();
    const choose = card.locator('input[type="file"]');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    await choose.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: svg });
    await card.getByText(/not a PNG, JPEG or WebP/).waitFor();
    const buffer = await sharp({
      create: { width: 300, height: 100, channels: 3, background: "#c0392b" },
    })
      .png()
      .toBuffer();
    await choose.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
    const logo = card.getByRole("img", { name: /^Logo of/ });
    await logo.waitFor();
    expect(await card.getByText(/not a PNG/).count()).toBe(0);

    await page.goto(`${demo.origin}/progress/site-a`);
    const printed = page.locator(".print-logo");
    await printed.locator("img").waitFor({ state: "attached" });
    expect(await printed.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    await printed.locator("img").waitFor();
    const name = await page.getByRole("heading", { level: 1 }).innerText();
    expect(await printed.innerText()).toBe(name);
    expect(await page.evaluate("document.querySelector('.print-logo img').naturalWidth")).toBe(300);
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");

    await page.emulateMedia({ media: null });
    await page.goto(`${demo.origin}/settings/projects`);
    await card.getByRole("button", { name: /^Remove the logo/ }).click();
    await logo.waitFor({ state: "detached" });
    expect(browser.wrong).toEqual([]);
  });

  it("a mapping is tried with a pasted message at each change, its problems at their fields, and then stored", async () => {
    const page = await browser.page(await browser.context(), "/settings/mappings");
    await page.getByRole("button", { name: "New mapping" }).click();
    await page.getByLabel("Type of machine").fill("winch");
    const field = (n: number) => page.getByRole("group", { name: `Field ${n}`, exact: true });
    await field(1).getByLabel("Stored as").fill("payload_kg");
    await field(1).getByLabel("Taken from").fill("load");
    await page.getByLabel("Message, as the device sends it").fill('{"hook":{"load":640}}');
    // A pointer begins with a slash.
    await field(1).locator(".field-error").waitFor();
    await field(1).getByLabel("Taken from").fill("/hook/load");
    const answer = page.locator(".dry-run");
    await answer.getByText(/^640\skg/).waitFor();
    await field(1).getByText("Scale, texts and missing values").click();
    await field(1).getByLabel("Times").fill("0,1");
    await answer.getByText(/^64\skg/).waitFor();
    expect(await answer.innerText()).toContain("1 reading would be stored.");
    await page.getByRole("button", { name: "Create the mapping" }).click();
    await page.locator(".set-list > li", { hasText: "winch" }).waitFor();
    expect(await read("/api/v1/equipment/mappings/winch")).toMatchObject({
      mapping: { fields: { payload_kg: { pointer: "/hook/load", scale: 0.1 } } },
    });

    // A second one of the type is not written over the first.
    await page.getByRole("button", { name: "New mapping" }).click();
    await page.getByLabel("Type of machine").fill("winch");
    await field(1).getByLabel("Stored as").fill("fuel_level_percent");
    await field(1).getByLabel("Taken from").fill("/fuel");
    await page.getByRole("button", { name: "Create the mapping" }).click();
    await page.locator(".field .field-error").first().waitFor();
    expect(await read("/api/v1/equipment/mappings/winch")).not.toHaveProperty(
      "mapping.fields.fuel_level_percent",
    );
    expect(browser.wrong).toEqual([]);
  });

  it("a maintenance plan of a type is made, shown in words and deleted", async () => {
    const page = await browser.page(await browser.context(), "/settings/plans?project=site-a");
    const card = page.locator(".set-list > li", {
      has: page.getByRole("heading", { name: "winch", exact: true }),
    });
    await page.getByLabel("Another type").fill("winch");
    await page.getByRole("button", { name: "Show its plan" }).click();
    await card.getByText("No plan").waitFor();
    await card.getByRole("button", { name: "Make a plan: winch" }).click();
    await page.getByRole("button", { name: "Add a service" }).click();
    const service = page.getByRole("group", { name: "Service 1", exact: true });
    await service.getByLabel("Service id").fill("rope");
    await service.getByLabel("Name").fill("Check the rope");
    await service.getByLabel("Every so many engine hours").fill("0,5");
    await page.getByRole("button", { name: "Save" }).click();
    await service.locator(".field-error").waitFor();
    await service.getByLabel("Every so many engine hours").fill("250");
    await service.getByLabel("Every so many days").fill("90");
    await page.getByRole("button", { name: "Save" }).click();
    await card.getByText(/Check the rope: every 250\shrs?, 90 days; warns from 90%/).waitFor();
    await card.getByRole("button", { name: "Delete winch" }).click();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await card.getByText("No plan").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a forwarder and a fleet source are made, say what became of their last run, and are deleted", async () => {
    const page = await browser.page(await browser.context(), "/settings/forwarders");
    const form = dialog(page);
    await page.getByRole("button", { name: "New forwarder" }).click();
    await form.getByLabel("URL").fill(receiver.url);
    await form.getByLabel("Name", { exact: true }).fill("Other system");
    await form.getByLabel("Credentials").selectOption("header");
    await form.getByLabel("Name of the header").fill("Host");
    await form.getByLabel("Value of the header").fill("secret-value");
    await form.getByRole("button", { name: "Create the forwarder" }).click();
    await form.locator(".field .field-error").waitFor();
    await form.getByLabel("Name of the header").fill("X-Api-Key");
    await form.getByRole("button", { name: "Create the forwarder" }).click();
    const forwarder = page.locator(".set-list > li", { hasText: "Other system" });
    await forwarder.getByText("with credentials").waitFor();
    await forwarder.getByRole("button", { name: "Edit Other system" }).click();
    // What is stored of the credentials does not come back.
    expect(await form.getByLabel("Credentials").inputValue()).toBe("keep");
    expect(await form.getByLabel("Value of the header").count()).toBe(0);
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await forwarder.getByRole("button", { name: "Delete Other system" }).click();
    await form.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No forwarders").waitFor();

    await page.getByRole("link", { name: "Fleet sources" }).click();
    await page.getByRole("button", { name: "New fleet source" }).click();
    await form.getByLabel("URL").fill(receiver.url);
    await form.getByLabel("Name", { exact: true }).fill("Maker");
    await form.getByRole("button", { name: "Create the fleet source" }).click();
    const source = page.locator(".set-list > li", { hasText: "Maker" });
    // The receiver of webhooks is no fleet.
    await source.getByText("failed", { exact: true }).waitFor();
    await source.getByText(/failed 1 time/).waitFor();
    await source.getByRole("button", { name: "Delete Maker" }).click();
    await form.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No fleet sources").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  async function read(path: string): Promise<unknown> {
    const response = await fetch(`${demo.origin}${path}`, {
      headers: { authorization: `Bearer ${demo.key}` },
    });
    return await response.json();
  }
});
