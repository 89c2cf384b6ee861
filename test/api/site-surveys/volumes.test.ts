import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ProjectId, StockpileId } from "../../../domain/ids.ts";
import { encodeBasis } from "../../../processing/epoch/survey-basis.ts";
import { measureVolume } from "../../../processing/measurement/surface/measure-volume.ts";
import { volumeFigures } from "../../../processing/measurement/volume-figures.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";
import { writeHeapRaster } from "../../support/heap-raster.ts";
import {
  GROUND_M,
  HEAP_FOOTPRINT,
  heapBlock,
  heapInput,
  heapSurvey,
  SITE,
} from "../../support/heap-survey.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { smallSpace } from "../../support/small-space.ts";
import { storeFlownSurvey, storeMeasuredSurvey } from "../../support/survey-site.ts";

const P1 = "p1" as ProjectId;
const P2 = "p2" as ProjectId;
const pool = new ThreadPool({ threads: 1, memoryBytes: 1024 ** 3 });
afterAll(() => pool.close());

/** The heap by photographs, with what their adjustment left uncertain. */
const HEAP = { ...heapSurvey(), block: heapBlock() };
const FOOTPRINT = HEAP_FOOTPRINT.slice(0, -1).map(([lng, lat]) => [lat, lng]);

async function openSite() {
  const t = await openTestApp({
    runTask: (task, input, signal) => pool.run(task, input, signal),
    disk: smallSpace(2 ** 30).disk,
  });
  await t.project({ id: P1 });
  await t.project({ id: P2 });
  const made = await storeMeasuredSurvey(t, "heap", P1, {});
  await t.records.stockpiles.update(made.stockpile_id, (pile) => ({
    ...pile,
    measurement_id: made.id,
  }));
  const basis = made.files.basis ?? "";
  await t.files.store.put(basis, encodeBasis(HEAP));
  const ask = (path: string, body: object, key = ADMIN_KEY) =>
    t.send("POST", `/api/v1/${path}`, key, body);
  const dir = await mkdtemp(join(tmpdir(), "plumbline-volumes-"));
  return {
    ...{ t, made, ask, dir },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await rm(dir, { recursive: true });
    },
  };
}

describe("volumes in a stored survey", { timeout: PATIENT_MS }, () => {
  it("a footprint that is drawn later has the volume that a measurement of it has, and nothing is stored", async () => {
    await using site = await openSite();
    const { id } = site.made;
    const before = JSON.stringify(await site.t.records.stockpiles.find(site.made.stockpile_id));
    const { figures } = measureVolume(heapInput({}, { survey: HEAP }));
    const measured = volumeFigures(figures);
    for (const path of [`surveys/${id}/volume`, "materials/stockpiles/pile-heap/preview-volume"]) {
      const answer = await site.ask(path, { footprint: FOOTPRINT });
      expect(answer.statusCode, answer.body).toBe(200);
      const { net_m3, cut_m3, fill_m3, uncertainty_95_m3, accuracy_basis, base } = answer.json();
      expect(net_m3).toBeCloseTo(measured.net_m3 ?? 0, 2);
      expect(cut_m3 - fill_m3).toBeCloseTo(net_m3, 2);
      expect(uncertainty_95_m3).toBeCloseTo(measured.uncertainty_95_m3, 2);
      expect([accuracy_basis, base.method]).toEqual(["survey", "plane"]);
    }
    const after = JSON.stringify(await site.t.records.stockpiles.find(site.made.stockpile_id));
    expect(after).toBe(before);
  });

  it("a footprint that the survey does not show is a 400 with the gate, one that is none a 400 with the corner", async () => {
    await using site = await openSite();
    const path = `surveys/${site.made.id}/volume`;
    const beside = FOOTPRINT.map(([lat = 0, lng = 0]) => [lat, lng + 0.01]);
    const outside = await site.ask(path, { footprint: beside });
    expect([outside.statusCode, outside.json().error.details[0]]).toEqual([
      400,
      expect.objectContaining({ parameter: "footprint", gate: "POLYGON_OUTSIDE" }),
    ]);
    const bow = [0, 24, 12, 36].map((i) => FOOTPRINT[i]);
    const crossed = await site.ask(path, { footprint: bow });
    expect([crossed.statusCode, crossed.body]).toEqual([400, expect.stringContaining("footprint")]);
    for (const [base, named] of [
      [{ method: "level" }, "base.height_m"],
      [{ method: "lowest" }, "base.method"],
      [{ method: "survey" }, "base.survey_id"],
      [{ method: "survey", survey_id: "nowhere" }, "base.survey_id"],
    ] as const) {
      const refused = await site.ask(path, { footprint: FOOTPRINT, base });
      expect([refused.statusCode, refused.json().error.details[0].parameter]).toEqual([400, named]);
    }
  });

  it("a survey of another tenant is neither measured nor a base", async () => {
    await using site = await openSite();
    const theirs = await site.t.key({ project_ids: [P2], scopes: ["materials:read"] });
    const body = { footprint: FOOTPRINT };
    for (const path of [
      `surveys/${site.made.id}/volume`,
      "materials/stockpiles/pile-heap/preview-volume",
    ]) {
      expect((await site.ask(path, body, theirs)).statusCode).toBe(404);
    }
    const own = await storeMeasuredSurvey(site.t, "own", P2, {});
    const base = { method: "survey", survey_id: site.made.id };
    const refused = await site.ask(`surveys/${own.id}/volume`, { ...body, base }, theirs);
    expect([refused.statusCode, refused.json().error.details[0].parameter]).toEqual([
      400,
      "base.survey_id",
    ]);
  });

  it.each([
    "plane",
    "tin",
    "level",
    "survey",
  ] as const)("a flight of a project has the volume that a measurement of the same images has, above a %s", async (method) => {
    await using site = await openSite();
    const isOf = { basis: encodeBasis(HEAP), georeferencing: "rtk" } as const;
    await storeFlownSurvey(site.t, "flight", P1, "2026-03-02T08:00:00.000Z", isOf);
    await storeFlownSurvey(site.t, "alone", P1, "2026-03-03T08:00:00.000Z", {
      ...isOf,
      purpose: "survey",
    });
    await storeFlownSurvey(site.t, "earlier", P1, "2026-03-01T08:00:00.000Z");
    const path = await writeHeapRaster(join(site.dir, "earlier.tif"), { heightM: 0.5 });
    await site.t.files.store.put("captures/earlier/1/dsm.tif", await readFile(path));
    const base = {
      ...{ plane: { method }, tin: { method }, survey: { method, survey_id: "earlier" } },
      level: { method, height_m: SITE.heightM + GROUND_M },
    }[method];
    const answers = [];
    for (const id of [site.made.id, "flight", "alone"]) {
      const answer = await site.ask(`surveys/${id}/volume`, { footprint: FOOTPRINT, base });
      expect(answer.statusCode, answer.body).toBe(200);
      const { survey_id, ...figures } = answer.json();
      expect(survey_id).toBe(id);
      answers.push(figures);
    }
    const [measured, ...flown] = answers;
    expect(measured.accuracy_basis).toBe("survey");
    expect(measured.net_m3).toBeGreaterThan(80);
    expect(flown).toEqual([measured, measured]);
  });

  it("a volume in a surface that says nothing of how it was made is told from one by photographs", async () => {
    await using site = await openSite();
    const given = { ...heapSurvey({ georeferencing: "given" }), stepM: 0.05 };
    await storeFlownSurvey(site.t, "given", P1, "2026-03-02T08:00:00.000Z", {
      basis: encodeBasis(given),
      georeferencing: "given",
    });
    const answer = await site.ask("surveys/given/volume", { footprint: FOOTPRINT });
    const { figures } = measureVolume(heapInput({}, { survey: given }));
    const measured = volumeFigures(figures);
    const { net_m3, uncertainty_95_m3, accuracy_basis } = answer.json();
    expect(net_m3).toBeCloseTo(measured.net_m3 ?? 0, 2);
    // Steps of 5 cm are part of it: the stored map does not say that there are any.
    expect(uncertainty_95_m3).toBeCloseTo(measured.uncertainty_95_m3, 2);
    expect(accuracy_basis).toBe("surface");
  });

  it("a flight of which only the surface is kept is measured by that, and says so", async () => {
    await using site = await openSite();
    await storeFlownSurvey(site.t, "flight", P1, "2026-03-02T08:00:00.000Z");
    const survey = (await site.t.get("/api/v1/surveys/flight", ADMIN_KEY)).json();
    const { south, north, west, east } = survey.bounds;
    const [lat, lng] = [(south + north) / 2, (west + east) / 2];
    const footprint = [
      [lat, lng],
      [lat, lng + 0.00006],
      [lat + 0.00004, lng + 0.00006],
      [lat + 0.00004, lng],
    ];
    const base = { method: "level", height_m: 40 };
    const answer = await site.ask("surveys/flight/volume", { footprint, base });
    expect(answer.statusCode, answer.body).toBe(200);
    const { area_m2, net_m3, accuracy_basis, fill_m3 } = answer.json();
    // Heights are 40 m and half of the metres to the east of the map's edge.
    expect(net_m3 / area_m2).toBeGreaterThan(9.5);
    expect(net_m3 / area_m2).toBeLessThan(12.5);
    expect([accuracy_basis, fill_m3]).toEqual(["surface", 0]);
  });

  it("a stockpile that was never measured has nothing to preview", async () => {
    await using site = await openSite();
    const { stockpile_id } = site.made;
    await site.t.records.stockpiles.update(stockpile_id as StockpileId, (pile) => ({
      ...pile,
      measurement_id: undefined,
    }));
    const path = `materials/stockpiles/${stockpile_id}/preview-volume`;
    expect((await site.ask(path, { footprint: FOOTPRINT })).statusCode).toBe(404);
    const measurement_id = site.made.id;
    const asked = await site.ask(path, { footprint: FOOTPRINT, measurement_id });
    expect(asked.statusCode, asked.body).toBe(200);
  });
});
