import type { LonLat } from "../../domain/geometry/geofence.ts";
import {
  blocksAround,
  type CellPlace,
  cellPlace,
} from "../../processing/map-tiles/sample-places.ts";
import { SAMPLE_PLACES } from "../../processing/map-tiles/tasks.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { RunTask } from "../dependencies/dependencies.ts";
import { createTurns, type WaitingClient } from "../long-requests/turns.ts";
import { keepValues } from "../representations/kept-values.ts";
import { type OpenedRaster, openRaster, unlessDamaged } from "./survey-files.ts";

/** Surfaces whose heads are kept: up to 64 kB each. */
const KEPT_RASTERS = 50;
/**
 * Blocks that are read and unpacked for one task: 8 MiB of heights where a block is 256 cells wide. More take more
 * memory, fewer more tasks for a line across a large survey.
 */
const BLOCKS_AT_ONCE = 32;
/** Questions that are answered at once, and that wait at most: one takes some milliseconds. */
const AT_ONCE = 2;
const MOST_WAITING = 200;

/** Reads heights out of the stored surfaces of surveys, at full resolution, in the thread of the map tiles. */
export class StoredHeights {
  readonly #store: Pick<FileStore, "stat" | "get">;
  readonly #run: RunTask;
  readonly #turns = createTurns({
    what: "questions for heights",
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
  });
  readonly #rasters = keepValues<OpenedRaster | undefined>({
    most: KEPT_RASTERS,
    weightOf: (raster) => (raster === undefined ? Number.POSITIVE_INFINITY : 1),
  });

  constructor(store: Pick<FileStore, "stat" | "get">, run: RunTask) {
    this.#store = store;
    this.#run = run;
  }

  /**
   * Heights at places, metres above the survey's datum, in their order; `undefined`: the survey has none there.
   * @param surface key of the surface
   * @returns `undefined` where the surface is gone, or is no file that this program wrote
   * @throws Refusal 503 while too many wait; DomainError `STORE_DAMAGED`, `STORE_UNAVAILABLE`; the reason of the client's signal
   */
  async at(
    surface: string,
    places: readonly LonLat[],
    client: WaitingClient,
  ): Promise<readonly (number | undefined)[] | undefined> {
    const opened = await this.#rasters.get(surface, () => openRaster(this.#store, surface));
    if (opened === undefined || opened.raster.kind !== "elevation") return undefined;
    const heights: (number | undefined)[] = new Array(places.length);
    const cells = places.flatMap(([lonDeg, latDeg], index) => {
      const place = cellPlace(opened.raster, lonDeg, latDeg);
      return place === undefined ? [] : [{ index, place }];
    });
    await this.#turns.take(client, async () => {
      for (const part of partsOf(opened, cells)) {
        client.signal.throwIfAborted();
        const sampled = await unlessDamaged(this.#sample(opened, part));
        for (const [i, { index }] of part.cells.entries()) {
          const heightM = sampled[i];
          heights[index] = heightM === undefined || Number.isNaN(heightM) ? undefined : heightM;
        }
      }
    });
    return heights;
  }

  async #sample(opened: OpenedRaster, { cells, numbers }: Part): Promise<Float64Array> {
    const { kind, blockSize, noData, width, height, levels } = opened.raster;
    const { offsets = [], lengths = [] } = levels[0] ?? {};
    const perRow = Math.ceil(width / blockSize);
    const blocks = await Promise.all(
      [...numbers].map(async (number) => ({
        column: number % perRow,
        row: Math.floor(number / perRow),
        bytes: await opened.read(offsets[number] ?? 0, lengths[number] ?? 0),
      })),
    );
    const places = cells.map(({ place }) => place);
    const format = { kind, blockSize, noData };
    return await this.#run(SAMPLE_PLACES, { width, height, places, format, blocks });
  }
}

interface Part {
  readonly cells: readonly { readonly index: number; readonly place: CellPlace }[];
  readonly numbers: ReadonlySet<number>;
}

/** Places one after the other, together as long as they need few blocks. */
function partsOf({ raster }: OpenedRaster, cells: Part["cells"]): readonly Part[] {
  const parts: { cells: Part["cells"][number][]; numbers: Set<number> }[] = [];
  for (const cell of cells) {
    const needed = blocksAround(raster, cell.place);
    let part = parts.at(-1);
    if (part === undefined || new Set([...part.numbers, ...needed]).size > BLOCKS_AT_ONCE) {
      part = { cells: [], numbers: new Set() };
      parts.push(part);
    }
    part.cells.push(cell);
    for (const number of needed) part.numbers.add(number);
  }
  return parts;
}
