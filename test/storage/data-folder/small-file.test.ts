import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadNodeId } from "../../../storage/data-folder/node-id.ts";
import { makeFileOnce } from "../../../storage/data-folder/small-file.ts";

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-small-"));
  path = join(dir, "file");
});
afterEach(() => rm(dir, { recursive: true }));

describe("a small file that is made once", () => {
  it("a small file that is made once is made by one of 20 at the same time, for its owner alone, with nothing beside it", async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`);
    const made = await Promise.allSettled(texts.map((text) => makeFileOnce(path, text)));
    const winners = texts.filter((_, i) => made[i]?.status === "fulfilled");
    expect(winners).toEqual([await readFile(path, "utf8")]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(dir)).toEqual(["file"]);
  });

  it("a small file that is made once takes the place of an empty one, which a kill has left", async () => {
    await writeFile(path, "");
    await makeFileOnce(path, "text");
    expect(await readFile(path, "utf8")).toBe("text");
  });
});

it("an empty node.id is made anew, and stays", async () => {
  await writeFile(join(dir, "node.id"), "");
  const id = await loadNodeId(dir);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await loadNodeId(dir)).toBe(id);
});
