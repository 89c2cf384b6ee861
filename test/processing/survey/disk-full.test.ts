import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pruneStages } from "../../../processing/engine/run/prune-stages.ts";
import { openStageStore } from "../../../processing/engine/run/stage-store.ts";
import type { SurveyEngines } from "../../../processing/engine/survey-engines.ts";
import { openImageFolder } from "../../../processing/images/files/image-folder.ts";
import { failedAttempt } from "../../../processing/queue/job-outcome.ts";
import { withProductFolder } from "../../../processing/survey/product-folder.ts";
import { sweepProducts } from "../../../processing/survey/sweep-products.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import { smallSpace } from "../../support/small-space.ts";

const MIB = 1024 ** 2;
const JPEG = Buffer.from("ffd8ffe000104a464946", "hex");
const HOUR_MS = 3_600_000;
const stage = { name: "features", version: 1 };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-room-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Says that a file was last used so many hours ago. */
async function age(path: string, hours: number): Promise<void> {
  const at = new Date(Date.now() - hours * HOUR_MS);
  await utimes(path, at, at);
}

describe("where the disk has no room", () => {
  it("a finished stage is used and not kept, and worked out again where it is needed again", async () => {
    const { disk, state } = smallSpace(0);
    const store = await openStageStore(dir, disk);
    let runs = 0;
    const work = async () => {
      runs += 1;
      return { runs };
    };
    const first = await store.once(stage, ["a"], work);
    expect([first.value.runs, await readdir(dir)]).toEqual([1, []]);
    state.aboveBytes = MIB;
    const second = await store.once(stage, ["a"], work);
    const third = await store.once(stage, ["a"], work);
    expect([second.value.runs, third.value.runs, disk.stats().promisedBytes]).toEqual([2, 2, 0]);
  });

  it("a fetched image is refused with a code that is tried again, and nothing of it stays", async () => {
    const folder = await openImageFolder(dir, smallSpace(0).disk);
    const kept = folder.keep(async (sink) => {
      sink.write(JPEG);
    });
    await expect(kept).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(await readdir(dir)).toEqual([]);
  });

  it("a survey is not begun, and its job says why after the last attempt", async () => {
    const { disk } = smallSpace(MIB);
    const engines = { prune: async () => 0 } as unknown as SurveyEngines;
    const job = { id: "job-1", attempts: 3, maxAttempts: 3 } as unknown as Job;
    const tools = { engines, workDir: join(dir, "stages"), disk };
    const thrown = await withProductFolder(tools, job, async () => "made").catch((error) => error);
    expect(failedAttempt({ ...job, attempts: 1 }, thrown).retryInMs).toBe(10_000);
    expect(failedAttempt(job, thrown)).toMatchObject({
      error: { code: "DISK_FULL", message: expect.stringMatching(/room for 1 MiB .* 64 MiB/) },
      retryInMs: undefined,
    });
  });
});

describe("caches give up what was not used for longest", () => {
  it("caches give up what was not used for longest of finished stages, until enough is freed", async () => {
    const store = await openStageStore(dir);
    for (const input of ["old", "older", "new"]) {
      await store.once(stage, [input], async () => new Uint8Array(1_000));
    }
    const paths = new Map<string, string>();
    for (const [input, hours] of [
      ["old", 2],
      ["older", 3],
      ["new", 1],
    ] as const) {
      const { key } = await store.once(stage, [input], async () => new Uint8Array(1_000));
      paths.set(input, `features-${key}.stage`);
      await age(join(dir, `features-${key}.stage`), hours);
    }
    const freed = await pruneStages(dir, { freeBytes: 1_500 });
    expect(freed).toBeGreaterThan(2_000);
    expect(await readdir(dir)).toEqual([paths.get("new")]);
  });

  it("caches give up what was not used for longest of images, but none that a running job may have fetched", async () => {
    const folder = await openImageFolder(dir);
    const names: string[] = [];
    for (const [text, hours] of [
      ["a", 3],
      ["b", 2],
      ["c", 1],
    ] as const) {
      const { path } = await folder.keep(async (sink) => {
        sink.write(Buffer.concat([JPEG, Buffer.from(text)]));
      });
      await age(path, hours);
      names.push(path);
    }
    const sinceJobBegan = Date.now() - 1.5 * HOUR_MS;
    expect(await folder.evict(1, sinceJobBegan)).toBe(JPEG.length + 1);
    expect(await folder.evict(1_000_000, sinceJobBegan)).toBe(JPEG.length + 1);
    expect((await readdir(dir)).map((name) => join(dir, name))).toEqual([names[2]]);
  });
});

describe("what a killed process left", () => {
  it("what a killed process left of images that were being written goes at the next start, unless somebody still writes", async () => {
    await writeFile(join(dir, "incoming-dead"), "half");
    await age(join(dir, "incoming-dead"), 2);
    await writeFile(join(dir, "incoming-alive"), "half");
    await openImageFolder(dir);
    expect(await readdir(dir)).toEqual(["incoming-alive"]);
  });

  it("what a killed process left of products goes when nothing was written to it for a day", async () => {
    for (const [job, hours] of [
      ["job-1", 30],
      ["job-2", 1],
    ] as const) {
      await mkdir(join(dir, job, "1"), { recursive: true });
      await age(join(dir, job, "1"), hours);
      await age(join(dir, job), 30);
    }
    await sweepProducts(dir, Date.now() - 24 * HOUR_MS);
    expect(await readdir(dir)).toEqual(["job-2"]);
  });
});
