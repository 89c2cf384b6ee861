import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromArrayBuffer, writeArrayBuffer } from "geotiff";
import sharp from "sharp";
import { coordinateSystem } from "../../../processing/coordinates/find-coordinate-system.ts";
import { brightonBeachFolder } from "../../support/brighton-beach.ts";
import { glbProblems } from "../../support/glb-validation.ts";
import { type Check, type CheckContext, seconds } from "./check.ts";
import { captureUntil, made, openSiteService, reportOf, sendCapture } from "./site-service.ts";

/** Drawn on the orthophoto along the eaves of the picnic kiosk; [lat, lng]. */
const KIOSK = [
  [46.842394, -91.993938],
  [46.842389, -91.993916],
  [46.842377, -91.993906],
  [46.842363, -91.993905],
  [46.842352, -91.993913],
  [46.842341, -91.993929],
  [46.842336, -91.993955],
  [46.842339, -91.993975],
  [46.842348, -91.993985],
  [46.842354, -91.993987],
  [46.842377, -91.993961],
] as const;
/** Of the meadow west of it: mown grass without a tree. */
const MEADOW = [
  [46.8424652, -91.9942532],
  [46.8424641, -91.9941222],
  [46.8423743, -91.994137],
  [46.8423842, -91.9942416],
] as const;
/** Height of the ground beside the kiosk in this survey, which consumer GPS places, metres. */
const GROUND_M = 158.6;
/** So far around the kiosk the ground is drawn, degrees: a metre. */
const ROOM_DEG = 1e-5;

/** A real flight as a drone capture, opened and inspected (issue, Must show 6). */
export const brighton: Check = {
  name: "brighton",
  about: "18 real photographs as a drone capture with two hand-drawn zones",
  async run(context) {
    const folder = brightonBeachFolder();
    if (folder === undefined) {
      return { skipped: "BRIGHTON_BEACH_DIR names no folder with images" };
    }
    const dir = join(folder, "images");
    const images = (await readdir(dir)).sort().map((name) => join(dir, name));
    await using site = await openSiteService();
    const { client } = site;
    const { expect, print } = context;
    await made(
      client.post("/projects", {
        id: "beach",
        name: "Brighton Beach",
        location: { latitude: 46.8424, longitude: -91.994 },
        time_zone: "America/Chicago",
        planned_start: "2017-05-01",
        planned_finish: "2017-09-01",
      }),
    );
    const zone = (body: object) =>
      made(client.post("/progress/zones", { project_id: "beach", ...body }));
    const surface = (id: string, of: "baseline" | "design", body: object) =>
      made(client.send("PUT", `/progress/zones/${id}/surfaces/${of}`, body));
    await zone({
      id: "kiosk",
      name: "Kiosk",
      polygon: KIOSK,
      metric: {
        kind: "height",
        levels: [
          { name: "Eaves", top_m: 2, weight: 1 },
          { name: "A storey that nobody built", top_m: 6, weight: 1 },
        ],
      },
    });
    await surface("kiosk", "baseline", { height_m: GROUND_M, reference: "survey" });
    await zone({
      id: "meadow",
      name: "Meadow",
      polygon: MEADOW,
      metric: { kind: "fill" },
    });
    await surface("meadow", "design", { height_m: 2.5, reference: "baseline" });

    const shown = site.images.show({ images });
    const flight = (urls: readonly string[], flown_at: string) =>
      sendCapture(client, {
        project_id: "beach",
        capture_type: "drone",
        images: urls,
        flight_metadata: { flown_at },
      });
    const sinceMs = performance.now();
    const first = await captureUntil(client, await flight(shown, "2017-07-01T15:00:00Z"));
    print(`18 images in ${seconds(performance.now() - sinceMs)}; ${JSON.stringify(first.zones)}`);
    expect(
      "18 real images are a completed capture with a report, every image used",
      first.status === "completed" &&
        first.report_id !== null &&
        first.images.every(({ status }) => status === "used"),
      `${first.status} ${first.error?.message ?? first.no_report ?? ""}`,
    );
    const report = await reportOf(client, first.report_id);
    const reported = Object.fromEntries(report.zones.map((one) => [one.name, one]));
    print(JSON.stringify(report.zones));
    expect(
      "a kiosk is not measured from heights placed by consumer GPS: it is refused",
      reported["Kiosk"]?.no_estimate === "dsm_not_suitable" &&
        reported["Kiosk"].raw_progress === null,
      reported["Kiosk"]?.notes[0],
    );
    expect(
      "a meadow without a baseline gets this flight as its baseline, and no percent is made up",
      reported["Meadow"]?.no_estimate === "baseline_taken" && reported["Meadow"].progress === 0,
      `${reported["Meadow"]?.no_estimate}`,
    );
    await openImages(context, report.images);

    const ground = await groundWithoutKiosk(first.products?.dsm_url ?? "");
    await made(client.send("PUT", "/progress/zones/kiosk/surfaces/baseline", ground, "image/tiff"));
    // The same day again, one photograph fewer: another survey of the same ground.
    const second = await captureUntil(client, await flight(shown.slice(1), "2017-07-08T15:00:00Z"));
    const later = await reportOf(client, second.report_id);
    const now = Object.fromEntries(later.zones.map((one) => [one.name, one]));
    print(JSON.stringify(later.zones));
    const [low = 0, high = 0] = now["Kiosk"]?.interval_95 ?? [];
    expect(
      "above a ground of the survey's own the eaves are measured as built and the missing storey is not; the interval is as wide as GPS places the zone",
      now["Kiosk"]?.method === "dsm_height" &&
        now["Kiosk"].progress >= 38 &&
        now["Kiosk"].progress <= 50 &&
        low < now["Kiosk"].progress &&
        high > now["Kiosk"].progress,
      `${now["Kiosk"]?.progress} % [${low}, ${high}] ${now["Kiosk"]?.notes.join(" ")}`,
    );
    expect(
      "nobody filled the meadow, and the report says 0, with an interval from 0",
      now["Meadow"]?.method === "dsm_volume" &&
        now["Meadow"].progress <= 3 &&
        now["Meadow"].interval_95?.[0] === 0,
      `${now["Meadow"]?.progress} % [${now["Meadow"]?.interval_95?.join(", ")}] ${now["Meadow"]?.no_estimate}`,
    );
    return undefined;
  },
};

/** The flight's own heights with level ground where the kiosk stands, as a surveyor would draw it. */
async function groundWithoutKiosk(dsmUrl: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(dsmUrl);
  const image = await (await fromArrayBuffer(await response.arrayBuffer())).getImage();
  const [cells] = await image.readRasters();
  if (!(cells instanceof Float32Array)) throw new Error("the surface holds no 32-bit floats");
  const [west = 0, north = 0] = image.getOrigin();
  const [cell = 0] = image.getResolution();
  const epsg = Number(image.getGeoKeys()?.["ProjectedCSTypeGeoKey"]);
  const system = coordinateSystem(`EPSG:${epsg}`);
  const lats = KIOSK.map(([lat]) => lat);
  const lngs = KIOSK.map(([, lng]) => lng);
  const isNear = (value: number, all: readonly number[], room: number) =>
    value > Math.min(...all) - room && value < Math.max(...all) + room;
  const width = image.getWidth();
  const bare = cells.map((height, i) => {
    const x = west + ((i % width) + 0.5) * cell;
    const y = north - (Math.floor(i / width) + 0.5) * cell;
    const [lng, lat] = system.toGeodetic(x, y);
    return isNear(lat, lats, ROOM_DEG) && isNear(lng, lngs, ROOM_DEG) ? GROUND_M : height;
  });
  const tiff = await writeArrayBuffer(bare, {
    ...{ width, height: image.getHeight() },
    ModelPixelScale: [cell, cell, 0],
    ModelTiepoint: [0, 0, 0, west, north, 0],
    GTRasterTypeGeoKey: 1,
    GTModelTypeGeoKey: 1,
    ProjectedCSTypeGeoKey: epsg,
    GDAL_NODATA: String(image.getGDALNoData()),
  });
  return new Uint8Array(tiff);
}

/** Opens what a report shows by its addresses, without a key, as a browser would. */
async function openImages(
  { expect, print, keep }: CheckContext,
  images: Readonly<Record<"orthomosaic_url" | "model_3d_url" | "map_url" | "kind", string>>,
): Promise<void> {
  const bytesOf = async (url: string): Promise<Uint8Array<ArrayBuffer>> => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} was answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const orthomosaic = await bytesOf(images.orthomosaic_url);
  const tiff = await (await fromArrayBuffer(orthomosaic.buffer)).getImage();
  const [west = 0, north = 0] = tiff.getOrigin();
  expect(
    "orthomosaic_url is a georeferenced TIFF of the beach in UTM zone 15 North",
    images.kind === "survey" &&
      tiff.getGeoKeys()?.["ProjectedCSTypeGeoKey"] === 32_615 &&
      Math.abs(west - 576_650) < 20 &&
      Math.abs(north - 5_188_209) < 20,
    `${tiff.getWidth()} x ${tiff.getHeight()} at ${west.toFixed(1)}, ${north.toFixed(1)}`,
  );
  const model = await bytesOf(images.model_3d_url);
  const problems = await glbProblems(model);
  expect(
    "model_3d_url is a GLB without an error by the Khronos validator",
    problems.errors === 0 && problems.triangles > 1_000,
    `${problems.triangles} triangles, ${problems.errors} errors, ${problems.warnings} warnings ${problems.messages.join("; ")}`,
  );
  const map = await bytesOf(images.map_url);
  const { width, height, format } = await sharp(map).metadata();
  expect(
    "map_url is a picture",
    (width ?? 0) > 200 && (height ?? 0) > 200,
    `${format} ${width} x ${height}`,
  );
  if (keep === undefined) return;
  await mkdir(keep, { recursive: true });
  await writeFile(join(keep, "brighton-orthomosaic.tif"), orthomosaic);
  await writeFile(join(keep, "brighton-model.glb"), model);
  await writeFile(join(keep, `brighton-map.${format}`), map);
  print(`kept in ${keep}`);
}
