import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { PATIENT_MS } from "../../support/patience.ts";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.ts";

/**
 * Whether this machine has a browser; suites are skipped by name where it has none, unless `REQUIRE_BACKENDS` makes
 * that a failure.
 */
export const HAS_BROWSER =
  findChromium() !== undefined ||
  (process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes("chromium");

/** How a person looks at the pages. */
export interface Viewer {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly locale?: string;
  /** With fingers: no hover, and taps. */
  readonly hasTouch?: boolean;
  /** With a contrast theme of the system, black on white or white on black by `theme`. */
  readonly hasForcedColours?: boolean;
  /** IANA name of the zone of the browser; absent: that of the machine. */
  readonly zone?: string;
}

/** Where the pages are, and a key that may see them. */
export interface Served {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly key: string;
}

/**
 * A browser at a served console. What no page may do is collected in `wrong`: break its content security policy,
 * throw, or ask another server.
 */
export class ConsoleBrowser implements AsyncDisposable {
  readonly wrong: string[] = [];
  readonly #browser: Browser;
  readonly #served: () => Served;
  readonly #contexts: BrowserContext[] = [];

  private constructor(browser: Browser, served: () => Served) {
    this.#browser = browser;
    this.#served = served;
  }

  /** @param served Asked at each page: a service that is started again may have another address. */
  static async launch(served: () => Served): Promise<ConsoleBrowser> {
    const browser = await chromium.launch({
      executablePath: findChromium() ?? "chromium",
      args: CHROMIUM_FLAGS,
    });
    return new ConsoleBrowser(browser, served);
  }

  /** A browser profile of its own: cookies and storage of nobody else. */
  async context(viewer: Viewer = {}): Promise<BrowserContext> {
    const { width = 1280, height = 800, theme = "light", locale = "en-GB", hasTouch } = viewer;
    const { zone, hasForcedColours = false } = viewer;
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      forcedColors: hasForcedColours ? "active" : "none",
      locale,
      ...(hasTouch === true ? { hasTouch, isMobile: true } : {}),
      ...(zone === undefined ? {} : { timezoneId: zone }),
    });
    context.setDefaultTimeout(PATIENT_MS);
    this.#contexts.push(context);
    const { origin } = this.#served();
    context.on("weberror", (error) => this.wrong.push(String(error.error())));
    context.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) this.wrong.push(message.text());
    });
    context.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin)) {
        this.wrong.push(request.url());
      }
    });
    return context;
  }

  /** A page at a path, logged in by a key in the fragment of the address, as the demo's link does. */
  async page(
    context: BrowserContext,
    path: string,
    { origin, key }: Served = this.#served(),
  ): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}${path}#key=${key}`);
    await page
      .getByRole("navigation")
      .first()
      .waitFor()
      .catch(async (error: Error) => {
        const shown = await page.locator("body").innerText();
        throw new Error(`${path} did not open; the page shows: ${shown}`, { cause: error });
      });
    return page;
  }

  /** Between tests: what each has opened. */
  async closeContexts(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
