import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalText, writeRefusal } from "../../cli/survey-refusal.ts";
import type { ImageUse } from "../../domain/sites/image-use.ts";
import { type GateFinding, GateRefusal } from "../../processing/gates/gates.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "refusal-"));
});
afterAll(() => rm(dir, { recursive: true }));

const FINDING: GateFinding = {
  gate: "NO_OVERLAP",
  severity: "reject",
  value: 2,
  threshold: 3,
  unit: "images",
  advice: "Fly closer lines.",
  images: [],
};
const use = (i: number): ImageUse =>
  i === 0
    ? { name: "a.jpg", sha256: undefined, use: "unreadable", reason: "a.jpg is damaged" }
    : { name: `img-${i}.jpg`, sha256: "0", use: "unmatched", reason: "shares too little ground" };
const refusal = new GateRefusal(
  FINDING,
  [],
  Array.from({ length: 24 }, (_, i) => use(i)),
);

it("a refused survey lists its images, counted and one by one", () => {
  expect(refusalText(refusal).slice(0, 4)).toEqual([
    "unreadable: 1 of 24 images",
    "unmatched: 23 of 24 images",
    "  a.jpg       unreadable    a.jpg is damaged",
    "  img-1.jpg   unmatched     shares too little ground",
  ]);
  expect(refusalText(refusal).at(-1)).toBe("  and 4 more");
  expect(refusalText(new GateRefusal(FINDING))).toEqual([]);
});

it("plumbline survey names all refused images in report.json, also in a folder that is not there yet", async () => {
  const path = await writeRefusal(refusal, join(dir, "out"));
  const report = JSON.parse(await readFile(path, "utf8"));
  expect(path).toBe(join(dir, "out", "report.json"));
  expect(report).toMatchObject({
    format: "plumbline.refusal/1",
    refused_by: { gate: "NO_OVERLAP" },
  });
  expect(report.image_uses).toHaveLength(24);
});
