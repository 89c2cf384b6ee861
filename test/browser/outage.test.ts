import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { openDevice } from "../support/mqtt-device.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import { createSite, type DeviceAccess } from "../support/site.ts";
import { openTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { ConsoleBrowser, HAS_BROWSER } from "./support/console-browser.ts";
import { startConsoleService } from "./support/console-service.ts";

const ADMIN_KEY = "browser-admin-key-of-at-least-32-characters";
const INSIDE = { latitude: 52.5, longitude: 13.4 };
const OUTSIDE = { latitude: 52.5006, longitude: 13.4 };
const RAMP = { latitude: 52.4991, longitude: 13.4 };
/** Longer than the 40 s without a byte after which a page gives its connection up, ms. */
const SILENT_MS = 41_000;

describe.skipIf(!HAS_BROWSER)("a console whose service goes away", () => {
  let dataDir: string;
  let service: ServiceProcess;
  let proxy: TcpProxy;
  let api: ApiClient;
  let access: DeviceAccess;
  let browser: ConsoleBrowser;
  /** By the clock of the machine: a fence is in force from its creation on, and nothing drives 60 m in no time. */
  let driveMs = 0;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "plumbline-outage-"));
    service = await start();
    proxy = await openTcpProxy(portOf(service));
    api = createApiClient(service.http, ADMIN_KEY);
    const devices = await createSite(api, "yard", ["digger-1"]);
    access = devices.get("digger-1") as DeviceAccess;
    await api.post("/equipment/geofences", {
      ...{ id: "pit", name: "Pit", project_id: "yard", alert_on: ["enter", "exit"] },
      polygon: [
        [52.4998, 13.3997],
        [52.4998, 13.4003],
        [52.5002, 13.4003],
        [52.5002, 13.3997],
      ],
    });
    browser = await ConsoleBrowser.launch(() => ({
      origin: `http://127.0.0.1:${proxy.port}`,
      key: ADMIN_KEY,
    }));
  });
  afterEach(async () => {
    proxy.restore();
    await browser.closeContexts();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await proxy?.close();
    await service?.end("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(environment: Readonly<Record<string, string>> = {}) {
    return await startConsoleService({ dataDir, adminKey: ADMIN_KEY, environment });
  }

  /** Sends two positions at each place, 5 s of the machine's time apart, until the service has stored each. */
  async function drive(places: readonly (typeof INSIDE)[]): Promise<void> {
    const device = await openDevice({ access, port: service.mqttPort });
    for (const place of places.flatMap((one) => [one, one])) {
      driveMs = Math.max(driveMs + 5_000, Date.now());
      const payload = { ...place, timestamp: new Date(driveMs).toISOString(), accuracy_meters: 2 };
      await device.publish({ payload: JSON.stringify(payload), qos: 1 });
    }
    await device.disconnect();
  }

  const storedAlerts = async () =>
    (
      await api.get<{ data: readonly { message: string }[] }>(
        "/equipment/alerts?status=open&limit=100",
      )
    ).data;
  const allAlerts = async () =>
    (await api.get<{ pagination: { total: number } }>("/equipment/alerts?limit=1")).pagination
      .total;
  const shownAlerts = (page: Page) => page.locator("main .choices li").count();
  const bar = (page: Page) => page.locator(".live-bar");

  it("says since when it is not live, goes on by itself, and misses and doubles no alert", async () => {
    const page = await browser.page(await browser.context(), "/alerts");
    await bar(page).waitFor({ state: "detached" });
    await drive([OUTSIDE, INSIDE]);
    await expect.poll(async () => (await storedAlerts()).length).toBeGreaterThan(0);
    await page.locator("main summary").first().click();
    await expect.poll(() => shownAlerts(page)).toBe((await storedAlerts()).length);

    const ports = { HTTP_PORT: String(portOf(service)), MQTT_PORT: String(service.mqttPort) };
    await service.end("SIGKILL");
    await bar(page)
      .getByText(/Not live since \d\d:\d\d:\d\d/)
      .waitFor();
    service = await start(ports);
    // While the page still waits for its next try.
    await drive([OUTSIDE, INSIDE, OUTSIDE]);
    const before = await allAlerts();
    await bar(page).waitFor({ state: "detached" });
    await drive([INSIDE, OUTSIDE]);
    await expect.poll(allAlerts).toBeGreaterThan(before);
    await expect
      .poll(async () => (await shownAlerts(page)) - (await storedAlerts()).length)
      .toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("a tab that takes the stream over in an outage misses no alert and no event", async () => {
    const square = { ...{ id: "ramp", name: "Ramp", project_id: "yard" }, alert_on: ["enter"] };
    await api.post("/equipment/geofences", {
      ...square,
      polygon: [
        [52.4989, 13.3997],
        [52.4989, 13.4003],
        [52.4993, 13.4003],
        [52.4993, 13.3997],
      ],
    });
    const context = await browser.context();
    const leader = await browser.page(context, "/machines");
    await bar(leader).waitFor({ state: "detached" });
    // Of the same session, so that they have no stream of their own.
    const [alerts, log] = [await context.newPage(), await context.newPage()];
    await alerts.goto(`http://127.0.0.1:${proxy.port}/alerts`);
    await log.goto(`http://127.0.0.1:${proxy.port}/events`);
    const lines = () => log.locator("tbody tr").count();
    const events = async () =>
      (await api.get<{ data: readonly unknown[] }>("/events?before=latest&limit=100")).data.length;
    await drive([OUTSIDE]);
    await expect.poll(async () => (await lines()) - (await events())).toBe(0);

    const ports = { HTTP_PORT: String(portOf(service)), MQTT_PORT: String(service.mqttPort) };
    await service.end("SIGKILL");
    await bar(alerts).getByText("Not live since").waitFor();
    await leader.close();
    proxy.hold();
    service = await start(ports);
    const before = await events();
    await drive([RAMP]);
    await expect.poll(events).toBeGreaterThan(before);
    await expect
      .poll(async () => (await storedAlerts()).some(({ message }) => message.includes("Ramp")))
      .toBe(true);
    proxy.restore();
    await Promise.all([alerts, log].map((page) => bar(page).waitFor({ state: "detached" })));
    await expect
      .poll(async () => (await alerts.locator("main").textContent()) ?? "")
      .toContain("Ramp");
    await expect.poll(async () => (await lines()) - (await events())).toBe(0);
    expect(browser.wrong).toEqual([]);
  });

  it("a stream that stalls is not taken for a live one", async () => {
    const context = await browser.context();
    await context.clock.install();
    const page = await browser.page(context, "/map");
    await bar(page).waitFor({ state: "detached" });
    proxy.hold();
    await context.clock.fastForward(SILENT_MS);
    await bar(page).getByText("Not live since").waitFor();
    // The machine stays where it was last seen, with its age beside it.
    expect(await page.locator(".machine-row").count()).toBe(1);
    proxy.restore();
    await bar(page).waitFor({ state: "detached" });
  });
});

const portOf = (service: ServiceProcess): number => Number(new URL(service.http).port);
