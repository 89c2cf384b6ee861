import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import {
  decodeAll,
  withDecodedImages,
} from "../../../../processing/engine/local/decoded-images.ts";
import type { SurveyInput } from "../../../../processing/engine/port/engine.ts";
import { openStageStore } from "../../../../processing/engine/run/stage-store.ts";
import { createSurveyRun, type SurveyRun } from "../../../../processing/engine/run/survey-run.ts";
import { decodePixels } from "../../../../processing/images/pixels/decode.ts";
import { readLevel, readWindow } from "../../../../processing/images/pixels/decoded-image.ts";
import { ThreadPool, type WorkerPool } from "../../../../processing/pool/pool.ts";

const HOUR_MS = 3_600_000;
let pool: WorkerPool;
let dir: string;
let cancel: AbortController;
let run: SurveyRun;
beforeAll(() => {
  pool = new ThreadPool({ threads: 1, memoryBytes: 2 ** 30 });
});
afterAll(() => pool.close());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "decoded-images-"));
  cancel = new AbortController();
  run = createSurveyRun({ workDir: dir } as SurveyInput, pool, await openStageStore(dir), {
    signal: cancel.signal,
    onProgress: () => undefined,
    weights: {},
  });
});
afterEach(() => rm(dir, { recursive: true }));

/** A picture whose red encodes the column and whose blue encodes the row, and a size to use it at. */
async function picture(widthPx: number, heightPx: number) {
  const pixels = Uint8Array.from({ length: widthPx * heightPx * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return [pixel % widthPx, 0, Math.floor(pixel / widthPx)][i % 3] ?? 0;
  });
  const path = join(dir, "picture.png");
  await sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } }).toFile(path);
  return { path, name: "picture.png", widthPx, heightPx, filePx: widthPx * heightPx };
}
const folders = async () => (await readdir(dir)).filter((name) => name.startsWith("decoded-"));

it("images are decoded into a folder that is gone afterwards", async () => {
  const image = await picture(200, 150);
  const shares: number[] = [];
  const seen = await withDecodedImages(run, async (decoded) => {
    const images = [image, { ...image, widthPx: 100, heightPx: 75 }];
    const [whole] = await decodeAll(decoded, images, (share) => shares.push(share));
    expect(await folders()).toHaveLength(1);
    return whole && readWindow(whole.colour, { left: 150, top: 140, width: 2, height: 1 });
  });
  expect([...(seen ?? [])]).toEqual([150, 0, 140, 151, 0, 140]);
  expect(shares).toEqual([0.5, 1]);
  expect(await folders()).toEqual([]);
});

it("an image is decoded once, and its luminance is that of the file", async () => {
  const image = { ...(await picture(200, 150)), widthPx: 160, heightPx: 120 };
  const decode = vi.spyOn(pool, "run");
  await withDecodedImages(run, async (decoded) => {
    const [{ grey }] = await Promise.all([decoded.of(image), decoded.of({ ...image })]);
    expect(grey.map(({ width, height }) => [width, height])).toEqual([[160, 120]]);
    const [level] = grey;
    expect(level && readLevel(level)).toEqual(await decodePixels(image, "grey"));
  });
  expect(decode).toHaveBeenCalledTimes(1);
  decode.mockRestore();
});

it("a survey that is cancelled or fails meanwhile leaves no decoded images behind", async () => {
  const image = await picture(200, 150);
  const fails = withDecodedImages(run, async (decoded) => {
    await decoded.of(image);
    throw new Error("no");
  });
  await expect(fails).rejects.toThrow("no");
  const onDecoded = () => cancel.abort(new Error("cancelled"));
  const images = [image, { ...image, widthPx: 100, heightPx: 75 }];
  const cancelled = withDecodedImages(run, (decoded) => decodeAll(decoded, images, onDecoded));
  await expect(cancelled).rejects.toThrow("cancelled");
  expect(await folders()).toEqual([]);
});

it("what a killed process left is removed, and what another process uses is not", async () => {
  for (const [name, ageMs] of [
    ["decoded-killed", 2 * HOUR_MS],
    ["decoded-alive", HOUR_MS / 2],
  ] as const) {
    await mkdir(join(dir, name));
    await writeFile(join(dir, name, "0.pixels"), "pixels");
    const usedAt = new Date(Date.now() - ageMs);
    await utimes(join(dir, name), usedAt, usedAt);
  }
  await withDecodedImages(run, async () => undefined);
  expect(await folders()).toEqual(["decoded-alive"]);
});
