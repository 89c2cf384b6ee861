import { type Primitive, WebIO } from "@gltf-transform/core";
import { afterAll, describe, expect, it } from "vitest";
import type { MeasurementId, ProjectId } from "../../../domain/ids.ts";
import { encodeEpoch } from "../../../processing/epoch/epoch-file.ts";
import { measureVolume } from "../../../processing/measurement/surface/measure-volume.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";
import { glbProblems } from "../../support/glb-validation.ts";
import { HEAP_FOOTPRINT, heapInput } from "../../support/heap-survey.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { smallSpace } from "../../support/small-space.ts";
import { SURVEY_MAP, storeFlownSurvey, storeMeasuredSurvey } from "../../support/survey-site.ts";

const P1 = "p1" as ProjectId;
const P2 = "p2" as ProjectId;
/** Scale of UTM where that map lies, 108.2 km west of the meridian of zone 33 (Snyder 1987, equation 8-10, first terms). */
const SCALE = 0.9996 * (1 + (391_800 - 500_000) ** 2 / (2 * (0.9996 * 6_382_000) ** 2));
const pool = new ThreadPool({ threads: 1, memoryBytes: 1024 ** 3 });
afterAll(() => pool.close());

async function openSite() {
  const t = await openTestApp({
    runTask: (task, input, signal) => pool.run(task, input, signal),
    disk: smallSpace(2 ** 30).disk,
  });
  await t.project({ id: P1 });
  await t.project({ id: P2 });
  const made = await storeMeasuredSurvey(t, "heap", P1, {});
  const ask = (path: string, key = ADMIN_KEY) => t.get(`/api/v1/surveys/${path}`, key);
  return { t, made, ask, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

/** Stores the heap as the measurement's epoch, and its datum with the stockpile. */
async function keepHeap(
  { t, made }: Awaited<ReturnType<typeof openSite>>,
  isHole?: (x: number, y: number) => boolean,
) {
  const { surface, figures } = measureVolume(heapInput(isHole === undefined ? {} : { isHole }));
  const epoch = { datum: figures.datum.id, surface, cameras: [], companions: [] };
  await t.files.store.put(made.files.epoch, encodeEpoch(epoch));
  await t.records.stockpiles.update(made.stockpile_id, (pile) => ({
    ...pile,
    footprint: HEAP_FOOTPRINT,
    datum: figures.datum,
  }));
  return figures;
}

interface Part {
  readonly name: string;
  readonly primitive: Primitive;
}

async function read(glb: Uint8Array) {
  const root = (await new WebIO().readBinary(glb)).getRoot();
  const parts = root.listMeshes().map((mesh): Part => {
    const [primitive] = mesh.listPrimitives();
    if (primitive === undefined) throw new Error("a mesh without a primitive");
    return { name: mesh.getName(), primitive };
  });
  return { parts, extras: root.listScenes()[0]?.getExtras() ?? {} };
}

const numbers = (primitive: Primitive | undefined, name: string): number[] =>
  Array.from(primitive?.getAttribute(name)?.getArray() ?? []);

describe("scenes of a survey", { timeout: PATIENT_MS }, () => {
  it("a surface comes as points of true metres, in the colours of its orthophoto", async () => {
    await using site = await openSite();
    const answer = await site.ask(`${site.made.id}/points.glb`);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "model/gltf-binary"]);
    expect((await glbProblems(answer.rawPayload)).messages).toEqual([]);
    const { parts, extras } = await read(answer.rawPayload);
    const [points] = parts;
    const positions = numbers(points?.primitive, "POSITION");
    expect(positions).toHaveLength(SURVEY_MAP.width * SURVEY_MAP.height * 3);
    const at = (i: number) => positions.slice(i * 3, i * 3 + 3);
    const [[x0 = 0, up0 = 0, z0 = 0], [x1 = 0, up1 = 0, z1 = 0]] = [at(0), at(399)];
    // 399 cells of 0.1 m of the map, 40 m above the ellipsoid.
    expect(Math.hypot(x1 - x0, z1 - z0)).toBeCloseTo((39.9 / SCALE) * (1 + 40 / 6_371_000), 3);
    // The surface rises by half a metre a metre of the map.
    expect([up0, up1 - up0]).toEqual([expect.closeTo(0, 4), expect.closeTo(39.9 / 2, 3)]);
    expect(x1).toBeGreaterThan(x0);
    const colour = numbers(points?.primitive, "COLOR_0").slice(0, 3);
    const light = [200, 100, 50].map((byte) => ((byte / 255 + 0.055) / 1.055) ** 2.4);
    expect(colour.map((value) => value / 65_535)).toEqual(
      light.map((value) => expect.closeTo(value, 4)),
    );
    expect(extras).toMatchObject({ unit: "m", cells_a_point: 1 });
  });

  it("a surface without an orthophoto has points without colours, and one that is gone is a 404", async () => {
    await using site = await openSite();
    const grey = await storeFlownSurvey(site.t, "grey", P1, "2026-03-05", { hasOrthophoto: false });
    const { parts } = await read((await site.ask(`${grey}/points.glb`)).rawPayload);
    expect(parts[0]?.primitive.listSemantics()).toEqual(["POSITION"]);
    const lost = await storeFlownSurvey(site.t, "lost", P1, "2026-03-06", { hasFiles: false });
    expect((await site.ask(`${lost}/points.glb`)).statusCode).toBe(404);
    expect((await site.ask(`${grey}/pile.glb`)).statusCode).toBe(404);
  });

  it("a pile has heights above its base inside of its footprint, none in a hole, and ground around it", async () => {
    await using site = await openSite();
    const figures = await keepHeap(site, (x, y) => Math.hypot(x - 3, y) < 0.5);
    const answer = await site.ask(`${site.made.id}/pile.glb`);
    expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
    expect((await glbProblems(answer.rawPayload)).messages).toEqual([]);
    const { parts, extras } = await read(answer.rawPayload);
    const [pile, ground] = ["pile", "ground"].map((name) =>
      parts.find((part) => part.name === name),
    );
    const above = numbers(pile?.primitive, "_ABOVE_BASE_M");
    const positions = numbers(pile?.primitive, "POSITION");
    expect(above).toHaveLength(positions.length / 3);
    expect(Math.max(...above)).toBeCloseTo(figures.maxHeightM, 2);
    for (const [i, height] of above.entries()) {
      const [x = 0, , south = 0] = positions.slice(i * 3, i * 3 + 3);
      const cone = 3.6 * Math.max(0, 1 - Math.hypot(x, south) / 6);
      // Noise of 2 cm and rolling ground of 5 cm, about a plane through it.
      expect(Math.abs(height - cone)).toBeLessThan(0.15);
      expect(Math.hypot(x, south)).toBeLessThan(7);
      expect(Math.hypot(x - 3, south)).toBeGreaterThan(0.45);
    }
    const outside = numbers(ground?.primitive, "POSITION");
    expect(Math.max(...outside)).toBeGreaterThan(9);
    expect(ground?.primitive.getAttribute("_ABOVE_BASE_M")).toBeNull();
    expect(extras).toMatchObject({ base: { method: "plane" } });
  });

  it("a pile whose footprint or base was changed since is a 404 that says so", async () => {
    await using site = await openSite();
    const { datum } = await keepHeap(site);
    for (const kept of [undefined, { ...datum, id: "msr_other" as MeasurementId }]) {
      await site.t.records.stockpiles.update(site.made.stockpile_id, (pile) => ({
        ...pile,
        datum: kept,
      }));
      const answer = await site.ask(`${site.made.id}/pile.glb`);
      expect([answer.statusCode, answer.body]).toEqual([
        404,
        expect.stringContaining("no longer kept"),
      ]);
    }
  });

  it("a key of another project gets neither", async () => {
    await using site = await openSite();
    await keepHeap(site);
    const key = await site.t.key({ project_ids: [P2], scopes: ["materials:read"] });
    for (const file of ["points.glb", "pile.glb"]) {
      expect((await site.ask(`${site.made.id}/${file}`, key)).statusCode).toBe(404);
    }
  });
});
