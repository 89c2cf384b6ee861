import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { JobId, MeasurementId } from "../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";
import type { EngineRequest } from "../../../processing/engine/choose.ts";
import type { SurveyInput, SurveyResult } from "../../../processing/engine/port/engine.ts";
import { type GivenRasters, readRasters } from "../../../processing/engine/raster/read-rasters.ts";
import type { SurveyEngines } from "../../../processing/engine/survey-engines.ts";
import { encodeEpoch } from "../../../processing/epoch/epoch-file.ts";
import { decodeBasis, encodeBasis } from "../../../processing/epoch/survey-basis.ts";
import type { SurveyFacts } from "../../../processing/epoch/survey-facts.ts";
import { groundExtent } from "../../../processing/measurement/ground-extent.ts";
import { createMeasureJob } from "../../../processing/measurement/measure-job.ts";
import { measureJob } from "../../../processing/measurement/measure-request.ts";
import type { MeasureSurfaceInput } from "../../../processing/measurement/surface/measure-input.ts";
import { BOUNDLESS_DISK } from "../../../storage/disk/disk-space.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import { GROUND_HEIGHT_M, writeHeapRaster } from "../../support/heap-raster.ts";
import { HEAP_FOOTPRINT, heapSurvey } from "../../support/heap-survey.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { sampleFigures, sampleStockpile } from "../../support/sample-stockpile.ts";

const REQUESTED_MS = Date.parse("2026-03-06T12:00:00.000Z");
const CAPTURED_MS = Date.parse("2026-03-05T10:00:00.000Z");
const IMAGES = ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg", "gone.jpg"];

let dir: string;
let records: MemoryRecords;
/** Files of the store by key. */
let stored: Map<string, string>;
/** What the engine was asked for. */
let surveys: { readonly request: EngineRequest; readonly input: SurveyInput }[];
let measures: MeasureSurfaceInput[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "measure-job-"));
  records = openMemoryRecords();
  stored = new Map();
  surveys = [];
  measures = [];
  await records.projects.insert({
    id: "prj_1",
    name: "Quarry",
    location: { latitude: 52.5, longitude: 13.4 },
    time_zone: "UTC",
    shift: { start: "00:00", end: "24:00" },
    created_at: "2026-03-01T00:00:00.000Z",
  } as Parameters<typeof records.projects.insert>[0]);
});
afterEach(() => rm(dir, { recursive: true }));

const files = {
  async put(key: string, content: Readable | Uint8Array) {
    stored.set(key, content instanceof Readable ? String(await buffer(content)) : "bytes");
    if (!(content instanceof Readable)) contents.set(key, content);
  },
  async get(key: string) {
    const bytes = contents.get(key);
    return bytes && { file: { key }, body: Readable.from([Buffer.from(bytes)]) };
  },
  async delete(key: string) {
    stored.delete(key);
  },
  async *list(prefix: string) {
    for (const key of [...stored.keys()]) if (key.startsWith(prefix)) yield { key };
  },
} as unknown as FileStore;
const contents = new Map<string, Uint8Array>();

/** An engine that yields the heap, and a task that yields canned figures. */
const engines = {
  async process(request: EngineRequest, input: SurveyInput): Promise<SurveyResult> {
    surveys.push({ request, input });
    await mkdir(input.outDir, { recursive: true });
    const file = async (name: string) => {
      await writeFile(join(input.outDir, name), name);
      return join(input.outDir, name);
    };
    const { origin, dsm } = heapSurvey({ cellM: 1 });
    return {
      engine: request.rasters === undefined ? "nodeodm" : "precomputed",
      images: input.images.map(({ name, sha256 }) => ({ name, sha256, capturedAtMs: CAPTURED_MS })),
      refused: ["b.jpg is damaged"],
      origin,
      dsm,
      reconstruction: undefined,
      ortho: undefined,
      findings: [],
      products: {
        dsm: await file("dsm.tif"),
        hillshade: await file("hillshade.png"),
        model3d: await file("model.glb"),
        reportJson: await file("report.json"),
        reportHtml: await file("report.html"),
        exports: { dtm: await file("dtm.tif") },
      },
    } as unknown as SurveyResult;
  },
  async run({ name }: { readonly name: string }, input: MeasureSurfaceInput) {
    if (name === "read-rasters") return await readRasters(input as unknown as GivenRasters);
    if (name === "keep-basis") return encodeBasis(input as unknown as SurveyFacts);
    expect(name).toBe("measure-surface");
    measures.push(input);
    const figures = sampleFigures();
    const png = Uint8Array.of(1);
    const datum = figures.datum.id;
    const cameras = [{ sha256: "a.jpg", kind: "jpg" as const, centre: [0, 0, 0] as const }];
    return {
      figures,
      pictures: { hillshade: png, heights: png, change: undefined },
      profile: { version: 1 },
      epoch: encodeEpoch({
        datum,
        surface: input.survey.dsm,
        cameras,
        companions: input.companions ?? [],
      }),
    };
  },
  prune: async () => 0,
} as unknown as SurveyEngines;

function handler() {
  return createMeasureJob({
    engines,
    images: {
      async resolve(entries) {
        return entries.map((entry) =>
          entry === "gone.jpg"
            ? { refused: "gone.jpg was answered with status 404" }
            : { value: { path: join(dir, entry), sha256: entry, name: entry } },
        );
      },
    },
    folder: {
      find: async (sha256, kind) => ({ path: join(dir, sha256), sha256, kind, bytes: 1 }),
    },
    files,
    stockpiles: records.stockpiles,
    disk: BOUNDLESS_DISK,
    workDir: join(dir, "stages"),
  });
}

const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };
const work = (job: Job) => handler()(job, CONTEXT);

async function insert(change: Partial<Stockpile> = {}): Promise<Stockpile> {
  const stockpile = sampleStockpile({
    footprint: HEAP_FOOTPRINT,
    footprint_state: "confirmed",
    ...change,
  });
  await records.stockpiles.insert(stockpile);
  return stockpile;
}

function jobOf(stockpile: Stockpile, change: Partial<Job> = {}, images = IMAGES): Job {
  const job = measureJob(stockpile, { images, requestedAtMs: REQUESTED_MS });
  return { ...job, id: "job_1" as JobId, attempts: 1, ...change } as Job;
}

const FOLDER = "stockpiles/sp_north/job_1/1";
const FILES = [
  "basis.bin",
  "dsm.tif",
  "dtm.tif",
  "epoch.bin",
  "heights.png",
  "hillshade.png",
  "model.glb",
  "profile.json",
  "report.html",
  "report.json",
];

it("a measure job surveys, measures, stores, and returns the measurement as JSON", async () => {
  const stockpile = await insert();
  const percents: number[] = [];
  const progress = (_: string, percent: number) => percents.push(percent);
  const result = await handler()(jobOf(stockpile), { ...CONTEXT, progress });
  expect(JSON.parse(JSON.stringify(result))).toMatchObject({
    stockpile_id: "sp_north",
    job_id: "job_1",
    measured_at: "2026-03-05T10:00:00.000Z",
    current_volume_m3: 1_234.567,
    georeferencing: "gps",
    images: {
      given: 6,
      refused: ["gone.jpg was answered with status 404", "b.jpg is damaged"],
    },
    image_uses: [
      ...IMAGES.slice(0, 5).map((name) => ({ name, use: "used" })),
      { name: "gone.jpg", use: "unreadable", reason: "gone.jpg was answered with status 404" },
      { name: "b.jpg", use: "unreadable", reason: "b.jpg is damaged" },
    ],
    files: {
      surface: `${FOLDER}/dsm.tif`,
      epoch: `${FOLDER}/epoch.bin`,
      basis: `${FOLDER}/basis.bin`,
      exports: { dtm: `${FOLDER}/dtm.tif` },
    },
  });
  expect([...stored.keys()].sort()).toEqual(FILES.map((name) => `${FOLDER}/${name}`));
  const basis = decodeBasis(contents.get(`${FOLDER}/basis.bin`) ?? Uint8Array.of());
  expect(basis).toMatchObject({ georeferencing: "gps", dsm: { cellM: 1 } });
  // Of two pictures of one name it is the stockpile's, not the survey's.
  expect(stored.get(`${FOLDER}/hillshade.png`)).toBe("bytes");
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  const [survey] = surveys;
  expect(survey?.request).toEqual({ engine: "auto", rasters: undefined });
  expect(survey?.input).toMatchObject({
    name: "gravel 0/32, north yard",
    profile: { workingWidthPx: 1_200, dsmCellGsd: 2.8 },
    companions: [],
  });
  // Nothing is left of what the engine wrote here.
  await expect(access(survey?.input.outDir ?? dir)).rejects.toMatchObject({ code: "ENOENT" });
  const { measurements } = await records.stockpiles.measurements(stockpile.id, {
    ...{ limit: 10, offset: 0 },
  });
  expect(measurements).toEqual([result]);
  expect((await records.stockpiles.find(stockpile.id))?.current_volume_m3).toBe(1_234.567);
});

it("a measure job takes one GeoTIFF for the surface, as it was when it was asked for", async () => {
  const stockpile = await insert();
  const result = await work(jobOf(stockpile, {}, ["surface.tif"]));
  expect(surveys[0]?.request.rasters).toEqual({
    dsm: join(dir, "surface.tif"),
    orthophoto: undefined,
    extent: groundExtent(HEAP_FOOTPRINT),
  });
  expect(result).toMatchObject({
    georeferencing: "given",
    measured_at: "2026-03-06T12:00:00.000Z",
  });
});

it.each([
  ["is doubted where nobody says so", undefined, ["SURFACE_UNIT"]],
  ["is read in the unit that is said", "ft", []],
] as const)("a base in feet %s", async (_, height_unit, gates) => {
  const surface_key = "stockpiles/sp_north/base/ground.tif";
  const path = join(dir, "feet.tif");
  await writeHeapRaster(path, { heightM: 0, value: (z) => z / 0.3048 });
  contents.set(surface_key, await readFile(path));
  const base = { method: "survey", surface_key, ...(height_unit && { height_unit }) } as const;
  const result = (await work(jobOf(await insert({ base })))) as StockpileMeasurement;
  const baseWarnings = result.warnings.filter((warning) => warning.startsWith("Of the base: "));
  expect(baseWarnings.map((warning) => /: ([A-Z_]+)/.exec(warning)?.[1])).toEqual(gates);
  const groundM = measures[0]?.ground?.origin.heightM ?? 0;
  expect(groundM).toBeCloseTo(GROUND_HEIGHT_M / (height_unit === undefined ? 0.3048 : 1), 1);
});

it("a base that cannot be read is refused by its field's name", async () => {
  const surface_key = "stockpiles/sp_north/base/ground.tif";
  contents.set(surface_key, Buffer.from("II*-no raster"));
  const job = jobOf(await insert({ base: { method: "survey", surface_key } }));
  await expect(work(job)).rejects.toMatchObject({
    code: "IMAGE_REFUSED",
    message: expect.stringMatching(/base\.surface_url.*the raster is/),
  });
});

it("a measure job hands the epoch before to the next measurement, with its images and all other footprints", async () => {
  const stockpile = await insert();
  await insert({ id: "sp_south" as Stockpile["id"] });
  await work(jobOf(stockpile));
  const before = await records.stockpiles.find(stockpile.id);
  await work(jobOf(before ?? stockpile, { id: "job_2" as JobId }, ["f.jpg"]));
  expect(surveys[1]?.input.companions).toEqual([
    { path: join(dir, "a.jpg"), sha256: "a.jpg", name: "a.jpg" },
  ]);
  expect(measures[1]).toMatchObject({
    datum: sampleFigures().datum,
    otherFootprints: [HEAP_FOOTPRINT],
  });
  expect(measures[1]?.companions).toEqual([{ sha256: "a.jpg", kind: "jpg" }]);
  expect(measures[1]?.earlier?.length).toBeGreaterThan(100);
  expect(measures[0]?.earlier).toBeUndefined();
});

it("a measure job orients known images with what they were oriented with before, so that all of it is known", async () => {
  const stockpile = await insert();
  const again = async (id: string, images: readonly string[]) => {
    const before = await records.stockpiles.find(stockpile.id);
    await work(jobOf(before ?? stockpile, { id: id as JobId }, [...images]));
    return surveys.at(-1)?.input.companions?.map(({ name }) => name);
  };
  // The engine of this test orients a.jpg alone.
  expect(await again("job_1", IMAGES)).toEqual([]);
  expect(await again("job_2", IMAGES)).toEqual([]);
  expect(await again("job_3", ["f.jpg"])).toEqual(["a.jpg"]);
  expect(await again("job_4", ["a.jpg", "f.jpg"])).toEqual(["a.jpg"]);
});

describe("begun again", () => {
  it("a measurement that is begun again yields what an earlier attempt stored, and works on nothing", async () => {
    const stockpile = await insert();
    const first = await work(jobOf(stockpile));
    const again = await work(jobOf(stockpile, { attempts: 2 }));
    expect(again).toEqual(first);
    expect(surveys).toHaveLength(1);
    expect([...stored.keys()].sort()).toEqual(FILES.map((name) => `${FOLDER}/${name}`));
  });

  it("a measurement that is begun again leaves no files of an attempt whose process was killed", async () => {
    const stockpile = await insert();
    stored.set(`${FOLDER}/dsm.tif`, "of attempt 1");
    stored.set("stockpiles/sp_north/job_10/1/dsm.tif", "of another job");
    await work(jobOf(stockpile, { attempts: 2 }));
    expect([...stored.keys()].sort()).toEqual([
      ...FILES.map((name) => `stockpiles/sp_north/job_1/2/${name}`),
      "stockpiles/sp_north/job_10/1/dsm.tif",
    ]);
  });

  it("a measurement that is begun again drops its own files when another attempt was faster", async () => {
    const stockpile = await insert();
    const slow = {
      ...engines,
      run: async (...args: Parameters<typeof engines.run>) => {
        if (measures.length === 0) await work(jobOf(stockpile, { attempts: 2 }));
        return await engines.run(...args);
      },
    } as SurveyEngines;
    const result = await createMeasureJob({
      ...{ engines: slow, files, stockpiles: records.stockpiles },
      images: { resolve: async () => [{ value: { path: "a.jpg", sha256: "a", name: "a" } }] },
      folder: { find: async () => undefined },
      // On another machine.
      disk: BOUNDLESS_DISK,
      workDir: join(dir, "other", "stages"),
    })(jobOf(stockpile), CONTEXT);
    expect(result).toMatchObject({ files: { surface: "stockpiles/sp_north/job_1/2/dsm.tif" } });
    expect([...stored.keys()].every((key) => key.startsWith("stockpiles/sp_north/job_1/2/"))).toBe(
      true,
    );
    expect(stored.size).toBe(FILES.length);
  });
});

describe("fails", () => {
  it("a measurement fails for good without its stockpile", async () => {
    await expect(work(jobOf(sampleStockpile()))).rejects.toMatchObject({
      code: "STOCKPILE_NOT_FOUND",
    });
    expect(surveys).toEqual([]);
  });

  it("a measurement fails for good with an invalid input", async () => {
    const job = { ...jobOf(sampleStockpile()), input: { stockpileId: "sp_north", images: [] } };
    await expect(work(job)).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
  });

  it("a measurement fails for another attempt when the footprint was changed meanwhile, and no file stays", async () => {
    const stockpile = await insert();
    const { process } = engines;
    const edited = createMeasureJob({
      engines: {
        ...engines,
        async process(...args: Parameters<typeof process>) {
          await records.stockpiles.update(stockpile.id, (before) => ({
            ...before,
            footprint: HEAP_FOOTPRINT.toReversed(),
          }));
          return await process(...args);
        },
      },
      images: { resolve: async () => [{ value: { path: "a.jpg", sha256: "a", name: "a" } }] },
      folder: { find: async () => undefined },
      files,
      stockpiles: records.stockpiles,
      disk: BOUNDLESS_DISK,
      workDir: join(dir, "stages"),
    });
    await expect(edited(jobOf(stockpile), CONTEXT)).rejects.toMatchObject({ code: "TASK_FAILED" });
    expect([...stored.keys()]).toEqual([]);
    expect((await records.stockpiles.find(stockpile.id))?.volume_basis).toBe("declared");
  });

  it("a measurement fails and keeps its files while it is unknown whether it was stored", async () => {
    const stockpile = await insert();
    const { addMeasurement } = records.stockpiles;
    const away = {
      ...records.stockpiles,
      async addMeasurement(...args: Parameters<typeof addMeasurement>) {
        await addMeasurement(...args);
        throw new DomainError("STORE_UNAVAILABLE", "the connection was lost");
      },
    };
    const job = createMeasureJob({
      ...{ engines, files, stockpiles: away, disk: BOUNDLESS_DISK, workDir: join(dir, "stages") },
      images: { resolve: async () => [{ value: { path: "a.jpg", sha256: "a", name: "a" } }] },
      folder: { find: async () => undefined },
    });
    await expect(job(jobOf(stockpile), CONTEXT)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    const again = await work(jobOf(stockpile, { attempts: 2 }));
    expect(again).toMatchObject({ files: { surface: `${FOLDER}/dsm.tif` } });
    expect(stored.has(`${FOLDER}/dsm.tif`)).toBe(true);
  });
});

describe("the job of a request", () => {
  const request = { images: IMAGES, requestedAtMs: REQUESTED_MS };
  const confirmed = () =>
    sampleStockpile({ footprint: HEAP_FOOTPRINT, footprint_state: "confirmed" });
  const keyOf = (stockpile: Stockpile, change = {}) =>
    measureJob(stockpile, { ...request, ...change }).dedupeKey;

  it("the job of a request is one of the stockpile's lane, as much work as there are images", () => {
    expect(measureJob(confirmed(), request)).toMatchObject({
      kind: "measure",
      projectId: "prj_1",
      lane: "stockpile:sp_north",
      workUnits: 6,
      joinCompletedMs: 86_400_000,
      input: { stockpileId: "sp_north", ...request, controlPoints: [], scaleBars: [] },
    });
  });

  it("the job of a request is the same for the same question, whenever it is asked", () => {
    const key = keyOf(confirmed());
    expect(keyOf(confirmed(), { requestedAtMs: REQUESTED_MS + 1 })).toBe(key);
    expect(keyOf(confirmed(), { images: ["a.jpg"] })).not.toBe(key);
    expect(keyOf({ ...confirmed(), footprint: HEAP_FOOTPRINT.toReversed() })).not.toBe(key);
    expect(keyOf({ ...confirmed(), base: { method: "tin" } })).not.toBe(key);
    expect(keyOf({ ...confirmed(), id: "sp_south" as Stockpile["id"] })).not.toBe(key);
    expect(keyOf({ ...confirmed(), measurement_id: "msr_1" as MeasurementId })).toBe(key);
  });

  it("the job of a request is still the same once its own measurement has proposed a footprint", () => {
    const none = sampleStockpile();
    const proposed = { ...none, footprint: HEAP_FOOTPRINT, footprint_state: "proposed" } as const;
    expect(keyOf(proposed)).toBe(keyOf(none));
  });
});
