import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import type { TileInput } from "../../../processing/map-tiles/draw-tile.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { terrariumM } from "../../support/map-tile.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import {
  middleTile,
  SURVEY_MAP,
  storeFlownSurvey,
  storeMeasuredSurvey,
} from "../../support/survey-site.ts";

const P1 = "p1" as ProjectId;
const pool = new ThreadPool({ threads: 1, memoryBytes: 192 * 1024 ** 2 });
afterAll(() => pool.close());

async function openSite() {
  const drawn: string[] = [];
  const inputs: unknown[] = [];
  const t = await openTestApp({
    runTileTask(task, input, signal) {
      drawn.push(task.name);
      inputs.push(input);
      return pool.run(task, input, signal);
    },
  });
  await t.project({ id: P1 });
  await storeFlownSurvey(t, "flight", P1, "2026-03-02T08:00:00.000Z");
  return { t, drawn, inputs, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

const { z, x, y } = middleTile(20);
const tileOf = (layer: string, place = `${z}/${x}/${y}.webp`) =>
  `/api/v1/surveys/flight/${layer}/${place}`;
const statusOf = async (t: TestApp, path: string, key: string | undefined = ADMIN_KEY) =>
  (await t.get(path, key)).statusCode;

describe("GET /surveys/{id}/{layer}/{z}/{x}/{y}.webp", { timeout: PATIENT_MS }, () => {
  it.each([
    "orthophoto",
    "hillshade",
    "heights",
    "terrain",
  ])("a tile of %s is a WebP of 256 pixels, and of 512 with @2x", async (layer) => {
    await using site = await openSite();
    for (const [place, edge] of [
      [`${z}/${x}/${y}.webp`, 256],
      [`${z}/${x}/${y}@2x.webp`, 512],
    ] as const) {
      const { statusCode, headers, rawPayload } = await site.t.get(tileOf(layer, place), ADMIN_KEY);
      expect([statusCode, headers["content-type"]]).toEqual([200, "image/webp"]);
      const { format, width, height } = await sharp(rawPayload).metadata();
      expect([format, width, height]).toEqual(["webp", edge, edge]);
    }
  });

  it("tiles show the survey: colours of the orthophoto, and heights that rise by 1 m in 2 m to the east", async () => {
    await using site = await openSite();
    const pixelsOf = async (layer: string) =>
      await sharp((await site.t.get(tileOf(layer), ADMIN_KEY)).rawPayload)
        .ensureAlpha()
        .raw()
        .toBuffer();
    const colours = await pixelsOf("orthophoto");
    // The tile is as wide as the survey is high, and reaches over its edge.
    const isInside = (i: number): boolean => colours[i * 4 + 3] === 255;
    let [inside, worst] = [0, 0];
    for (let i = 0; i < 256 * 256; i += 1) {
      if (!isInside(i)) continue;
      inside += 1;
      for (const [k, value] of [200, 100, 50].entries()) {
        worst = Math.max(worst, Math.abs((colours[i * 4 + k] ?? 0) - value));
      }
    }
    expect(inside).toBeGreaterThan(20_000);
    // At the edge of what is seen WebP mixes colours with those of nothing.
    expect(worst).toBeLessThan(16);
    const terrain = await pixelsOf("terrain");
    const pixelM = (2 * Math.PI * 6_378_137 * Math.cos((52.52 * Math.PI) / 180)) / 2 ** z / 256;
    let rises = 0;
    for (let row = 0; row < 256; row += 1) {
      const columns = Array.from({ length: 256 }, (_, column) => row * 256 + column);
      // The cells at the edge have no neighbour to rise to.
      const [first, last] = [columns.find(isInside), columns.findLast(isInside)];
      if (first === undefined || last === undefined || last - first < 100) continue;
      rises += 1;
      const rise = terrariumM(terrain, last - 3) - terrariumM(terrain, first + 3);
      expect(rise / ((last - first - 6) * pixelM)).toBeCloseTo(0.5, 2);
    }
    expect(rises).toBeGreaterThan(100);
  });

  it("a tile may be kept for a week, is 304 by its entity tag, and is drawn once", async () => {
    await using site = await openSite();
    const { t, drawn } = site;
    const first = await t.get(tileOf("hillshade"), ADMIN_KEY);
    const etag = String(first.headers["etag"]);
    expect(first.headers["cache-control"]).toBe("private, max-age=604800, immutable");
    const again = await t.get(tileOf("hillshade"), ADMIN_KEY);
    expect(again.rawPayload).toEqual(first.rawPayload);
    const known = await t.get(tileOf("hillshade"), ADMIN_KEY, { "if-none-match": etag });
    expect([known.statusCode, known.body, known.headers["etag"]]).toEqual([304, "", etag]);
    expect((await t.get(tileOf("heights"), ADMIN_KEY)).headers["etag"]).not.toBe(etag);
    expect(drawn).toEqual(["height-range", "draw-tile", "draw-tile"]);
  });

  it("blocks of a file are read by the drawing thread where they lie: no tile copies them", async () => {
    await using site = await openSite();
    for (const layer of ["heights", "terrain"]) await statusOf(site.t, tileOf(layer));
    const memories = site.inputs.flatMap((input) => {
      const { blocks = [] } = input as Partial<TileInput>;
      return blocks.length === 0 ? [] : [blocks.map(({ bytes }) => bytes.buffer)];
    });
    const [first = [], second = []] = memories;
    expect(memories.length).toBe(2);
    expect(first.every((memory) => memory instanceof SharedArrayBuffer)).toBe(true);
    expect(first.every((memory, i) => memory === second[i])).toBe(true);
  });

  it("a survey has templates of its tiles that open without a key, and nothing else does", async () => {
    await using site = await openSite();
    const { t } = site;
    await storeFlownSurvey(t, "other", P1, "2026-03-03T08:00:00.000Z");
    const { tiles } = (await t.get("/api/v1/surveys/flight", ADMIN_KEY)).json();
    const zooms = { min_zoom: 15, max_zoom: 20 };
    expect(tiles).toMatchObject({
      ...{ orthophoto: zooms, hillshade: zooms, heights: zooms },
      terrain: { ...zooms, encoding: "terrarium" },
    });
    expect(tiles.heights.low_m).toBeCloseTo(40.4, 0);
    expect(tiles.heights.high_m).toBeCloseTo(59.6, 0);
    for (const layer of ["orthophoto", "hillshade", "heights", "terrain"]) {
      const url = new URL(
        tiles[layer].url_template
          .replace("{z}", String(z))
          .replace("{x}", String(x))
          .replace("{y}", String(y)),
      );
      const path = `${url.pathname}${url.search}`;
      expect(await statusOf(t, path, undefined)).toBe(200);
      expect(await statusOf(t, url.pathname, undefined)).toBe(403);
      expect(await statusOf(t, path.replace("flight", "other"), undefined)).toBe(403);
      t.clock.ms += 8 * 86_400_000;
      expect(await statusOf(t, path, undefined)).toBe(403);
      t.clock.ms -= 8 * 86_400_000;
    }
  });

  it.each([
    ["orthophoto", "-1/0/0.webp", 400],
    ["orthophoto", "1.5/0/0.webp", 400],
    ["orthophoto", "2/4/0.webp", 400],
    ["orthophoto", "2/0/4.webp", 400],
    ["orthophoto", "2/-1/0.webp", 400],
    ["orthophoto", `${z}/${x}/${y}.png`, 400],
    ["orthophoto", `${z}/${x}/${y}@3x.webp`, 400],
    ["orthophoto", `${z}/${x}/999999999.webp`, 400],
    ["orthophoto", `${z}/1e9/${y}.webp`, 400],
    ["orthophoto", `${z}/${x}/..%2f..%2f1.webp`, 400],
    ["slope", `${z}/${x}/${y}.webp`, 400],
    ["orthophoto", "0/0/0.webp", 404],
    ["hillshade", `14/${x >> 6}/${y >> 6}.webp`, 404],
    ["hillshade", `21/${x * 2}/${y * 2}.webp`, 404],
    ["orthophoto", "25/0/0.webp", 404],
    ["orthophoto", "99999999/0/0.webp", 404],
    ["terrain", `${z}/${x + 9}/${y}.webp`, 404],
    ["terrain", `${z}/${x}/0.webp`, 404],
  ])("a tile of %s at %s is a %i", async (layer, place, status) => {
    await using site = await openSite();
    expect(await statusOf(site.t, tileOf(layer, place))).toBe(status);
    expect(site.drawn.filter((name) => name === "draw-tile")).toEqual([]);
  });

  it("a tile outside of the zooms of its layer is a 404 that names them, at their ends there are tiles", async () => {
    await using site = await openSite();
    for (const [zoom, status] of [
      [14, 404],
      [15, 200],
      [20, 200],
      [21, 404],
    ] as const) {
      const at = middleTile(zoom);
      const answer = await site.t.get(tileOf("heights", `${zoom}/${at.x}/${at.y}.webp`), ADMIN_KEY);
      expect(answer.statusCode).toBe(status);
      if (status === 200) continue;
      expect(answer.json().error.message).toBe(
        `The layer heights of this survey has tiles of zoom 15 to 20, not of ${zoom}`,
      );
    }
  });

  it("a tile of another project, of an area that the key may not read, or of a survey without orthophoto is a 404", async () => {
    await using site = await openSite();
    const { t } = site;
    const p2 = await t.project();
    await storeMeasuredSurvey(t, "bare", P1, {}, { hasOrthophoto: false });
    const scopes = ["materials:read", "progress:read"] as const;
    const theirs = await t.key({ scopes: [...scopes], project_ids: [p2] });
    const piles = await t.key({ scopes: ["materials:read"], project_ids: [P1] });
    const none = await t.key({ scopes: ["equipment:read"] });
    // The record is remembered from a key that may see it.
    expect(await statusOf(t, tileOf("orthophoto"))).toBe(200);
    expect(await statusOf(t, tileOf("orthophoto"), theirs)).toBe(404);
    expect(await statusOf(t, tileOf("orthophoto"), piles)).toBe(404);
    expect(await statusOf(t, tileOf("orthophoto"), none)).toBe(403);
    const [bare] = (await t.get("/api/v1/surveys", piles)).json().data;
    const place = `${z}/${x}/${y}.webp`;
    expect(await statusOf(t, `/api/v1/surveys/${bare.id}/orthophoto/${place}`, piles)).toBe(404);
    expect(await statusOf(t, `/api/v1/surveys/${bare.id}/heights/${place}`, piles)).toBe(200);
    const { tiles } = (await t.get(`/api/v1/surveys/${bare.id}`, piles)).json();
    expect(tiles.orthophoto).toBeNull();
  });

  it("tiles of a stockpile that was deleted are gone within 5 s", async () => {
    await using site = await openSite();
    const { t } = site;
    const { id, stockpile_id } = await storeMeasuredSurvey(t, "gone", P1);
    const path = `/api/v1/surveys/${id}/heights/${z}/${x}/${y}.webp`;
    expect(await statusOf(t, path)).toBe(200);
    await t.records.stockpiles.delete(stockpile_id);
    t.clock.ms += 5_000;
    expect(await statusOf(t, path)).toBe(404);
  });

  it("a damaged surface is an error of ours for its tiles, and its survey is listed all the same", async () => {
    await using site = await openSite();
    const { t } = site;
    const { id, files } = await storeMeasuredSurvey(t, "broken", P1);
    const opened = await t.files.store.get(files.surface);
    const chunks: Buffer[] = [];
    for await (const chunk of opened?.body ?? []) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    await t.files.store.put(files.surface, bytes.fill(1, 2_000));
    expect(await statusOf(t, `/api/v1/surveys/${id}/heights/${z}/${x}/${y}.webp`)).toBe(500);
    const survey = (await t.get(`/api/v1/surveys/${id}`, ADMIN_KEY)).json();
    expect([survey.epsg, survey.tiles.heights.low_m]).toEqual([SURVEY_MAP.epsg, null]);
  });

  it("a surface that goes while its tiles are drawn is an error of ours, not of who asks", async () => {
    await using site = await openSite();
    const { t } = site;
    // Opens the surface, and reads none of what tiles are drawn from.
    expect(await statusOf(t, "/api/v1/surveys/flight")).toBe(200);
    await t.files.store.delete("captures/flight/1/dsm.tif");
    expect(await statusOf(t, tileOf("heights"))).toBe(500);
  });

  it("a thousand tiles at once are drawn one after the other, and other requests do not wait for them", async () => {
    await using site = await openSite();
    const { t } = site;
    const zooms = [17, 18, 19, 20];
    const places = zooms.flatMap((zoom) => {
      const middle = middleTile(zoom);
      return [-1, 0, 1].flatMap((dx) =>
        [-1, 0, 1].map((dy) => `${zoom}/${middle.x + dx}/${middle.y + dy}`),
      );
    });
    const layers = ["orthophoto", "hillshade", "heights", "terrain"];
    const paths = layers.flatMap((layer) => places.map((place) => tileOf(layer, `${place}.webp`)));
    let ended = 0;
    const all = Array.from({ length: 1_000 }, async (_, i) => {
      const status = await statusOf(t, paths[i % paths.length] ?? "");
      ended += 1;
      return status;
    });
    const other = await t.get("/api/v1/surveys?limit=1", ADMIN_KEY);
    const before = ended;
    expect(other.statusCode).toBe(200);
    expect(before).toBeLessThan(500);
    const statuses = new Set(await Promise.all(all));
    expect([...statuses].toSorted()).toEqual([200, 404]);
  });

  it("one tile of another key, and one of a signed address, do not wait for the many of a first key", async () => {
    await using site = await openSite();
    const { t } = site;
    const other = await t.key({ scopes: ["progress:read"] });
    const { tiles } = (await t.get("/api/v1/surveys/flight", ADMIN_KEY)).json();
    const signed = new URL(tiles.heights.url_template.replace("{z}/{x}/{y}", `${z}/${x}/${y}`));
    const paths = ["orthophoto", "hillshade", "terrain"].flatMap((layer) =>
      [17, 18, 19, 20].flatMap((zoom) => {
        const middle = middleTile(zoom);
        return ["", "@2x"].map((size) =>
          tileOf(layer, `${zoom}/${middle.x}/${middle.y}${size}.webp`),
        );
      }),
    );
    let ended = 0;
    const many = paths.map(async (path) => {
      await statusOf(t, path);
      ended += 1;
    });
    const few = [
      statusOf(t, tileOf("heights", `${z}/${x}/${y}@2x.webp`), other),
      statusOf(t, `${signed.pathname}${signed.search}`, undefined),
    ];
    expect(await Promise.all(few)).toEqual([200, 200]);
    expect(ended).toBeLessThan(paths.length / 2);
    await Promise.all(many);
  });
});
