import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApiClient } from "../support/api-client.ts";
import { cameraScene } from "../support/camera-scene.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import { ConsoleBrowser, HAS_BROWSER, type Served } from "./support/console-browser.ts";
import { startConsoleService } from "./support/console-service.ts";
import {
  makeProgressSite,
  PROJECT,
  type ProgressSite,
  scenePicture,
  scheduleFile,
} from "./support/progress-site.ts";

const ADMIN_KEY = "browser-admin-key-of-at-least-32-characters";
/** Markup, and an override of the direction of writing. */
const HOSTILE = "<img src=x onerror=alert(1)> \u202Eرافعة 7";

describe.skipIf(!HAS_BROWSER)("progress in a browser", () => {
  let dataDir: string;
  let service: ServiceProcess;
  let site: ProgressSite;
  let browser: ConsoleBrowser;
  const served = (): Served => ({ origin: service.http, key: ADMIN_KEY });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "plumbline-browser-"));
    service = await startConsoleService({
      dataDir,
      adminKey: ADMIN_KEY,
      environment: { WORKERS: "1" },
    });
    site = await makeProgressSite(served());
    browser = await ConsoleBrowser.launch(served);
  });
  afterEach(() => browser.closeContexts());
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await service?.end("SIGTERM");
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  });

  /** Goes on with Tab to the control of that name. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let presses = 0; presses < 150; presses += 1) {
      const focused: string = await page.evaluate(
        "(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent; })()",
      );
      if (focused.trim().startsWith(name)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${name}`);
  }

  const api = () => createApiClient(service.http, ADMIN_KEY);
  const viewFile = async (day: number) => ({
    name: `view-${day}.jpg`,
    mimeType: "image/jpeg",
    buffer: await scenePicture(cameraScene(3), 0, day),
  });
  const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

  it("the project's figure has its interval, its plan, how sure the status is, and what was never seen", async () => {
    const page = await browser.page(await browser.context(), "/progress");
    await page.getByRole("link", { name: "Harbour yard" }).click();
    const headline = part(page, "How far the project is");
    await headline.getByText("with 95% confidence").waitFor();
    expect(await headline.textContent()).toContain("a straight line between the project's dates");
    expect(await headline.textContent()).toMatch(
      /of the [\d.]+% of the project that was ever seen/,
    );
    // The gate house has no labels yet: it is unknown, not 0.
    const row = page.locator(".zones-table tr", { hasText: "Gate house" });
    expect(await row.textContent()).toContain("never seen: not known");
    const changed = part(page, "What changed since the last report");
    const building = changed.locator("tr", { hasText: "Building A" });
    await building.getByText("It rose by more than the error of both figures.").waitFor();
    expect(await building.textContent()).toContain("+16.0");
    expect(await changed.locator("tr", { hasText: "Building B" }).textContent()).toContain(
      "Not seen again",
    );
    // Without an imported schedule there is no forecast, and the page says so.
    await page.getByText("A forecast needs an imported schedule.").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a schedule is read without being stored, its unmatched part is given to a zone by keys, and the curve has its plan", async () => {
    const page = await browser.page(await browser.context(), `/progress/${PROJECT}/setup/schedule`);
    await page.getByText("No schedule was imported yet.").waitFor();
    await page.getByLabel("Choose a schedule").setInputFiles({
      name: "site.xer",
      mimeType: "application/octet-stream",
      buffer: scheduleFile(),
    });
    const dryRun = part(page, "What an import would be");
    await dryRun.getByText("Primavera P6 (XER)").waitFor();
    const row = dryRun.locator(".match-row", { hasText: "BLB" }).first();
    expect(await row.textContent()).toContain("are of no zone");
    const missing = await api()
      .get(`/progress/projects/${PROJECT}/schedule`)
      .then(() => "stored", String);
    expect(missing).toContain("404");

    await tabTo(page, "Zone of SITE.BLB");
    await page.keyboard.type("Building B");
    await expect.poll(() => row.locator("select").inputValue()).toBe("h-b");
    await tabTo(page, "Give 1 row to its zone and import");
    await page.keyboard.press("Enter");
    await page.getByText("Imported as revision 1.").waitFor();
    const zone = await api().get<{ activities: { wbs: string[] } }>("/progress/zones/h-b");
    expect(zone.activities.wbs).toEqual(["SITE.BLB"]);
    const schedule = await api().get<{ zones: { zone_id: string; activities: number }[] }>(
      `/progress/projects/${PROJECT}/schedule`,
    );
    expect(schedule.zones.find(({ zone_id }) => zone_id === "h-b")?.activities).toBeGreaterThan(3);

    await page.getByRole("link", { name: "See the curve" }).click();
    const curve = part(page, "Plan, progress and forecast");
    await curve.getByText("planned, schedule revision 1").waitFor();
    expect(await curve.locator(".curve-report").count()).toBeGreaterThanOrEqual(2);
    expect(await curve.locator("path.curve-plan").first().getAttribute("d")).toMatch(/^M.*L/);
    await curve.getByText("The newest report is older than the schedule").waitFor();
    // The next report comes by itself, with a forecast and its interval, in words and as a line.
    await site.report(0);
    await curve.getByText(/At this pace it is finished on .*, between .* and .* with 95/).waitFor();
    await curve.getByRole("button", { name: "Show as a table" }).click();
    expect(await curve.locator("tbody tr").count()).toBe(3);
    expect(browser.wrong).toEqual([]);
  });

  it("the job of pictures without a flight leads to the report they made, and to no survey", async () => {
    const page = await browser.page(await browser.context(), `/jobs?project=${PROJECT}`);
    await page.locator("main .rows a").first().click();
    const card = page.locator("section", { has: page.locator("#job-title") });
    await card.getByRole("link", { name: "To the progress report" }).waitFor();
    expect(await card.getByRole("link", { name: "To the survey" }).count()).toBe(0);
    await card.getByRole("link", { name: "To the progress report" }).click();
    await part(page, "How far the project is").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("pictures are labelled by two keys each, and the next one is under the same keys", async () => {
    const page = await browser.page(await browser.context(), `/progress/${PROJECT}`);
    const labels = part(page, "Pictures that would teach most");
    await labels.getByText("2 pictures wait.").waitFor();
    const isShown = "document.querySelector('.label-card img').decode().then(() => true)";
    expect(await page.evaluate(isShown)).toBe(true);
    // As wide as the card, not as the camera.
    expect(
      await page.evaluate("new URL(document.querySelector('.label-card img').currentSrc).search"),
    ).toMatch(/&w=(640|1280)$/);
    // Of the flat the stage; which of the two comes first is the service's to say.
    await labels.locator("input").first().focus();
    const isStageShown = async () => (await labels.locator("input[type=radio]").count()) > 0;
    await page.keyboard.press((await isStageShown()) ? "2" : "4");
    await page.keyboard.press("Enter");
    await labels.getByText(/^Stored: /).waitFor();
    await labels.getByText("1 picture waits.").waitFor();
    // The wrong key was pressed: the label is taken back, and the picture asked about again.
    await labels.getByRole("button", { name: /^Take the label of .+ back$/ }).click();
    await labels.getByText(/^Taken back: /).waitFor();
    await labels.getByText("2 pictures wait.").waitFor();
    expect(await labels.getByRole("button", { name: "Take it back" }).count()).toBe(0);
    await labels.locator("input").first().focus();
    await page.keyboard.press((await isStageShown()) ? "2" : "4");
    await page.keyboard.press("Enter");
    await labels.getByText("1 picture waits.").waitFor();
    await page.keyboard.press((await isStageShown()) ? "2" : "4");
    await page.keyboard.press("Enter");
    await labels.getByText("No picture is asked about now").waitFor();
    const answers = await Promise.all(
      ["h-flat", "h-gate"].map((zone) =>
        api().get<{ data: { stage: string | null; progress: number }[] }>(
          `/progress/zones/${zone}/calibrations`,
        ),
      ),
    );
    expect(answers.map(({ data }) => data[0])).toMatchObject([
      { stage: "plaster", progress: 60 },
      { stage: null, progress: 40 },
    ]);
    expect(browser.wrong).toEqual([]);
  });

  it("an observation by hand is stored with its time and note, and shown as declared", async () => {
    const page = await browser.page(await browser.context(), `/progress/${PROJECT}`);
    const observed = part(page, "Observations by hand");
    const choice = observed.getByLabel("Zone", { exact: true });
    // Zones that nothing else measures come first.
    expect(await choice.locator("option").first().innerText()).toContain("observations alone");
    await choice.selectOption("h-b");
    const percent = observed.getByLabel("Percent done, as observed");
    await percent.fill("140");
    await observed.getByText("0 to 100").waitFor();
    await percent.fill("35,5");
    const at = observed.getByLabel(/^Observed at/);
    await at.fill("2090-01-01T08:00");
    await observed.getByLabel("Note (optional)").fill("second floor is shuttered");
    const store = observed.getByRole("button", { name: "Store the observation" });
    await store.click();
    // What has not been yet is refused at its field.
    await observed.locator(".field-error").waitFor();
    await at.fill("2026-03-05T08:00");
    await store.click();
    await observed.getByText("35.5%, declared").waitFor();
    const item = observed.locator(".observation-list li", { hasText: "second floor is shuttered" });
    expect(await item.innerText()).toMatch(/35\.5%, declared without an interval/);
    const { data } = await api().get<{ data: { progress: number; observed_at: string }[] }>(
      "/progress/zones/h-b/observations",
    );
    const stored = data.find(({ progress }) => progress === 35.5);
    expect(stored?.observed_at.slice(0, 10)).toBe("2026-03-05");
    // Of a zone of stages the stage is enough.
    await choice.selectOption("h-flat");
    await observed.getByLabel("Stage").selectOption("paint");
    expect(await observed.getByLabel("Percent done, as observed").count()).toBe(0);
    await observed.getByLabel(/^Observed at/).fill("2026-03-05T09:00");
    await store.click();
    await observed.getByText(/^100(\.0)?%, declared/).waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a photograph is stored with an observation and shown beside it, small; what is none is refused in words", async () => {
    const page = await browser.page(await browser.context(), `/progress/${PROJECT}`);
    const observed = part(page, "Observations by hand");
    await observed.getByLabel("Zone", { exact: true }).selectOption("h-b");
    await observed.getByLabel("Percent done, as observed").fill("41");
    await observed.getByLabel("Note (optional)").fill(HOSTILE);
    const photo = observed.getByLabel("Photograph (optional)");
    const store = observed.getByRole("button", { name: "Store the observation" });
    const buffer = Buffer.from("<svg onload=alert(1)>");
    await photo.setInputFiles({ name: "wall.jpg", mimeType: "image/jpeg", buffer });
    await store.click();
    await observed
      .getByRole("alert")
      .getByText(/wall\.jpg/)
      .waitFor();
    await photo.setInputFiles(await viewFile(9));
    await store.click();
    const item = observed.locator(".observation-list li", { hasText: /41(\.0)?%, declared/ });
    const picture = item.getByRole("img", { name: /^Photograph of Building B, / });
    await picture.waitFor();
    expect(await item.innerText()).toContain(HOSTILE);
    expect(await page.locator("main img[src=x]").count()).toBe(0);
    await picture.scrollIntoViewIfNeeded();
    const shown = "document.querySelector('.observation-list img')";
    expect(await page.evaluate(`${shown}.decode().then(() => ${shown}.src)`)).toMatch(/&w=320$/);
    // The whole of it is behind the small one, for who has the signed address.
    const whole = await page.request.get(
      new URL(String(await item.getByRole("link").getAttribute("href")), page.url()).href,
    );
    expect([whole.status(), whole.headers()["content-type"]]).toEqual([200, "image/jpeg"]);
    // The next observation begins without it.
    expect(await photo.inputValue()).toBe("");
    expect(browser.wrong).toEqual([]);
  });

  it("a correction makes the next revision, and the report before it stays", async () => {
    const page = await browser.page(await browser.context(), `/progress/${PROJECT}`);
    await page.getByText("Correct a zone of this report").click();
    await page.getByLabel("Percent done when the pictures were taken").fill("52");
    await page.getByLabel("Why (optional)").fill("the north wall was hidden");
    await page.getByRole("button", { name: "Correct", exact: true }).click();
    await part(page, "How far the project is").getByText("the north wall was hidden").waitFor();
    const newest = page.locator(".report-list li").first();
    await newest.getByRole("button", { name: "Details" }).click();
    await newest.getByText("2 · corrected by").waitFor();
    const [report] = await Promise.all([
      page.context().waitForEvent("page"),
      newest.getByRole("link", { name: "Open to print" }).click(),
    ]);
    await report.getByText("the north wall was hidden").first().waitFor();
    await newest.getByRole("link", { name: "The report before this correction" }).waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a zone with its stages is drawn by the table of corners and kept, and another's change is not overwritten", async () => {
    const page = await browser.page(await browser.context(), `/progress/${PROJECT}/setup`);
    await page.getByRole("button", { name: "Draw a zone" }).click();
    for (const pair of ["50.501, 9.9", "50.501, 9.901", "50.502, 9.901"]) {
      await page.getByLabel("Latitude", { exact: true }).fill(pair);
      await page.getByRole("button", { name: "Add corner" }).click();
    }
    await page.getByLabel("Name", { exact: true }).fill("Annex");
    await page.getByLabel("Progress is measured by").selectOption("height");
    await page.getByLabel("Level", { exact: true }).fill("Slab");
    await page.getByLabel("Top above the baseline").fill("0.4");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "Annex" }).waitFor();
    const { data } = await api().get<{ data: { id: string; name: string; metric: object }[] }>(
      `/progress/zones?project_id=${PROJECT}`,
    );
    const annex = data.find(({ name }) => name === "Annex");
    expect(annex?.metric).toMatchObject({ kind: "height", levels: [{ name: "Slab", top_m: 0.4 }] });

    await page.getByRole("button", { name: "Change Annex" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Annex north");
    await fetch(`${service.http}/api/v1/progress/zones/${annex?.id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Annex of somebody else" }),
    });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const conflict = page.getByRole("alert", { name: "Somebody changed this zone meanwhile" });
    await conflict.getByText("Annex of somebody else").waitFor();
    expect(browser.wrong).toEqual([]);
  });

  it("a zone is outlined in the view of a camera by the table", async () => {
    const page = await browser.page(await browser.context(), `/progress/${PROJECT}/setup/cameras`);
    await page.getByRole("button", { name: "Outlines in the view of Gate camera" }).click();
    await page.getByLabel("Zone to outline").selectOption("h-b");
    for (const [left, top] of [
      ["10", "10"],
      ["30", "10"],
      ["30", "40"],
    ] as const) {
      await page.getByLabel("From left, %").fill(left);
      await page.getByLabel("From top, %").fill(top);
      await page.getByRole("button", { name: "Add corner" }).click();
    }
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Sees 2 zones").waitFor();
    const camera = await api().get<{ zones: { zone_id: string; outline: number[][] }[] }>(
      "/progress/cameras/h-cam",
    );
    expect(camera.zones.find(({ zone_id }) => zone_id === "h-b")?.outline).toEqual([
      [0.1, 0.1],
      [0.3, 0.1],
      [0.3, 0.4],
    ]);
  });

  it("a camera is added with its view, outlined at once, gets another view, and is removed after a question", async () => {
    const page = await browser.page(await browser.context(), `/progress/${PROJECT}/setup/cameras`);
    await page.getByText("Add a camera").click();
    const form = page.getByRole("form", { name: "Add a camera" });
    await form.getByLabel("Name of the camera").fill("Crane <b>cam");
    const add = form.getByRole("button", { name: "Add the camera" });
    expect(await add.isDisabled()).toBe(true);
    const view = form.getByLabel("Reference view");
    await view.setInputFiles({ name: "v.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no") });
    await add.click();
    // What is no picture is refused in words.
    await form.getByRole("alert").waitFor();
    await view.setInputFiles(await viewFile(3));
    await add.click();
    await page.getByLabel("Zone to outline").waitFor();
    const cameras = async () =>
      (
        await api().get<{ data: { id: string; name: string; reference_sha256: string }[] }>(
          `/progress/cameras?project_id=${PROJECT}`,
        )
      ).data.filter(({ name }) => name === "Crane <b>cam");
    const [made] = await cameras();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("New reference view of Crane <b>cam").setInputFiles(await viewFile(5));
    await page.getByText("The reference view is stored.").waitFor();
    const [changed] = await cameras();
    expect(changed?.id).toBe(made?.id);
    expect(changed?.reference_sha256).not.toBe(made?.reference_sha256);
    await page.getByRole("button", { name: "Delete Crane <b>cam" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Its labels go with it.").waitFor();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page
      .getByRole("heading", { name: "Crane <b>cam", exact: true })
      .waitFor({ state: "detached" });
    expect(await cameras()).toEqual([]);
    expect(browser.wrong).toEqual([]);
  });

  it("who may see another project alone sees nothing of this one", async () => {
    await api().post("/projects", {
      ...{ id: "quay", name: "Quay", location: { latitude: 50.6, longitude: 9.9 } },
    });
    const { key } = await api().post<{ key: string }>("/keys", {
      ...{ name: "Quay only", scopes: ["progress:read"], project_ids: ["quay"] },
    });
    const limited = { origin: service.http, key };
    const page = await browser.page(await browser.context(), "/progress", limited);
    await page.getByRole("link", { name: "Quay" }).waitFor();
    expect(await page.locator("main").textContent()).not.toContain("Harbour");
    const other = await browser.page(await browser.context(), `/progress/${PROJECT}`, limited);
    await other.getByRole("alert").first().waitFor();
    const text = await other.locator("main").textContent();
    expect(text).not.toContain("Building");
    expect(text).not.toContain("Harbour");
    // Nor is there a button for what the key may not do.
    expect(await other.getByRole("button", { name: "Save the label" }).count()).toBe(0);
  });
});
