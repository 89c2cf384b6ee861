import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { CaptureId } from "../../../../domain/ids.ts";
import type { Capture, ZoneEstimate } from "../../../../domain/sites/capture.ts";
import type { WorkZone } from "../../../../domain/sites/work-zone.ts";
import type { EngineRequest } from "../../../../processing/engine/choose.ts";
import type { SurveyInput, SurveyResult } from "../../../../processing/engine/port/engine.ts";
import type { SurveyEngines } from "../../../../processing/engine/survey-engines.ts";
import { decodeEpoch, encodeEpoch } from "../../../../processing/epoch/epoch-file.ts";
import { decodeBasis, encodeBasis } from "../../../../processing/epoch/survey-basis.ts";
import type { SurveyFacts } from "../../../../processing/epoch/survey-facts.ts";
import { AllImagesRefused } from "../../../../processing/progress/analysis/all-images-refused.ts";
import type { CaptureFindings } from "../../../../processing/progress/analysis/analyser.ts";
import { analyseFlight } from "../../../../processing/progress/flight/analysis/analyse-flight.ts";
import { createFlightAnalyser } from "../../../../processing/progress/flight/flight-analyser.ts";
import type { FlightInput } from "../../../../processing/progress/flight/input/flight-input.ts";
import { BOUNDLESS_DISK } from "../../../../storage/disk/disk-space.ts";
import type { FileStore } from "../../../../storage/ports/files.ts";
import type { Job } from "../../../../storage/ports/platform/jobs.ts";
import type { PastEstimate } from "../../../../storage/ports/sites/captures.ts";
import { openMemoryFiles } from "../../../support/memory-files.ts";
import { flownSite, ringOf } from "./flight-site.ts";

const FLOWN_MS = Date.parse("2026-03-05T10:00:00.000Z");
const IMAGES = ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg"];

let dir: string;
let files: FileStore;
/** What the engine and the task were asked for. */
let surveys: { readonly request: EngineRequest; readonly input: SurveyInput }[];
let inputs: FlightInput[];
let datum: unknown;
let newest: Capture | undefined;
let past: PastEstimate[];
let isRtk: boolean;
/** Whether the task works, or says nothing. */
let isWorkedOut: boolean;
const NOTHING = { placed: undefined, estimates: [], baselines: [], warnings: [] };
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "flight-analyser-"));
  files = openMemoryFiles(() => 0, new Uint8Array(32)).store;
  surveys = [];
  inputs = [];
  [datum, newest, past, isRtk, isWorkedOut] = [undefined, undefined, [], true, false];
});
afterEach(() => rm(dir, { recursive: true }));

/** An engine that yields the bare site, and cannot read b.jpg. */
const engines = {
  async process(request: EngineRequest, input: SurveyInput) {
    surveys.push({ request, input });
    await mkdir(input.outDir, { recursive: true });
    const file = async (name: string) => {
      await writeFile(join(input.outDir, name), name);
      return join(input.outDir, name);
    };
    const read = input.images.filter(({ name }) => name !== "b.jpg");
    const refused = input.images.length === read.length ? [] : ["b.jpg is damaged"];
    if (input.images.length > 0 && read.every(({ name }) => name === "bad.jpg")) {
      throw new DomainError("IMAGE_REFUSED", "bad.jpg is damaged");
    }
    const { origin, dsm } = flownSite({ cellM: 1 });
    return {
      engine: request.rasters === undefined ? "nodeodm" : "precomputed",
      images: read.map(({ name, sha256 }) => ({
        ...{ name, sha256, capturedAtMs: FLOWN_MS },
        position: { isRtk },
      })),
      ...{ refused, origin, dsm, reconstruction: undefined, ortho: undefined, findings: [] },
      products: {
        dsm: await file("dsm.tif"),
        orthomosaic: await file("orthomosaic.tif"),
        hillshade: await file("hillshade.png"),
        model3d: await file("model.glb"),
        reportJson: await file("report.json"),
        reportHtml: await file("report.html"),
        exports: { dtm: await file("dtm.tif") },
      },
    } as unknown as SurveyResult;
  },
  async run({ name }: { readonly name: string }, input: FlightInput) {
    if (name === "read-image") return { position: { isRtk } };
    if (name === "keep-basis") return encodeBasis(input as unknown as SurveyFacts);
    inputs.push(input);
    return isWorkedOut ? await analyseFlight(input) : NOTHING;
  },
  prune: async () => 0,
  memoryBytes: 1e9,
} as unknown as SurveyEngines;

const zone = (change: Partial<WorkZone> = {}): WorkZone =>
  ({
    ...{ id: "zon_pad", project_id: "prj_1", name: "Pad", polygon: ringOf([-8, -6, 8, 6]) },
    metric: { kind: "fill" },
    // The flight's pixels are 1 m: much thinner it could not be measured.
    design: { kind: "level", height_m: 3, reference: "baseline" },
    declared_progress: 0,
    ...change,
  }) as WorkZone;

async function analyse(
  about: {
    readonly images?: readonly string[];
    readonly zones?: readonly WorkZone[];
    readonly metadata?: Record<string, unknown>;
    readonly id?: string;
    readonly purpose?: "survey";
  } = {},
): Promise<CaptureFindings> {
  const { images = IMAGES, zones = [zone()], metadata, id = "cap_1", purpose } = about;
  const analyser = createFlightAnalyser({
    ...{ engines, files, disk: BOUNDLESS_DISK, workDir: join(dir, "stages") },
    images: {
      async resolve(entries) {
        return entries.map((entry) =>
          entry.startsWith("gone")
            ? { refused: `${entry} was answered with status 404` }
            : { value: { path: join(dir, entry), sha256: entry, name: entry } },
        );
      },
    },
    folder: {
      find: async (sha256, kind) => ({ path: join(dir, sha256), sha256, kind, bytes: 1 }),
    },
    captures: {
      datum: async () => datum,
      newestFlight: async () => newest,
      estimates: async (_ids, untilMs) =>
        past.filter(({ captureDateMs }) => captureDateMs <= untilMs),
    },
    stockpiles: {
      list: async () => ({ stockpiles: [], total: 0 }),
    },
  });
  const capture = {
    ...{ id, project_id: "prj_1", created_at: "2026-03-06T12:00:00.000Z" },
    flight_metadata: metadata,
    purpose,
  } as unknown as Capture;
  const job = { id: "job_1", attempts: 2 } as Job;
  return await analyser.analyse(
    { job, capture, images, zones },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
}

/** As if what a capture found had been stored. */
function keep(findings: CaptureFindings, id = "cap_1"): void {
  datum = JSON.parse(JSON.stringify(findings.datum)) as unknown;
  newest = { id, products: findings.products } as unknown as Capture;
}

describe("a drone capture", () => {
  it("a drone capture names each image that was not used, and why", async () => {
    const { images } = await analyse({ images: ["gone.jpg", ...IMAGES, "a.jpg"] });
    expect(images.map(({ status, reason }) => [status, reason])).toEqual([
      ["rejected", "gone.jpg was answered with status 404"],
      ["used", undefined],
      ["rejected", "b.jpg is damaged"],
      ...IMAGES.slice(2).map(() => ["used", undefined]),
      ["not_used", "is image 2 once more"],
    ]);
    expect(images[1]).toMatchObject({ url: "a.jpg", taken_at: "2026-03-05T10:00:00.000Z" });
  });

  it("a drone capture of which no image can be had, or read, ends with a reason for each", async () => {
    const gone = analyse({ images: ["gone1.jpg", "gone2.jpg"] });
    await expect(gone).rejects.toBeInstanceOf(AllImagesRefused);
    await expect(gone).rejects.toMatchObject({
      code: "IMAGES_UNUSABLE",
      images: [{ status: "rejected" }, { status: "rejected" }],
    });
    const bad = analyse({ images: ["bad.jpg"] });
    await expect(bad).rejects.toMatchObject({
      images: [{ status: "rejected", reason: "bad.jpg is damaged" }],
    });
  });

  it("a drone capture with hardly any image left goes through the gate of surveys", async () => {
    await expect(analyse({ images: ["a.jpg", "gone.jpg"] })).rejects.toMatchObject({
      finding: { gate: "TOO_FEW_IMAGES" },
      captureImages: [
        {
          url: "a.jpg",
          status: "not_used",
          reason: "the flight was refused: TOO_FEW_IMAGES",
        },
        { url: "gone.jpg", status: "rejected", reason: "gone.jpg was answered with status 404" },
      ],
    });
  });

  it("a flight for its survey alone leaves its products and map, and nothing that later flights rest on", async () => {
    isWorkedOut = true;
    const found = await analyse({ zones: [], purpose: "survey" });
    expect(found.products).toMatchObject({ dsm: "captures/cap_1/2/dsm.tif" });
    expect(found).toMatchObject({ datum: undefined, baselines: [], estimates: [] });
    const keys: string[] = [];
    for await (const { key } of files.list("captures/")) keys.push(key.replace(/^.*\//, ""));
    expect(keys).toContain("heights.png");
    expect(keys).toContain("basis.bin");
    expect(keys).not.toContain("epoch.bin");
  });

  it("a drone capture leaves its products, an epoch and a map in the attempt's folder, and becomes the baseline", async () => {
    isWorkedOut = true;
    const found = await analyse();
    expect(found.products).toMatchObject({
      dsm: "captures/cap_1/2/dsm.tif",
      orthomosaic: "captures/cap_1/2/orthomosaic.tif",
      model_3d: "captures/cap_1/2/model.glb",
      survey_report: "captures/cap_1/2/report.html",
      exports: { dtm: "captures/cap_1/2/dtm.tif" },
    });
    expect(found.pictures).toEqual([
      { title: "Relief with the zones", key: "captures/cap_1/2/heights.png" },
    ]);
    expect(found.baselines).toEqual([
      {
        zoneId: "zon_pad",
        surface: {
          ...{ kind: "flight", surface_key: "captures/cap_1/2/dsm.tif", capture_id: "cap_1" },
        },
      },
    ]);
    expect(found.datum).toMatchObject({
      ...{ version: 1, id: "cap_1", epochKey: "captures/cap_1/2/epoch.bin" },
    });
    expect(found.captureDateMs).toBe(FLOWN_MS);
    const opened = await files.get("captures/cap_1/2/epoch.bin");
    const chunks: Buffer[] = [];
    for await (const chunk of opened?.body ?? []) chunks.push(chunk as Buffer);
    expect(decodeEpoch(Buffer.concat(chunks))?.datum).toBe("cap_1");
  });

  it.each([
    ["of photographs", IMAGES, "rtk"],
    ["of a surface that was given", ["surface.tif"], "given"],
  ] as const)("a drone capture %s keeps what volumes are computed from, also where nothing ties it to earlier flights", async (_, images, georeferencing) => {
    const { products } = await analyse({ images });
    expect(products).toMatchObject({ basis: "captures/cap_1/2/basis.bin", georeferencing });
    const opened = await files.get(products?.basis ?? "");
    if (opened === undefined) throw new Error("it is not stored");
    const kept = decodeBasis(await buffer(opened.body));
    expect(kept).toMatchObject({ georeferencing, dsm: { cellM: 1 }, block: undefined });
    expect(kept?.dsm.elevationM).toEqual(flownSite({ cellM: 1 }).dsm.elevationM);
  });

  it("a drone capture whose files cannot all be stored leaves none", async () => {
    isWorkedOut = true;
    const put = files.put.bind(files);
    files.put = async (key, ...content) => {
      // The one after it.
      if (key.endsWith("epoch.bin")) throw new DomainError("STORE_UNAVAILABLE", "gone");
      return await put(key, ...content);
    };
    await expect(analyse()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    const left: string[] = [];
    for await (const { key } of files.list("captures/")) left.push(key);
    expect(left).toEqual([]);
  });

  it("a drone capture is brought onto the first one by its epoch, which is the zones' baseline", async () => {
    isWorkedOut = true;
    const first = await analyse();
    keep(first);
    const baseline = first.baselines[0]?.surface;
    const second = await analyse({ id: "cap_2", zones: [zone({ baseline })] });
    expect(inputs[1]?.earlier).toHaveLength(1);
    expect(inputs[1]?.zones[0]?.baseline).toMatchObject({ kind: "file", format: "epoch" });
    expect(second.estimates[0]?.raw_progress).toBe(0);
    expect(second.estimates[0]?.no_estimate).toBeUndefined();
    expect(second.datum).toEqual(first.datum);
    expect(second.baselines).toEqual([]);
    // Positions by RTK tie the two: no image of the first one is oriented along.
    expect(surveys[1]?.input.companions).toEqual([]);
  });

  it("a drone capture without RTK takes images of the earlier flight along", async () => {
    isRtk = false;
    const cameras = ["x", "y"].map((sha256) => ({
      ...{ sha256, kind: "jpg" as const, centre: [0, 0, 0] as const },
    }));
    const surface = flownSite({ cellM: 1 }).dsm;
    const epoch = encodeEpoch({ datum: "cap_1", surface, cameras, companions: [] });
    const epochKey = "captures/cap_1/2/epoch.bin";
    await files.put(epochKey, epoch);
    datum = { version: 1, id: "cap_1", georeferencing: "gps", epochKey };
    await analyse({ id: "cap_2" });
    expect(surveys[0]?.input.companions?.map(({ sha256 }) => sha256)).toEqual(["x", "y"]);
  });

  it("a drone capture goes by flown_at, but never later than it came", async () => {
    const early = await analyse({ metadata: { flown_at: "2026-02-01T08:00:00Z" } });
    expect(early.captureDateMs).toBe(Date.UTC(2026, 1, 1, 8));
    const late = await analyse({ metadata: { flown_at: "2030-01-01T00:00:00Z" } });
    expect(late.captureDateMs).toBe(Date.parse("2026-03-06T12:00:00.000Z"));
  });

  it("a drone capture takes the surface that its metadata name, and does not read the images", async () => {
    const found = await analyse({
      metadata: { dsm_url: "dsm.tif", orthomosaic_url: "gone.tif" },
    });
    expect(surveys[0]?.request.rasters).toEqual({
      ...{ dsm: join(dir, "dsm.tif"), orthophoto: undefined },
      // Around the zone: what is read of a surface that is too large.
      largeExtent: expect.objectContaining({ westDeg: expect.any(Number) }),
    });
    expect(new Set(found.images.map(({ status }) => status))).toEqual(new Set(["not_used"]));
    expect(found.warnings.join()).toContain("orthomosaic_url was not used");
    await expect(analyse({ metadata: { dsm_url: "gone.tif" } })).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
    });
  });

  it("a drone capture takes a GeoTIFF that is its only image for the surface", async () => {
    const found = await analyse({ images: ["surface.tif"] });
    expect(surveys[0]?.request.rasters?.dsm).toBe(join(dir, "surface.tif"));
    expect(found.images).toEqual([{ url: "surface.tif", status: "used" }]);
  });

  it("a drone capture says which zone lacks its surface, and measures the others", async () => {
    isWorkedOut = true;
    const lost = zone({
      id: "zon_lost" as WorkZone["id"],
      baseline: { kind: "raster", surface_key: "zones/zon_lost/baseline.tif" },
    });
    const { estimates } = await analyse({ zones: [lost, zone()] });
    expect(estimates.map((one) => one.no_estimate)).toEqual(["no_surface", "baseline_taken"]);
    expect(estimates[0]?.notes.join()).toContain("not stored any more");
  });

  it("a drone capture knows the levels that the flight before saw, and not those of the same day", async () => {
    const levels = [{ name: "Ground floor", top_m: 3, weight: 1 }];
    const figures = { level_tops_m: "3", level_1_share: 0.95 };
    const estimate = {
      zone_id: "zon_pad",
      method: "dsm_height",
      figures,
    } as unknown as ZoneEstimate;
    const pastAt = (captureDateMs: number): PastEstimate => ({
      ...{ captureId: "cap_0" as CaptureId, captureDateMs, estimate },
    });
    const zones = [zone({ metric: { kind: "height", levels } })];
    past = [pastAt(FLOWN_MS - 3_600_000)];
    await analyse({ zones });
    past = [pastAt(FLOWN_MS - 7 * 86_400_000)];
    await analyse({ zones });
    expect(inputs.map((input) => input.zones[0]?.earlierLevels)).toEqual([undefined, [0.95]]);
  });
});
