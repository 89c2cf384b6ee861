import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { openDevice } from "../support/mqtt-device.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import type { DeviceAccess } from "../support/site.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { startConsoleService } from "./support/console-service.ts";
import { heapSurface } from "./support/heap-surface.ts";
import { CONSOLE_PAGES } from "./support/pages.ts";

/** Keys that log in by turns: one is taken 30 times a minute, and a quick machine opens more pages. */
const KEYS = 5;
const ADMIN_KEY = "browser-admin-key-of-at-least-32-characters";
const MARKUP = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
/** Text from right to left with an override, which would turn what follows it around. */
const RIGHT_TO_LEFT = "\u202Eرافعة 7 חופר";
const SECRET = "Secret quarry";

interface Created {
  readonly id: string;
  readonly key: string;
}

/** A measured stockpile, its survey and a zone, all with that name; yields the paths of their pages. */
async function makePlaces(
  api: ApiClient,
  project: string,
  name: string,
): Promise<readonly string[]> {
  const pile = `${project}-heap`;
  await api.post("/materials/stockpiles", {
    ...{ id: pile, project_id: project, material: name, location: "Bay 1" },
    max_capacity_m3: 1_000,
  });
  const { measurement_id } = await api.post<{ readonly measurement_id: string }>(
    `/materials/stockpiles/${pile}/measure`,
    { images: [await heapSurface(9, 5)] },
  );
  await api.post("/progress/zones", {
    ...{ id: `${project}-zone`, project_id: project, name, metric: { kind: "manual" } },
    polygon: [
      [52.5, 13.4],
      [52.5, 13.401],
      [52.501, 13.401],
    ],
  });
  return [`/stockpiles/${pile}`, `/surveys/${measurement_id}`, `/progress/${project}/setup`];
}

describe.skipIf(!HAS_BROWSER)("a console that others want to harm", () => {
  let dataDir: string;
  let service: ServiceProcess;
  let api: ApiClient;
  let browser: ConsoleBrowser;
  let access: DeviceAccess;
  let markup: readonly string[];
  let secret: readonly string[];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "plumbline-hostile-"));
    service = await startConsoleService({ dataDir, adminKey: ADMIN_KEY });
    api = createApiClient(service.http, ADMIN_KEY);
    const location = { latitude: 52.5, longitude: 13.4 };
    await api.post("/projects", { id: "yard", name: MARKUP, location });
    await api.post("/projects", { id: "quarry", name: SECRET, location });
    const asset = (id: string, name: string, project: string) =>
      api.post<{ mqtt: DeviceAccess }>("/equipment/assets", {
        ...{ id, name, type: "van", project_id: project },
      });
    ({ mqtt: access } = await asset("markup", MARKUP, "yard"));
    await asset("right-to-left", RIGHT_TO_LEFT, "yard");
    await asset("long", "N".repeat(100), "yard");
    await asset("hidden-1", `${SECRET} digger`, "quarry");
    [markup, secret] = await Promise.all([
      makePlaces(api, "yard", MARKUP),
      makePlaces(api, "quarry", SECRET),
    ]);
    const keys: string[] = [];
    for (let i = 0; i < KEYS; i += 1) {
      keys.push(
        (await api.post<Created>("/keys", { name: `Visitor ${i}`, scopes: ["admin"] })).key,
      );
    }
    let turn = 0;
    browser = await ConsoleBrowser.launch(() => {
      turn += 1;
      return { origin: service.http, key: keys[turn % KEYS] ?? ADMIN_KEY };
    });
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await service?.end("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
  });

  it("stockpile, survey and project show names as text, whatever they say", async () => {
    for (const path of markup) {
      const page = await browser.page(await browser.context({ width: 390 }), path);
      await page.locator("main").getByText(MARKUP).filter({ visible: true }).first().waitFor();
      expect(await page.title()).not.toBe("owned");
      expect(await page.locator("main img[src=x], main script").count()).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    }
    expect(browser.wrong).toEqual([]);
  });

  it("stockpile, survey and project of another project show a key of one project nothing of them", async () => {
    const { key } = await api.post<Created>("/keys", {
      ...{ name: "Yard places", scopes: ["equipment:read", "materials:read", "progress:read"] },
      project_ids: ["yard"],
    });
    for (const path of secret) {
      const admin = await browser.page(await browser.context(), path);
      await admin.locator("main").getByText(SECRET).filter({ visible: true }).first().waitFor();
      const page = await browser.page(await browser.context(), path, { origin: service.http, key });
      await page.locator("main [role=alert], main .notice, main .empty-title").first().waitFor();
      expect(await page.locator("body").innerText()).not.toContain(SECRET);
    }
    expect(browser.wrong).toEqual([]);
  });

  const visit = CONSOLE_PAGES.filter(({ name }) => name !== "not-found");

  it.each(visit)("$name shows names as text, whatever they say", async ({ path }) => {
    const page = await browser.page(await browser.context({ width: 390 }), path);
    await page.locator("main h1").waitFor();
    // It is as wide as the longest name of a project, if it may be.
    if (path === "/settings/plans") await page.locator("main .filters select").waitFor();
    if (path === "/machines") {
      await page.locator("main").getByText(MARKUP).filter({ visible: true }).first().waitFor();
      await page
        .locator("main")
        .getByText(RIGHT_TO_LEFT)
        .filter({ visible: true })
        .first()
        .waitFor();
    }
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(browser.wrong).toEqual([]);
  });

  it("a key that is revoked while the page is open ends it within seconds", async () => {
    const { id, key } = await api.post<Created>("/keys", {
      ...{ name: "Guest", scopes: ["equipment:read"] },
    });
    const page = await browser.page(await browser.context(), "/machines", {
      ...{ origin: service.http, key },
    });
    await page.locator("main").getByText(MARKUP).filter({ visible: true }).first().waitFor();
    await fetch(`${service.http}/api/v1/keys/${id}`, {
      ...{ method: "DELETE", headers: { authorization: `Bearer ${ADMIN_KEY}` } },
    });
    await page.getByLabel("API key").waitFor();
    expect(await page.getByText(MARKUP).count()).toBe(0);
  });

  it.each(visit)("$name shows a key of one project nothing of another", async ({ path }) => {
    const { key } = await api.post<Created>("/keys", {
      ...{ name: `Yard ${path}`, scopes: ["equipment:read", "materials:read", "progress:read"] },
      project_ids: ["yard"],
    });
    const page = await browser.page(await browser.context(), path, { origin: service.http, key });
    await page.locator("main h1").waitFor();
    await page.locator(".live-bar").waitFor({ state: "detached" });
    const text = await page.locator("body").innerText();
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("hidden-1");
  });

  it("the next key in a tab is shown nothing of what the former one saw", async () => {
    await api.post("/projects", {
      id: "annex",
      name: "Annex",
      location: { latitude: 52.5, longitude: 13.4 },
    });
    const guest = await api.post<Created>("/keys", {
      ...{ name: "Annex guest", scopes: ["events:read"], project_ids: ["annex"] },
    });
    const page = await browser.page(await browser.context(), "/events");
    await page.locator(".live-bar").waitFor({ state: "detached" });
    const device = await openDevice({ access, port: service.mqttPort });
    // A name that is nearly one of ours makes an event.
    const payload = { latitude: 52.5, longitude: 13.4, accuracy: 3 };
    await device.publish({ payload: JSON.stringify(payload), qos: 1 });
    await device.disconnect();
    await page.locator("main tbody tr").first().waitFor();
    await page.goto(`${service.http}/events#key=${guest.key}`);
    await page.getByText("No events").waitFor();
    expect(await page.locator("main tbody tr").count()).toBe(0);
  });

  /** A browser with a session that has seen the machines of both projects. */
  async function administrator(): Promise<BrowserContext> {
    const context = await browser.context();
    const page = await browser.page(context, "/machines");
    await page.getByText(`${SECRET} digger`).first().waitFor();
    return context;
  }

  it("the machines that a link asks for before its key is known are those of that key", async () => {
    const { key } = await api.post<Created>("/keys", {
      ...{ name: "Yard map", scopes: ["equipment:read"], project_ids: ["yard"] },
    });
    const context = await administrator();
    // The browser still has the session of the administrator, who sees both projects.
    const page = await context.newPage();
    const shown: string[] = [];
    page.on("response", async (response) => {
      if (response.url().includes("/equipment/assets")) shown.push(await response.text());
    });
    await page.goto(`${service.http}/map#key=${key}`);
    await page.locator(".machine-row").first().waitFor();
    expect(await page.locator("body").innerText()).not.toContain(SECRET);
    expect(shown.join()).not.toContain("hidden-1");
  });

  it("a session that ended while the machines were on their way shows none of them", async () => {
    const context = await administrator();
    const page = await context.newPage();
    let answered = 0;
    page.on("response", (response) => {
      if (response.url().includes("/equipment/assets")) answered += 1;
    });
    await page.route("**/api/v1/session", async (route) => {
      // The machines of the administrator are here before the service says that there is no session.
      await expect.poll(() => answered).toBe(1);
      await route.fulfill({ status: 404, json: { error: { code: "not_found", message: "none" } } });
    });
    await page.goto(`${service.http}/map`);
    await page.getByLabel("API key").waitFor();
    await page.unroute("**/api/v1/session");
    const { key } = await api.post<Created>("/keys", {
      ...{ name: "Next at the map", scopes: ["equipment:read"], project_ids: ["yard"] },
    });
    await page.getByLabel("API key").fill(key);
    await page.keyboard.press("Enter");
    await page.locator(".machine-row").first().waitFor();
    expect(await page.locator("body").innerText()).not.toContain(SECRET);
  });

  it("another page of the same host cannot act with the session", async () => {
    const context = await browser.context();
    await browser.page(context, "/machines");
    const attacker = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<h1>Win a crane</h1>");
    }).listen(0, "127.0.0.1");
    await once(attacker, "listening");
    try {
      const page = await context.newPage();
      const target = `${service.http}/api/v1/projects`;
      await page.goto(`http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`);
      await page.evaluate(
        `fetch("${target}", { method: "POST", mode: "no-cors", credentials: "include",
           body: JSON.stringify({ id: "stolen", name: "Stolen" }) }).catch(() => undefined)`,
      );
      const [toForm] = await Promise.all([
        page.waitForResponse((response) => response.url() === target),
        page.evaluate(`{
          const form = document.createElement("form");
          form.method = "post"; form.enctype = "text/plain"; form.action = "${target}";
          document.body.append(form); form.submit();
        }`),
      ]);
      expect(toForm.status()).toBe(403);
      const { data } = await api.get<{ data: readonly { id: string }[] }>("/projects");
      expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["quarry", "yard"]));
      expect(data.map(({ id }) => id)).not.toContain("stolen");
    } finally {
      attacker.close();
      // The attacker's page asked another host than the console, as it was meant to.
      browser.wrong.length = 0;
    }
  });

  it("a note of 10,000 characters is cut by the field, and refused in words by the service", async () => {
    const long = "n".repeat(10_000);
    const answer = await fetch(`${service.http}/api/v1/equipment/alerts/acknowledge`, {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ alert_ids: ["some"], note: long }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("note");
  });

  it.each([
    { hours: 5, said: "5 hrs ahead" },
    { hours: -5, said: "5 hrs behind" },
  ])("ages follow the clock of the service where that of the device is off by $hours h", async ({
    hours,
    said,
  }) => {
    const device = await openDevice({ access, port: service.mqttPort });
    const payload = { latitude: 52.5, longitude: 13.4, timestamp: new Date().toISOString() };
    await device.publish({ payload: JSON.stringify(payload), qos: 1 });
    await device.disconnect();
    const context = await browser.context();
    await context.clock.install({ time: Date.now() + hours * 3_600_000 });
    const page = await browser.page(context, "/machines");
    await page.getByText(said).waitFor();
    const row = page.locator("tbody tr", { hasText: "onerror" });
    await expect.poll(() => row.innerText()).toMatch(/(now|sec|min\.?) ?(ago)?/);
    expect(await row.innerText()).not.toMatch(/hrs? ago|ahead/);
  });

  it("a machine whose own clock is ahead is said to be ahead", async () => {
    const device = await openDevice({ access, port: service.mqttPort });
    const ahead = new Date(Date.now() + 20 * 60_000).toISOString();
    const payload = { latitude: 52.5, longitude: 13.4, timestamp: ahead };
    await device.publish({ payload: JSON.stringify(payload), qos: 1 });
    await device.disconnect();
    const page = await browser.page(await browser.context(), "/machines");
    const row = page.locator("tbody tr", { hasText: "onerror" });
    await row.waitFor();
    // The service keeps the time of receipt of such a position, and the page says which time it is.
    expect(await row.innerText()).not.toMatch(/-\d/);
  });
});
