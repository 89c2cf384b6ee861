import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import type { Survey } from "../../../api/site-surveys/survey-schemas.ts";
import type { Volume } from "../../../api/site-surveys/volume-schemas.ts";
import { brightonBeachFolder } from "../../support/brighton-beach.ts";
import { readScene } from "../../support/glb-scene.ts";
import { type Check, type CheckContext, seconds } from "./check.ts";
import {
  ADMIN_KEY,
  captureUntil,
  made,
  openSiteService,
  type SiteService,
} from "./site-service.ts";

const run = promisify(execFile);
/** Half a metre around the roof of the picnic kiosk; [lat, lng]. */
const KIOSK = [
  [46.8423986, -91.993942],
  [46.8423936, -91.993913],
  [46.8423785, -91.9939],
  [46.8423624, -91.9938985],
  [46.8423494, -91.993907],
  [46.842336, -91.993924],
  [46.84233, -91.993956],
  [46.842331, -91.993979],
  [46.8423419, -91.9939921],
  [46.8423501, -91.9939946],
  [46.842379, -91.9939641],
] as const;
/** A level in the heights of the survey, metres: below the ground around the kiosk, so that nothing is below it. */
const LEVEL_M = 157;
/** What the API rounds volumes and heights to: m³ and m. */
const ROUNDED = 0.001;
/** How far a scene may reach beyond the bounds of its survey, metres: a cell; and lie within them: what corners take. */
const SAME_PLACE_M = 0.5;
const CORNERS_M = 6;
/** Metres of a degree of latitude. */
const DEGREE_M = 111_194;

/** Measuring by hand against `measure`, and products of a really flown survey by readers that are not ours. */
export const brightonByHand: Check = {
  name: "brighton-by-hand",
  about:
    "a real flight sent for its survey alone, measured by hand, and its products by other readers",
  async run(context) {
    const folder = brightonBeachFolder();
    if (folder === undefined) {
      return { skipped: "BRIGHTON_BEACH_DIR names no folder with images" };
    }
    const dir = join(folder, "images");
    const images = (await readdir(dir)).sort().map((name) => join(dir, name));
    await using site = await openSiteService();
    await made(
      site.client.post("/projects", {
        ...{ id: "beach", name: "Brighton Beach" },
        location: { latitude: 46.8424, longitude: -91.994 },
      }),
    );
    const shown = site.images.show({ images });
    const whole = await surveyOf(context, site, shown, "2017-07-01T15:00:00Z");
    await byHand(context, site, whole, shown);
    await heightsByGdal(context, site, whole);
    await scenes(context, site, whole);
    const most = shown.filter((_, i) => i % 4 !== 3);
    const other = await surveyOf(context, site, most, "2017-07-08T15:00:00Z");
    await changeTiles(context, site, other, whole);
    return undefined;
  },
};

/** Sends images for their survey alone, waits for it and yields it. */
async function surveyOf(
  { expect, print }: CheckContext,
  { client }: SiteService,
  images: readonly string[],
  flown_at: string,
): Promise<Survey> {
  const sinceMs = performance.now();
  const body = { project_id: "beach", images, flight_metadata: { flown_at } };
  const id = String((await made(client.post("/surveys", body)))["id"]);
  const capture = await captureUntil(client, id);
  print(`${images.length} images in ${seconds(performance.now() - sinceMs)}`);
  const used = capture.images.filter(({ status }) => status === "used").length;
  expect(
    `${images.length} photographs become a survey, every one of them used`,
    capture.status === "completed" && used === images.length,
    `${capture.status}, ${used} used ${capture.error?.message ?? ""} ${capture.warnings.join(" ")}`,
  );
  return (await made(client.get(`/surveys/${id}`))) as unknown as Survey;
}

/**
 * The preview of a stockpile's own footprint is what `measure` measured. The same drawn on the survey stays where it is
 * drawn, and is not moved onto the heap as one of a map is where consumer GPS placed the survey.
 */
async function byHand(
  { expect, print }: CheckContext,
  { client }: SiteService,
  flown: Survey,
  images: readonly string[],
): Promise<void> {
  const volume = async (survey: string, base: object) =>
    (await made(
      client.post(`/surveys/${survey}/volume`, { footprint: KIOSK, base }),
    )) as unknown as Volume;
  for (const base of [{ method: "plane" }, { method: "level", height_m: LEVEL_M }]) {
    const pile = `kiosk-${base.method}`;
    await made(
      client.post("/materials/stockpiles", {
        ...{ id: pile, project_id: "beach", material: "Kiosk", location: "Beach" },
        ...{ max_capacity_m3: 500, footprint: KIOSK, base },
      }),
    );
    const sinceMs = performance.now();
    const measured = await made(client.post(`/materials/stockpiles/${pile}/measure`, { images }));
    print(`measured in ${seconds(performance.now() - sinceMs)}: ${JSON.stringify(measured)}`);
    const list = await made(client.get(`/materials/stockpiles/${pile}/measurements`));
    const [newest] = list["data"] as readonly {
      readonly measurement_id: string;
      readonly current_volume_m3: number;
      readonly uncertainty_95_m3: number;
    }[];
    if (newest === undefined) throw new Error(`nothing was measured of ${pile}`);
    const same = (await made(
      client.post(`/materials/stockpiles/${pile}/preview-volume`, { footprint: KIOSK }),
    )) as unknown as Volume;
    expect(
      `above a ${base.method} the preview of the same footprint is what measure measured, and so is its interval`,
      Math.abs(same.net_m3 - newest.current_volume_m3) <= ROUNDED &&
        Math.abs(same.uncertainty_95_m3 - newest.uncertainty_95_m3) <= ROUNDED &&
        same.accuracy_basis === "survey",
      `${same.net_m3} ± ${same.uncertainty_95_m3} and ${newest.current_volume_m3} ± ${newest.uncertainty_95_m3} m3`,
    );
    const drawn = await volume(newest.measurement_id, base);
    expect(
      `above a ${base.method} the footprint as it is drawn gives it within a tenth of its interval`,
      Math.abs(drawn.net_m3 - same.net_m3) < same.uncertainty_95_m3 / 10,
      `${drawn.net_m3} ± ${drawn.uncertainty_95_m3} m3`,
    );
    const alone = await volume(flown.id, base);
    expect(
      `above a ${base.method} the same images sent for their survey alone give what is drawn on the measurement's survey`,
      Math.abs(alone.net_m3 - drawn.net_m3) <= ROUNDED &&
        Math.abs(alone.uncertainty_95_m3 - drawn.uncertainty_95_m3) <= ROUNDED &&
        alone.accuracy_basis === "survey",
      `${alone.net_m3} ± ${alone.uncertainty_95_m3} m3, of which ${alone.rounded_off_m3 ?? 0} are rounded off; ${alone.accuracy_basis}`,
    );
  }
}

/** Heights of places by the API and by GDAL, at the middles of cells and between four of them. */
async function heightsByGdal(
  { expect, print }: CheckContext,
  { client }: SiteService,
  { id, products }: Survey,
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-brighton-"));
  try {
    const file = join(dir, "surface.tif");
    await writeFile(file, await bytesOf(products.surface_url));
    const info = await run("gdalinfo", ["-json", file]).catch((error: { code?: unknown }) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (info === undefined) {
      print("skipped heights by gdalinfo and gdallocationinfo: this machine does not have them");
      return;
    }
    const { size } = JSON.parse(info.stdout) as { size: readonly [number, number] };
    const read = async (command: string, args: readonly string[], lines: readonly string[]) => {
      const child = run(command, [...args]);
      child.child.stdin?.end(lines.join("\n"));
      return (await child).stdout.trim().split("\n");
    };
    let [compared, worstM, unknown] = [0, 0, 0];
    for (const share of [0.3, 0.4, 0.5, 0.6, 0.7]) {
      const [column, row] = size.map((cells) => Math.floor(cells * share)) as [number, number];
      const around = [0, 1].flatMap((down) =>
        [0, 1].map((right) => `${column + right} ${row + down}`),
      );
      const values = (await read("gdallocationinfo", ["-valonly", file], around)).map(Number);
      const [first = Number.NaN] = values;
      const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
      const places = [`${column + 0.5} ${row + 0.5}`, `${column + 1} ${row + 1}`];
      const degrees = await read("gdaltransform", ["-t_srs", "EPSG:4326", file], places);
      for (const [i, expected] of [first, mean].entries()) {
        const [lng = 0, lat = 0] = (degrees[i] ?? "").split(" ").map(Number);
        const answer = await client.get(`/surveys/${id}/height?at=${lat},${lng}`);
        if (answer.status === 404) {
          unknown += 1;
          continue;
        }
        const heightM = Number(answer.body["height_m"]);
        print(`${lat.toFixed(7)}, ${lng.toFixed(7)}: ${heightM} m, by GDAL ${expected.toFixed(4)}`);
        worstM = Math.max(worstM, Math.abs(heightM - expected));
        compared += 1;
      }
    }
    expect(
      "heights of places are those that GDAL reads of the surface",
      compared >= 6 && worstM <= ROUNDED,
      `${compared} places, ${(worstM * 1_000).toFixed(2)} mm at most, ${unknown} without a height`,
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Points and model in three's own reader lie where the survey says that it lies. */
async function scenes(
  { expect }: CheckContext,
  { client }: SiteService,
  { id, bounds, products, lowest_m, highest_m }: Survey,
): Promise<void> {
  if (
    bounds === null ||
    lowest_m === null ||
    highest_m === null ||
    products.model_3d_url === null
  ) {
    throw new Error("the survey does not say where it lies");
  }
  const metres = [
    DEGREE_M * Math.cos((bounds.north * Math.PI) / 180),
    DEGREE_M,
    DEGREE_M * Math.cos((bounds.north * Math.PI) / 180),
    DEGREE_M,
  ];
  for (const [name, bytes] of [
    ["points.glb", await keyedBytes(`${client.url}/api/v1/surveys/${id}/points.glb`)],
    ["model.glb", await bytesOf(products.model_3d_url)],
  ] as const) {
    const scene = await readScene(bytes);
    const edges = [scene.west, scene.south, scene.east, scene.north];
    const stated = [bounds.west, bounds.south, bounds.east, bounds.north];
    const apartM = edges.map((edge, i) => (edge - (stated[i] ?? 0)) * (metres[i] ?? 0));
    const [west = 0, south = 0, east = 0, north = 0] = apartM;
    // Rows of a map in UTM are turned against the parallels here, by 0.7 degrees, and its corners have no heights.
    expect(
      `${name} opens in GLTFLoader and fills the survey's extent`,
      Math.min(west, south, -east, -north) > -SAME_PLACE_M &&
        Math.max(west, south, -east, -north) < CORNERS_M &&
        Math.abs(scene.highestM - scene.lowestM - (highest_m - lowest_m)) < 0.5,
      `${scene.vertices} vertices; edges ${apartM.map((m) => m.toFixed(2)).join(", ")} m off; ${(scene.highestM - scene.lowestM).toFixed(2)} m high, the survey ${(highest_m - lowest_m).toFixed(2)} m`,
    );
  }
}

/**
 * Tiles of the change between a flight and three quarters of its photographs. Consumer GPS places each by itself, so
 * that they may lie apart as a whole; what is left is to be nothing.
 */
async function changeTiles(
  { expect, print }: CheckContext,
  { client }: SiteService,
  later: Survey,
  { id: since }: Survey,
): Promise<void> {
  const { bounds, tiles } = later;
  if (bounds === null || tiles === null) throw new Error("the survey has no tiles");
  const { max_zoom } = tiles.heights;
  const [east, north] = [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2];
  let [grey, seen] = [0, 0];
  for (const z of [max_zoom, max_zoom - 2, max_zoom - 4]) {
    const x = Math.floor(((east + 180) / 360) * 2 ** z);
    const latitude = (north * Math.PI) / 180;
    const y = Math.floor(((1 - Math.asinh(Math.tan(latitude)) / Math.PI) / 2) * 2 ** z);
    const address = `${client.url}/api/v1/surveys/${later.id}/change/${since}/${z}/${x}/${y}.webp?noise_m=0.25`;
    const { data, info } = await sharp(await keyedBytes(address))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    let [greyHere, seenHere] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 0) continue;
      seenHere += 1;
      const colour = [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0];
      if (Math.max(...colour) - Math.min(...colour) < 24) greyHere += 1;
    }
    const share = ((100 * greyHere) / seenHere).toFixed(1);
    print(`zoom ${z}: ${info.width} px, ${seenHere} with both heights, ${share} % within 25 cm`);
    [grey, seen] = [grey + greyHere, seen + seenHere];
  }
  expect(
    "tiles of the change between a flight and three quarters of its photographs are drawn",
    seen > 10_000,
    `${seen} pixels`,
  );
  const line = `from=${bounds.south},${bounds.west}&to=${bounds.north},${bounds.east}`;
  const { points } = (await made(
    client.get(`/surveys/${later.id}/profile?${line}&max_points=1000&compare_with=${since}`),
  )) as unknown as {
    readonly points: readonly {
      readonly height_m: number | null;
      readonly compared_height_m: number | null;
    }[];
  };
  const offM = points
    .flatMap(({ height_m: a, compared_height_m: b }) => (a === null || b === null ? [] : [a - b]))
    .sort((a, b) => a - b);
  const medianM = offM[offM.length >> 1] ?? Number.NaN;
  const near = offM.filter((one) => Math.abs(one - medianM) < 0.25).length / offM.length;
  expect(
    "and leave nothing: along a section across it four fifths are within 25 cm of the middle of all",
    near >= 0.8,
    `${(100 * near).toFixed(1)} % of ${offM.length}, the surveys ${(medianM * 100).toFixed(1)} cm apart as a whole`,
  );
}

const keyedBytes = (url: string) => bytesOf(url, { authorization: `Bearer ${ADMIN_KEY}` });

async function bytesOf(url: string, headers: Record<string, string> = {}): Promise<Uint8Array> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} was answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
