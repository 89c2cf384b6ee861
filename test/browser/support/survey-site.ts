import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { writeHeapRaster } from "../../support/heap-raster.ts";
import { HEAP_FOOTPRINT, SITE } from "../../support/heap-survey.ts";
import { type ImageServer, openImageServer } from "../../support/image-server.ts";
import type { ServiceProcess } from "../../support/service-process.ts";
import { ConsoleBrowser } from "./console-browser.ts";
import { startConsoleService } from "./console-service.ts";

const ADMIN_KEY = "survey-site-admin-key-of-at-least-32-characters";
/** Heights of the heap at its two measurements, metres. */
const HEIGHTS_M = [3, 4.2] as const;

/** A service with the project `yard`, whose surveys come from a web server beside it, and a browser at its pages. */
export interface SurveySite extends AsyncDisposable {
  /** A folder for files of the story; it goes with the site. */
  readonly dir: string;
  readonly images: ImageServer;
  readonly service: ServiceProcess;
  readonly api: ApiClient;
  readonly browser: ConsoleBrowser;
}

export async function openSurveySite(): Promise<SurveySite> {
  const opened: (() => PromiseLike<unknown>)[] = [];
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    const dir = await mkdtemp(join(tmpdir(), "plumbline-surveys-"));
    opened.push(() => rm(dir, { recursive: true, force: true }));
    const images = await openImageServer();
    opened.push(() => images[Symbol.asyncDispose]());
    const service = await startConsoleService({
      dataDir: join(dir, "data"),
      adminKey: ADMIN_KEY,
      environment: { IMAGE_FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
    });
    opened.push(() => service.end("SIGTERM"));
    const api = createApiClient(service.http, ADMIN_KEY);
    const location = { latitude: SITE.latDeg, longitude: SITE.lonDeg };
    await api.post("/projects", { id: "yard", name: "Yard", location, time_zone: "UTC" });
    const browser = await ConsoleBrowser.launch(() => ({ origin: service.http, key: ADMIN_KEY }));
    opened.push(() => browser[Symbol.asyncDispose]());
    return { dir, images, service, api, browser, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A stockpile of the yard with an outline of `[longitude, latitude]`. */
export async function createPile(
  { api }: SurveySite,
  id: string,
  material: string,
  outline: readonly (readonly [number, number])[],
): Promise<void> {
  await api.post("/materials/stockpiles", {
    ...{ id, project_id: "yard", material, location: "Bay 1", max_capacity_m3: 500 },
    footprint: outline.map(([lng, lat]) => [lat, lng]),
  });
}

/** Measures a stockpile by images or a raster at those addresses, and yields the survey's id. */
export async function measurePile(
  { api }: SurveySite,
  id: string,
  images: readonly string[],
): Promise<string> {
  const path = `/materials/stockpiles/${id}`;
  await api.post(`${path}/measure`, { images });
  const { data } = await api.get<{ data: readonly { measurement_id: string }[] }>(
    `${path}/measurements`,
  );
  return data[0]?.measurement_id ?? "";
}

/** Puts a raster of the heap, so many metres high, on show and yields its address. */
export async function showHeap({ dir, images }: SurveySite, heightM: number): Promise<string> {
  const name = `heap-${heightM}.tif`;
  return images.serve(name, await readFile(await writeHeapRaster(join(dir, name), { heightM })));
}

/** Ids of two surveys, newest first, of a heap that grew: the stockpile `gravel`. */
export async function measureHeapTwice(site: SurveySite): Promise<readonly [string, string]> {
  await createPile(site, "gravel", "Gravel", HEAP_FOOTPRINT);
  const [low, high] = HEIGHTS_M;
  const earlier = await measurePile(site, "gravel", [await showHeap(site, low)]);
  return [await measurePile(site, "gravel", [await showHeap(site, high)]), earlier];
}
