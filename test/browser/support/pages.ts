import type { Page } from "playwright-core";
import { PILE } from "./measured-pile.ts";
import { PROJECT as PROGRESS_PROJECT } from "./progress-site.ts";

/** A page of the console and what shows that it is there with its figures. */
export interface ConsolePage {
  /** In names of tests and files. */
  readonly name: string;
  readonly path: string;
  /** Its heading is a name that somebody gave, in no language of the console. */
  readonly hasGivenName?: true;
  /** Opens what the address alone does not, and resolves when what a person came for is there; in any language. */
  readonly ready: (page: Page) => Promise<void>;
}

const rows = async (page: Page): Promise<void> => {
  await page.locator("main tbody tr").first().waitFor();
};

/** Looks of one day; the whole of them is four days of continuous integration, or one run by hand. */
const PARTS = 4;
const DAY_MS = 86_400_000;

/** All of what is looked at, or a quarter of it, another one each day, where `LOOKS` is `quarter`. */
export function looksOfToday<T>(looks: readonly T[]): readonly T[] {
  if (process.env["LOOKS"] !== "quarter") return looks;
  const part = Math.floor(Date.now() / DAY_MS) % PARTS;
  return looks.filter((_, i) => i % PARTS === part);
}

const LISTED = ".set-list > li, .empty-title";

/** Plans are of one project: where there are several, one is chosen. */
async function choosePlans(page: Page): Promise<void> {
  const choice = page.locator("main .filters select");
  await choice.or(page.locator(LISTED)).first().waitFor();
  // The last one has machines in all suites.
  const last = choice.locator("option").last();
  if ((await choice.count()) > 0) await choice.selectOption(await last.getAttribute("value"));
  await page.locator(LISTED).first().waitFor();
}

/** Every page, of the demo's fleet, a measured stockpile and a project with reports, for what holds on all of them. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  {
    name: "overview",
    path: "/",
    ready: (page) => page.locator("main .figures li").first().waitFor(),
  },
  {
    name: "map",
    path: "/map",
    async ready(page) {
      await page.locator(".maplibregl-canvas").waitFor();
      await page.locator(".machine-row").nth(19).waitFor();
    },
  },
  {
    name: "map-card",
    path: "/map?asset=site-a-crane-01&layers=fences,zones,piles",
    async ready(page) {
      await page.locator(".maplibregl-canvas").waitFor();
      // It shows alerts where there are any by then.
      await page.locator(".machine-card").waitFor();
    },
  },
  { name: "machines", path: "/machines", ready: rows },
  {
    name: "track",
    path: "/machines/site-a-excavator-01/track",
    ready: (page) => page.locator(".u-over").first().waitFor(),
  },
  {
    name: "fences",
    path: "/fences",
    ready: (page) => page.locator(".machine-row").first().waitFor(),
  },
  {
    name: "fence-editor",
    path: "/fences",
    async ready(page) {
      await page.locator(".tool-row .main").click();
      await page.locator(".new-corner input").first().waitFor();
    },
  },
  { name: "surveys", path: "/surveys", ready: rows },
  {
    name: "survey",
    path: "/surveys",
    async ready(page) {
      await page.locator("main tbody a").first().click();
      await page.locator(".maplibregl-canvas").waitFor();
      await page.locator("main dl").first().waitFor();
    },
  },
  {
    name: "survey-compared",
    path: "/surveys",
    async ready(page) {
      await page.locator("main tbody a").first().click();
      await page.locator("main select").selectOption({ index: 1 });
      await page.locator(".maplibregl-canvas").nth(1).waitFor();
    },
  },
  {
    name: "survey-change",
    path: "/surveys",
    async ready(page) {
      await page.locator("main tbody a").first().click();
      await page.locator("main select").selectOption({ index: 1 });
      await page.locator("section[aria-labelledby=survey-change] input").check();
      await page.locator(".change-ramp").waitFor();
    },
  },
  {
    name: "survey-3d",
    path: "/surveys",
    async ready(page) {
      await page.locator("main tbody a").first().click();
      await page.locator("main a[href*='/3d']").first().click();
      await page.locator("main canvas").first().waitFor();
    },
  },
  { name: "events", path: "/events", ready: rows },
  {
    name: "register",
    path: "/register",
    ready: (page) => page.locator("main form select").first().waitFor(),
  },
  ...["", "/use", "/readings", "/maintenance", "/device"].map((part) => ({
    name: `machine${part}`,
    path: `/machines/site-a-haul-truck-01${part}`,
    hasGivenName: true as const,
    ready: (page: Page) => page.locator("main h2").first().waitFor(),
  })),
  ...["/stockpiles", "/stockpiles?view=table"].map((path) => ({
    name: path === "/stockpiles" ? "stockpiles" : "stockpile-table",
    path,
    ready: (page: Page) => page.locator(".pile-card, tbody tr").first().waitFor(),
  })),
  {
    name: "stockpile",
    path: `/stockpiles/${PILE.id}`,
    hasGivenName: true,
    async ready(page) {
      await page.locator(".maplibregl-canvas").waitFor();
      await page.locator(".pile-history").first().waitFor();
      await page.locator("main a[href*='/files/']").first().waitFor();
    },
  },
  {
    name: "stockpile-new",
    path: "/stockpiles",
    async ready(page) {
      await page.locator(".tool-row .main").click();
      await page.locator(".new-corner input").first().waitFor();
    },
  },
  {
    name: "utilisation",
    path: "/utilisation",
    ready: (page) => page.locator(".heat tbody tr").first().waitFor(),
  },
  {
    name: "progress-projects",
    path: "/progress",
    ready: (page) => page.locator("main .card").first().waitFor(),
  },
  {
    name: "progress",
    path: `/progress/${PROGRESS_PROJECT}`,
    hasGivenName: true,
    async ready(page) {
      await page.locator(".zones-table tbody tr").first().waitFor();
      await page.locator(".label-card").waitFor();
    },
  },
  ...["", "/schedule", "/surfaces", "/cameras"].map((part) => ({
    name: `progress-setup${part}`,
    path: `/progress/${PROGRESS_PROJECT}/setup${part}`,
    ready: (page: Page) => page.locator("main h2").first().waitFor(),
  })),
  {
    name: "upload",
    path: "/upload",
    ready: (page) => page.locator("input[type=file]").first().waitFor(),
  },
  {
    name: "jobs",
    path: "/jobs",
    ready: (page) => page.locator("main .rows li").first().waitFor(),
  },
  { name: "alerts", path: "/alerts", ready: (page) => page.locator("main h1").waitFor() },
  {
    name: "service",
    path: "/service",
    ready: (page) => page.locator(".sign-ins li").first().waitFor(),
  },
  ...["projects", "keys", "webhooks", "forwarders", "fleet-sources", "mappings"].map((part) => ({
    name: `settings/${part}`,
    path: `/settings/${part}`,
    // The demo has projects and a key; of the others there is none.
    ready: (page: Page) => page.locator(LISTED).first().waitFor(),
  })),
  { name: "settings/plans", path: "/settings/plans", ready: choosePlans },
  ...["projects", "keys", "webhooks", "forwarders", "fleet-sources", "mappings"].map((part) => ({
    name: `settings-new/${part}`,
    path: `/settings/${part}`,
    async ready(page: Page) {
      await page.locator(".set-head .main").click();
      await page.locator("form.form input").first().waitFor();
    },
  })),
  {
    name: "settings-plan",
    path: "/settings/plans",
    async ready(page) {
      await choosePlans(page);
      await page.locator(".set-list button").first().click();
      await page.locator("form.form fieldset button").first().click();
      await page.locator(".set-row input").first().waitFor();
    },
  },
  {
    name: "help",
    path: "/help",
    ready: (page) => page.locator(".licences li").first().waitFor(),
  },
  {
    name: "not-found",
    path: "/no-such-page",
    ready: (page) => page.locator("main h1").waitFor(),
  },
];
