import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { surfaceFile } from "../../support/map-tile.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { middleTile, SURVEY_MAP, storeFlownSurvey } from "../../support/survey-site.ts";

const P1 = "p1" as ProjectId;
const P2 = "p2" as ProjectId;
const pool = new ThreadPool({ threads: 1, memoryBytes: 192 * 1024 ** 2 });
afterAll(() => pool.close());

const { z, x, y } = middleTile(18);
const PLACE = `${z}/${x}/${y}.webp`;

/** Two flights of one place; of the later one a heap is 1 m higher in the west and 1 m lower in the east. */
async function openSite() {
  const t = await openTestApp({
    runTileTask: (task, input, signal) => pool.run(task, input, signal),
  });
  await t.project({ id: P1 });
  await t.project({ id: P2 });
  await storeFlownSurvey(t, "before", P1, "2026-03-02T08:00:00.000Z");
  await storeFlownSurvey(t, "after", P1, "2026-03-09T08:00:00.000Z");
  const middle = SURVEY_MAP.westM + 20;
  const was = (east: number) => 40 + (east - SURVEY_MAP.westM) / 2;
  const changed = (east: number) => {
    if (Math.abs(east - middle) > 18) return Number.NaN;
    if (Math.abs(east - middle) < 4) return was(east) + 0.05;
    return was(east) + (east < middle ? 1 : -1);
  };
  await t.files.store.put("captures/after/1/dsm.tif", surfaceFile(SURVEY_MAP, changed));
  return t;
}

const changeOf = (t: TestApp, query = "", since = "before", key = ADMIN_KEY) =>
  t.get(`/api/v1/surveys/after/change/${since}/${PLACE}${query}`, key);

const pixelsOf = (webp: Buffer) =>
  sharp(webp).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

/** Mean red, green and blue of what a tile shows. */
async function meanOf(webp: Buffer): Promise<number[]> {
  const { data } = await pixelsOf(webp);
  const sums = [0, 0, 0];
  let pixels = 0;
  for (let i = 0; i < data.length; i += 4) {
    if ((data[i + 3] ?? 0) < 255) continue;
    pixels += 1;
    for (let k = 0; k < 3; k += 1) sums[k] = (sums[k] ?? 0) + (data[i + k] ?? 0);
  }
  return sums.map((sum) => sum / pixels);
}

describe("GET /surveys/{id}/change/{since}/{z}/{x}/{y}.webp", { timeout: PATIENT_MS }, () => {
  it("a tile of change is blue where material was added, red where it was removed, grey within the noise", async () => {
    await using t = await openSite();
    const answer = await changeOf(t);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "image/webp"]);
    const { data, info } = await pixelsOf(answer.rawPayload);
    const seen = { added: 0, removed: 0, grey: 0 };
    let [lastAdded, firstRemoved] = [-1, info.width];
    for (let i = 0; i < info.width * info.height; i += 1) {
      const [red = 0, , blue = 0, alpha = 0] = data.subarray(i * 4);
      const column = i % info.width;
      if (alpha < 255) continue;
      if (blue - red > 60) {
        seen.added += 1;
        lastAdded = Math.max(lastAdded, column);
      } else if (red - blue > 60) {
        seen.removed += 1;
        firstRemoved = Math.min(firstRemoved, column);
      } else seen.grey += 1;
    }
    expect(seen.added).toBeGreaterThan(1_000);
    expect(seen.removed).toBeGreaterThan(1_000);
    expect(seen.grey).toBeGreaterThan(500);
    expect(lastAdded).toBeLessThan(firstRemoved);
  });

  it("colours of a change are darkest at top_m, and grey up to noise_m", async () => {
    await using t = await openSite();
    const [usual, dark, quiet] = await Promise.all(
      ["", "?top_m=1", "?noise_m=1.5"].map(async (query) => {
        const { rawPayload } = await changeOf(t, query);
        return await meanOf(rawPayload);
      }),
    );
    const spread = ([red = 0, green = 0]: readonly number[] = []) => Math.abs(red - green);
    // Added and removed are of one size: what is dark has less green.
    expect(dark?.[1]).toBeLessThan((usual?.[1] ?? 0) - 10);
    expect(quiet?.[1]).toBeGreaterThan(usual?.[1] ?? 255);
    expect(spread(quiet)).toBeLessThan(4);
  });

  it("a tile of change may be kept, and another scale is another tile", async () => {
    await using t = await openSite();
    const first = await changeOf(t);
    const etag = String(first.headers["etag"]);
    const path = `/api/v1/surveys/after/change/before/${PLACE}`;
    expect((await t.get(path, ADMIN_KEY, { "if-none-match": etag })).statusCode).toBe(304);
    expect((await changeOf(t, "?top_m=1")).headers["etag"]).not.toBe(etag);
    expect(first.headers["cache-control"]).toBe("private, max-age=604800, immutable");
  });

  it.each([
    ["?top_m=0", "top_m"],
    ["?noise_m=-1", "noise_m"],
    ["?top_m=x", "top_m"],
  ])("a tile of change with %s is refused by name", async (query, parameter) => {
    await using t = await openSite();
    const answer = await changeOf(t, query);
    expect([answer.statusCode, answer.json().error.details[0].parameter]).toEqual([400, parameter]);
  });

  it("heights that are known to count from different datums are not subtracted", async () => {
    await using t = await openSite();
    const row = t.records.rows.captures.get("before" as never);
    if (row?.products === undefined) throw new Error("the flight has no products");
    const inDatum = (id: string, kind: "ellipsoidal" | "stated", name: string) => {
      const found = t.records.rows.captures.get(id as never);
      if (found?.products === undefined) throw new Error("the flight has no products");
      const products = { ...found.products, vertical_datum: { kind, name } };
      t.records.rows.captures.set(found.id, { ...found, products } as typeof found);
    };
    inDatum("before", "ellipsoidal", "WGS 84 ellipsoid");
    inDatum("after", "stated", "DHHN2016");
    const answer = await changeOf(t);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.message).toContain("since_id is a survey whose heights count from");
  });

  it("a change to a survey of another tenant is not found, like one to none", async () => {
    await using t = await openSite();
    await storeFlownSurvey(t, "theirs", P2, "2026-03-02T08:00:00.000Z");
    const key = await t.key({ scopes: ["progress:read"], project_ids: [P1] });
    const [hidden, absent] = [
      await changeOf(t, "", "theirs", key),
      await changeOf(t, "", "none", key),
    ];
    expect([hidden.statusCode, absent.statusCode]).toEqual([404, 404]);
    expect((await changeOf(t, "", "before", key)).statusCode).toBe(200);
  });
});
