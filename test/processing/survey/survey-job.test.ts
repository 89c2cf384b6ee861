import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { SurveyEngines } from "../../../processing/engine/survey-engines.ts";
import { openEngineThread } from "../../../processing/engine/thread/engine-thread.ts";
import { imageFilesOf } from "../../../processing/images/files/folder-files.ts";
import type { ImageResolver } from "../../../processing/images/resolve-images.ts";
import { createSurveyJob } from "../../../processing/survey/survey-job.ts";
import { BOUNDLESS_DISK } from "../../../storage/disk/disk-space.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import { NodeOdmStub } from "../../support/nodeodm-stub.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";

let engines: SurveyEngines;
let node: NodeOdmStub;
let set: SurveySet;
let workDir: string;
const tasks: string[] = [];
const stored = new Map<string, Buffer>();
beforeAll(async () => {
  set = await surveySet(TINY_SURVEY);
  node = await NodeOdmStub.open();
  // In a thread of its own, as in the service.
  engines = openEngineThread({
    threads: 1,
    memoryBytes: 2 ** 30,
    nodeOdm: { url: node.url, token: undefined },
    onTask: ({ name, outcome }) => tasks.push(`${name} ${outcome}`),
  });
  const { file } = set.truth.rasters.surfaceUtm;
  node.products = { "odm_dem/dsm.tif": await readFile(join(set.folder, file)) };
  node.step = 100;
  workDir = await mkdtemp(join(tmpdir(), "survey-job-"));
});
afterAll(async () => {
  await engines.close();
  await node.close();
  await rm(workDir, { recursive: true });
});

/** Entries are names of the set's images; `missing.jpg` is not to be had. */
const images: ImageResolver = {
  async resolve(entries) {
    const files = await imageFilesOf(set.folder);
    return entries.map((entry) => {
      const value = files.find(({ name }) => name === entry);
      return value === undefined ? { refused: `${entry} could not be fetched` } : { value };
    });
  },
};
const files = {
  async put(key: string, content: Readable | Uint8Array) {
    stored.set(key, content instanceof Uint8Array ? Buffer.from(content) : await buffer(content));
  },
  async delete(key: string) {
    stored.delete(key);
  },
} as unknown as FileStore;

function work(input: unknown, signal = new AbortController().signal) {
  const handler = createSurveyJob({
    ...{ engines, images, files, disk: BOUNDLESS_DISK, workDir: join(workDir, "stages") },
  });
  const percents: number[] = [];
  const job = { id: "job-1", attempts: 1, input } as Job;
  const done = handler(job, { signal, progress: (_, percent) => percents.push(percent) });
  return { done, percents };
}

const REQUEST = { name: "Quarry", profile: "quick", controlPoints: [], scaleBars: [] };

it("a survey job fetches images, has the engine work, and stores the products under the job's id", async () => {
  const names = set.truth.cameras.map(({ image }) => image);
  const request = {
    ...{ ...REQUEST, engine: "nodeodm", images: [...names, "missing.jpg"] },
    ...{ exports: true, contourIntervalM: 0.25 },
  };
  const { done, percents } = work(request);
  const summary = await done;
  expect(summary).toMatchObject({
    engine: "nodeodm",
    images: { read: 12, oriented: null, refused: ["missing.jpg could not be fetched"] },
    adjustment: null,
    products: { dsm: "surveys/job-1/1/dsm.tif", reportJson: "surveys/job-1/1/report.json" },
  });
  expect(JSON.parse(JSON.stringify(summary))).toMatchObject({ engine: "nodeodm" });
  expect([...stored.keys()].sort()).toEqual([
    "surveys/job-1/1/contours.dxf",
    "surveys/job-1/1/contours.geojson",
    "surveys/job-1/1/dsm.tif",
    "surveys/job-1/1/dtm.tif",
    "surveys/job-1/1/hillshade.png",
    "surveys/job-1/1/model.glb",
    "surveys/job-1/1/point-cloud.copc.laz",
    "surveys/job-1/1/report.html",
    "surveys/job-1/1/report.json",
  ]);
  expect(tasks.filter((task) => task === "read-image done")).toHaveLength(12);
  expect([engines.running, engines.waiting, engines.usedBytes]).toEqual([0, 0, 0]);
  expect(percents.every((percent, i) => percent >= (percents[i - 1] ?? 0))).toBe(true);
  expect(percents.at(-1)).toBe(100);
  // Products are in the store now, and nothing of them is left here.
  expect(await readdir(join(workDir, "products"))).toEqual([]);
});

it("a survey job touches no file of another attempt at the same job", async () => {
  const other = join(workDir, "products", "job-1", "2");
  const request = { ...REQUEST, engine: "nodeodm", images: set.truth.cameras.map((c) => c.image) };
  // Begun while this one was paused: its folder is there before this one ends.
  const put = vi.spyOn(files, "put");
  put.mockImplementationOnce(async (_key, content) => {
    if (content instanceof Readable) await once(content.destroy(), "close");
    await mkdir(other, { recursive: true });
    throw new DomainError("STORE_UNAVAILABLE", "the bucket is away");
  });
  stored.clear();
  stored.set("surveys/job-1/2/dsm.tif", Buffer.from("of attempt 2"));
  await expect(work(request).done).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect([...stored.keys()]).toEqual(["surveys/job-1/2/dsm.tif"]);
  expect(await readdir(join(workDir, "products", "job-1"))).toEqual(["2"]);
});

it("a survey job refuses an input that is none, and images of which none can be had", async () => {
  await expect(work({ images: [] }).done).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
  const request = { ...REQUEST, engine: "auto", images: ["missing.jpg"] };
  await expect(work(request).done).rejects.toMatchObject({
    code: "IMAGE_REFUSED",
    message: "missing.jpg could not be fetched",
  });
});

it("a gate's refusal fails the survey: two images are not a survey", async () => {
  const images = set.truth.cameras.slice(0, 2).map(({ image }) => image);
  await expect(work({ ...REQUEST, engine: "local", images }).done).rejects.toMatchObject({
    code: "IMAGES_UNUSABLE",
    finding: { gate: "TOO_FEW_IMAGES", value: 2 },
  });
});
