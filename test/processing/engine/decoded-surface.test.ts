import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MATCH_TILE } from "../../../processing/engine/local/tasks/tasks.ts";
import type { ElevationGrid } from "../../../processing/grid/elevation-grid.ts";
import {
  type DecodedLevel,
  writeDecoded,
} from "../../../processing/images/pixels/decoded-image.ts";
import {
  denseSurface,
  type PassResult,
} from "../../../processing/photogrammetry/dense/dense-surface.ts";
import { matchTile } from "../../../processing/photogrammetry/dense/match-tile.ts";
import { planSurface } from "../../../processing/photogrammetry/dense/surface-plan.ts";
import type { TileInput } from "../../../processing/photogrammetry/dense/tile.ts";
import { ThreadPool, type WorkerPool } from "../../../processing/pool/pool.ts";
import { photograph, pyramidsOf } from "../photogrammetry/dense/scene.ts";

const SITE = { westM: -4, southM: -4, eastM: 4, northM: 4 };
const scene = photograph((x, y) => 1 + 0.08 * x - 0.05 * y);
const { reconstruction } = scene;
const plan = planSurface(reconstruction, { cellM: 0.2, bounds: SITE });
const bytesOf = ({ elevationM, score, views }: ElevationGrid) =>
  Buffer.concat([elevationM, score, views].map(({ buffer }) => new Uint8Array(buffer)));

let pool: WorkerPool;
let dir: string;
let decoded: readonly (readonly DecodedLevel[])[];
let whole: ElevationGrid;
let tilesOfAll = 0;
beforeAll(async () => {
  pool = new ThreadPool({ threads: 1, memoryBytes: 2 ** 30 });
  dir = await mkdtemp(join(tmpdir(), "decoded-surface-"));
  const pyramids = pyramidsOf(scene.images);
  decoded = pyramids.map((levels, i) => writeDecoded(join(dir, String(i)), levels, 1));
  whole = await denseSurface(plan, { reconstruction, pyramids }, async (tile) => {
    tilesOfAll += 1;
    return matchTile(tile);
  });
});
afterAll(async () => {
  await pool.close();
  await rm(dir, { recursive: true });
});

const match = (tile: TileInput<DecodedLevel>) =>
  pool.run(MATCH_TILE, tile, new AbortController().signal);

describe("a surface from images that lie on the disk", () => {
  it("a surface from images that lie on the disk has the same bytes as one from images in memory", async () => {
    const grid = await denseSurface(plan, { reconstruction, pyramids: decoded }, match);
    expect(Buffer.compare(bytesOf(grid), bytesOf(whole))).toBe(0);
  });

  it("a surface from images that lie on the disk goes on with the pass that it was ended in, and comes out the same", async () => {
    const kept = new Map<number, PassResult>();
    const keep = async (pass: number, work: () => Promise<PassResult>) => {
      const known = kept.get(pass) ?? (await work());
      kept.set(pass, known);
      return known;
    };
    const tilesOfFirst = plan.levels[0]?.tiles.length ?? 0;
    const sources = { reconstruction, pyramids: decoded };
    let tiles = 0;
    const dies = async (tile: TileInput<DecodedLevel>) => {
      tiles += 1;
      if (tiles > tilesOfFirst) throw new Error("killed");
      return await match(tile);
    };
    await expect(denseSurface(plan, sources, dies, { keep })).rejects.toThrow("killed");
    expect([...kept.keys()]).toEqual([0]);
    tiles = 0;
    const counted = async (tile: TileInput<DecodedLevel>) => {
      tiles += 1;
      return await match(tile);
    };
    const grid = await denseSurface(plan, sources, counted, { keep });
    expect(tiles).toBe(tilesOfAll - tilesOfFirst);
    expect(Buffer.compare(bytesOf(grid), bytesOf(whole))).toBe(0);
  });
});
