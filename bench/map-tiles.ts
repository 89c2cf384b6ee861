/**
 * Processor time of map tiles: a made survey of 100 m by 100 m (cells of 5 cm, 4 million of them, rough ground and a
 * grainy picture), of which tiles side by side are drawn at three zooms, in this thread as in the one of the service.
 * `plan` is what the event loop does for a tile, the rest is done by the thread; reading and unpacking blocks of the
 * file is in it.
 *
 *   npx tsx bench/map-tiles.ts [tiles a layer, size and zoom] [limit, ms]
 *
 * Ends with 1 if the mean of a layer at 256 pixels is above the limit: docs/decisions/061 has 40 ms.
 */
import { drawChange } from "../processing/map-tiles/draw-change.ts";
import { drawTile } from "../processing/map-tiles/draw-tile.ts";
import { planTile, zoomsOf } from "../processing/map-tiles/plan-tile.ts";
import type { SurveyRaster } from "../processing/map-tiles/survey-raster.ts";
import { groundPixelM, type TileAddress } from "../processing/map-tiles/tile-address.ts";
import { TILE_LAYERS, type TileLayer } from "../processing/map-tiles/tile-layers.ts";
import { type MadeMap, openMap, orthoFile, surfaceFile } from "../test/support/map-tile.ts";
import { median } from "./figures/median.ts";

const [tiles = 25, limitMs = 40] = process.argv.slice(2).map(Number);
const SIZES = [256, 512] as const;
const RANGE = { lowM: 95, highM: 115, lowestM: 90 };
const MAP: MadeMap = {
  ...{ epsg: 32_633, westM: 391_700, northM: 5_820_000, cellM: 0.05, width: 2_000, height: 2_000 },
};

/** Rough as ground is: no block packs better than those of real surveys. */
const grain = (east: number, north: number): number => {
  const wave = Math.sin(east * 12.9898 + north * 78.233) * 43_758.5453;
  return wave - Math.floor(wave);
};
const heightAt = (east: number, north: number): number =>
  105 + 8 * Math.sin(east / 17) * Math.cos(north / 23) + 0.03 * grain(east, north);
const colourAt = (east: number, north: number) => {
  const light = 90 + 60 * Math.sin(east / 3) * Math.cos(north / 5) + 50 * grain(east, north);
  return [light, light * 0.9, light * 0.7, 255] as const;
};

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

interface Source {
  readonly file: Uint8Array;
  readonly raster: SurveyRaster;
}

/** Processor time of planning and of drawing a tile, ms; `undefined`: there is none. */
async function measured(
  { file, raster }: Source,
  layer: TileLayer | "change",
  address: TileAddress,
): Promise<{ readonly planMs: number; readonly drawMs: number } | undefined> {
  const startMs = cpuMs();
  const plan = planTile(raster, address);
  const plannedMs = cpuMs();
  if (plan === undefined) return undefined;
  const { nodes, window, blocks } = plan;
  const { size } = address;
  const pixelsOf = (survey: string) => ({
    mesh: { nodes, window, size },
    format: raster,
    blocks: blocks.map(({ column, row, offset, length }) => ({
      ...{ column, row },
      name: `${survey} ${raster.kind} ${offset}`,
      bytes: file.subarray(offset, offset + length),
    })),
  });
  if (layer === "change") {
    // Two surveys, whose blocks are read apart.
    const two = { before: pixelsOf("before"), after: pixelsOf("after") };
    await drawChange({ ...two, size, noiseM: 0.1, topM: 2 });
  } else {
    const groundPixel = groundPixelM(address);
    await drawTile({ ...pixelsOf("one"), layer, groundPixelM: groundPixel, range: RANGE });
  }
  return { planMs: plannedMs - startMs, drawMs: cpuMs() - plannedMs };
}

/** Tiles of a zoom around the middle of the survey, row by row, as a map asks for them. */
function around({ extent }: SurveyRaster, z: number, size: number): TileAddress[] {
  const lonDeg = (extent.westDeg + extent.eastDeg) / 2;
  const latRad = (((extent.southDeg + extent.northDeg) / 2) * Math.PI) / 180;
  const x = Math.floor(((lonDeg + 180) / 360) * 2 ** z);
  const y = Math.floor(((1 - Math.asinh(Math.tan(latRad)) / Math.PI) / 2) * 2 ** z);
  const edge = Math.ceil(Math.sqrt(tiles));
  return Array.from({ length: tiles }, (_, i) => ({
    ...{ z, size },
    x: x - (edge >> 1) + (i % edge),
    y: y - (edge >> 1) + Math.floor(i / edge),
  }));
}

const opened = async (file: Uint8Array): Promise<Source> => ({ file, raster: await openMap(file) });
const surface = await opened(surfaceFile(MAP, heightAt));
const picture = await opened(orthoFile(MAP, colourAt));
const { least, most } = zoomsOf(surface.raster);
console.log(`zooms ${least} to ${most}; ms of processor time a tile, all threads`);
console.log("layer       size  tiles   mean    p50    p95    plan");
let worstMs = 0;
for (const layer of [...TILE_LAYERS, "change"] as const) {
  for (const size of SIZES) {
    const source = layer === "orthophoto" ? picture : surface;
    const plans: number[] = [];
    const draws: number[] = [];
    // The first tiles compile the code.
    for (const address of around(source.raster, most, size).slice(0, 3)) {
      await measured(source, layer, address);
    }
    for (const z of [most, most - 1, most - 3]) {
      for (const address of around(source.raster, z, size)) {
        const one = await measured(source, layer, address);
        if (one === undefined) continue;
        plans.push(one.planMs);
        draws.push(one.drawMs + one.planMs);
      }
    }
    const sorted = draws.toSorted((a, b) => a - b);
    const mean = draws.reduce((sum, ms) => sum + ms, 0) / draws.length;
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
    if (size === 256) worstMs = Math.max(worstMs, mean);
    const figures = [mean, median(draws), p95, median(plans)].map((ms) =>
      ms.toFixed(1).padStart(6),
    );
    const [name, edge] = [layer.padEnd(11), String(size).padStart(4)];
    console.log(`${name} ${edge} ${String(draws.length).padStart(6)} ${figures.join(" ")}`);
  }
}
if (worstMs > limitMs) {
  console.error(`a tile takes ${worstMs.toFixed(1)} ms in the mean, above ${limitMs}`);
  process.exitCode = 1;
}
