import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  markCluster,
  readClusterMarks,
  whileUnmarked,
} from "../../../../storage/records/pglite/cluster-marks.ts";

const PAGE_BYTES = 8_192;
const TABLE = "base/5/16384";

let root: string;
let cluster: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "plumbline-marks-"));
  cluster = join(root, "cluster");
  for (const folder of ["base/5", "global", "pg_xact"]) {
    await mkdir(join(cluster, folder), { recursive: true });
  }
  await writeFile(join(cluster, "PG_VERSION"), "17\n");
  const used = Buffer.alloc(2 * PAGE_BYTES, 1);
  await writeFile(join(cluster, TABLE), Buffer.concat([used, Buffer.alloc(2 * PAGE_BYTES)]));
  markCluster(cluster);
});
afterEach(() => rm(root, { recursive: true, force: true }));

it("the marks hold how long a table is and which of its pages are not used yet", () => {
  expect(readClusterMarks(cluster)).toEqual({
    pages: { [TABLE]: [4 * PAGE_BYTES, [2, 3]] },
    sums: { PG_VERSION: [3, expect.any(Number)] },
  });
});

it("a table has no marks while a vacuum runs, and afterwards those of the shorter table", async () => {
  await whileUnmarked(cluster, async () => {
    expect(readClusterMarks(cluster)).toBeUndefined();
    await truncate(join(cluster, TABLE), 3 * PAGE_BYTES);
  });
  expect(readClusterMarks(cluster)?.pages).toEqual({ [TABLE]: [3 * PAGE_BYTES, [2]] });
});

it("a table has no marks after a vacuum that failed, however far it came", async () => {
  const vacuum = whileUnmarked(cluster, async () => {
    throw new RangeError("no vacuum");
  });
  await expect(vacuum).rejects.toThrow("no vacuum");
  expect(readClusterMarks(cluster)).toBeUndefined();
});

it.each([
  ["no JSON", "{"],
  ["no object", "[]"],
  ["without sums", '{"pages":{}}'],
  ["of a list of pages", '{"pages":[],"sums":{}}'],
  ["without the unused pages of a table", '{"pages":{"base/5/1":[8192]},"sums":{}}'],
  ["of a page that is not a number", '{"pages":{"base/5/1":[8192,["2"]]},"sums":{}}'],
  ["of a length that is not a number", '{"pages":{"base/5/1":[null,[]]},"sums":{}}'],
  ["of a sum without its length", '{"pages":{},"sums":{"PG_VERSION":[7]}}'],
  ["of a sum that is not a number", '{"pages":{},"sums":{"PG_VERSION":[3,"7"]}}'],
])("marks that are %s count as none", async (_what, text) => {
  await writeFile(`${cluster}.marks`, text);
  expect(readClusterMarks(cluster)).toBeUndefined();
});
