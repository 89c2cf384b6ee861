import { DomainError } from "../../domain/errors.ts";
import type { SurveyFiles } from "../../domain/sites/site-survey.ts";
import type { HeightRange } from "../../processing/map-tiles/draw-tile.ts";
import {
  planTile,
  type TilePlan,
  type Zooms,
  zoomsOf,
} from "../../processing/map-tiles/plan-tile.ts";
import { DRAW_CHANGE, DRAW_TILE, HEIGHT_RANGE } from "../../processing/map-tiles/tasks.ts";
import { groundPixelM, type TileAddress } from "../../processing/map-tiles/tile-address.ts";
import type { TileLayer } from "../../processing/map-tiles/tile-layers.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { RunTask } from "../dependencies/dependencies.ts";
import { Refusal } from "../errors/refusal.ts";
import { createTurns, type WaitingClient } from "../long-requests/turns.ts";
import { keepValues } from "../representations/kept-values.ts";
import { type OpenedRaster, openRaster, unlessDamaged } from "./survey-files.ts";

/** Tiles that are kept, bytes: some 3,000, as many as twenty people see at once. */
const KEPT_TILE_BYTES = 48 * 1024 ** 2;
/** Blocks of files as they are stored, bytes: some 100, which hold 1,500 tiles. Fewer are read again and again. */
const KEPT_BLOCK_BYTES = 32 * 1024 ** 2;
/** Products whose heads are kept: up to 64 kB each. */
const KEPT_RASTERS = 200;
const KEPT_RANGES = 2_000;
/** What a kept value takes beside its bytes, bytes. */
const ENTRY_BYTES = 256;

/**
 * Tiles that are planned, read and drawn at once: one in the thread, and the next ones with their blocks read.
 * Planning takes the event loop some 0.5 ms each, so more would hold up other requests.
 */
const AT_ONCE = 3;
/** Tiles that wait at most: some 30 s of work. More would wait for a map that nobody looks at any longer. */
const MOST_WAITING = 2_000;

/** What a map needs to know of a survey's tiles. */
export interface TileLayers {
  /** `undefined`: there is no orthophoto, or it cannot be read. */
  readonly orthophoto: Zooms | undefined;
  /** Of all layers that are drawn from heights; `undefined`: the surface cannot be read. */
  readonly surface: Zooms | undefined;
  /** `undefined`: it has no heights. */
  readonly range: HeightRange | undefined;
}

/** What colours of a change mean, metres. */
export interface ChangeScale {
  /** Changes of up to so much are grey. */
  readonly noiseM: number;
  /** Changes of so much have the darkest colour. */
  readonly topM: number;
}

/** Draws map tiles of surveys, one after the other and one caller after the other, and keeps what was asked for last. */
export class MapTiles {
  readonly #store: Pick<FileStore, "stat" | "get">;
  readonly #run: RunTask;
  readonly #turns = createTurns({
    what: "map tiles",
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
  });
  readonly #rasters = keepValues<OpenedRaster | undefined>({
    most: KEPT_RASTERS,
    weightOf: (raster) => (raster === undefined ? Number.POSITIVE_INFINITY : 1),
  });
  readonly #ranges = keepValues<HeightRange | undefined>({
    most: KEPT_RANGES,
    weightOf: () => 1,
  });
  readonly #blocks = keepValues<Uint8Array>({
    most: KEPT_BLOCK_BYTES,
    weightOf: ({ byteLength }) => byteLength + ENTRY_BYTES,
  });
  readonly #tiles = keepValues<{ readonly webp: Uint8Array | undefined }>({
    most: KEPT_TILE_BYTES,
    weightOf: ({ webp }) => (webp?.byteLength ?? 0) + ENTRY_BYTES,
  });

  constructor(store: Pick<FileStore, "stat" | "get">, run: RunTask) {
    this.#store = store;
    this.#run = run;
  }

  /**
   * A tile as WebP; `undefined`: the survey has nothing there.
   * @throws Refusal 404 for a layer that the survey does not have, or not at this zoom, 503 while too many wait;
   *   DomainError `STORE_DAMAGED`, `STORE_UNAVAILABLE`, `TASK_FAILED`; the reason of the client's signal
   */
  async tile(
    files: SurveyFiles,
    layer: TileLayer,
    address: TileAddress,
    client: WaitingClient,
  ): Promise<Uint8Array | undefined> {
    const key = layer === "orthophoto" ? files.orthomosaic : files.surface;
    const opened = key === undefined ? undefined : await this.#open(key);
    if (opened === undefined) {
      throw new Refusal(404, "not_found", `The survey has no map of the layer ${layer}`);
    }
    const { z, x, y, size } = address;
    requireZoom(opened, layer, z);
    const name = `${key} ${layer} ${z} ${x} ${y} ${size}`;
    return await this.#kept(name, client, () => this.#draw(opened, files, layer, address));
  }

  /**
   * A tile of what changed from one survey to another; `undefined`: one of them has nothing there. Its zooms are those
   * of the newer surface. @throws as `tile`
   */
  async change(
    files: SurveyFiles,
    since: SurveyFiles,
    address: TileAddress,
    { noiseM, topM }: ChangeScale,
    client: WaitingClient,
  ): Promise<Uint8Array | undefined> {
    const [after, before] = await Promise.all([
      this.#open(files.surface),
      this.#open(since.surface),
    ]);
    if (after === undefined || before === undefined) {
      throw new Refusal(404, "not_found", "The surface of one of the surveys cannot be read");
    }
    const { z, x, y, size } = address;
    requireZoom(after, "change", z);
    const name = `${after.key} ${before.key} ${z} ${x} ${y} ${size} ${noiseM} ${topM}`;
    return await this.#kept(name, client, async () => {
      const newer = await this.#pixels(after, address);
      const older = newer && (await this.#pixels(before, address));
      if (newer === undefined || older === undefined) return undefined;
      const input = { before: older, after: newer, size, noiseM, topM };
      return await this.#run(DRAW_CHANGE, input);
    });
  }

  /** The tile of a name, drawn when it is its turn unless it is kept. @throws as `tile` */
  async #kept(
    name: string,
    client: WaitingClient,
    draw: () => Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined> {
    const known = this.#tiles.peek(name);
    if (known !== undefined) return known.webp;
    const { webp } = await this.#turns.take(client, () =>
      this.#tiles.get(name, async () => ({ webp: await unlessDamaged(draw()) })),
    );
    return webp;
  }

  /** The layers of a survey. A surface that is damaged has no range. @throws DomainError `STORE_UNAVAILABLE` */
  async layers(files: SurveyFiles): Promise<TileLayers> {
    const { orthomosaic, surface } = files;
    const [colours, heights] = await Promise.all([
      orthomosaic === undefined ? undefined : this.#open(orthomosaic),
      this.#open(surface),
    ]);
    return {
      orthophoto: colours && zoomsOf(colours.raster),
      surface: heights && zoomsOf(heights.raster),
      range: await this.#heightRange(files).catch(unlessAway),
    };
  }

  /** Heights that the colours of a survey go over; `undefined`: it has none. @throws as `tile` */
  async #heightRange({ surface }: SurveyFiles): Promise<HeightRange | undefined> {
    return await this.#ranges.get(surface, async () => {
      const opened = await this.#open(surface);
      const coarsest = opened?.raster.levels.at(-1);
      const [offset, length] = [coarsest?.offsets[0], coarsest?.lengths[0]];
      if (opened === undefined || offset === undefined || length === undefined) return undefined;
      const bytes = await opened.read(offset, length);
      return await unlessDamaged(this.#run(HEIGHT_RANGE, { bytes, format: formatOf(opened) }));
    });
  }

  #open(key: string): Promise<OpenedRaster | undefined> {
    return this.#rasters.get(key, () => openRaster(this.#store, key));
  }

  async #draw(
    opened: OpenedRaster,
    files: SurveyFiles,
    layer: TileLayer,
    address: TileAddress,
  ): Promise<Uint8Array | undefined> {
    const pixels = await this.#pixels(opened, address);
    if (pixels === undefined) return undefined;
    const range = layer === "orthophoto" ? undefined : await this.#heightRange(files);
    if (layer !== "orthophoto" && range === undefined) return undefined;
    const groundPixel = groundPixelM(address);
    return await this.#run(DRAW_TILE, { ...pixels, layer, groundPixelM: groundPixel, range });
  }

  /** What a tile's pixels are taken from; `undefined`: the tile lies beside the raster. */
  async #pixels(opened: OpenedRaster, address: TileAddress) {
    const plan = planTile(opened.raster, address);
    if (plan === undefined) return undefined;
    const { nodes, window } = plan;
    return {
      mesh: { nodes, window, size: address.size },
      format: formatOf(opened),
      blocks: await this.#read(opened, plan),
    };
  }

  async #read(opened: OpenedRaster, { blocks }: TilePlan) {
    return await Promise.all(
      blocks.map(async ({ column, row, offset, length }) => {
        const name = `${opened.key} ${offset}`;
        const bytes = await this.#blocks.get(name, async () =>
          sharedCopy(await opened.read(offset, length)),
        );
        return { column, row, name, bytes };
      }),
    );
  }
}

/** @throws Refusal 404 naming the zooms that the layer has */
function requireZoom({ raster }: OpenedRaster, layer: string, z: number): void {
  const { least, most } = zoomsOf(raster);
  if (z >= least && z <= most) return;
  const message = `The layer ${layer} of this survey has tiles of zoom ${least} to ${most}, not of ${z}`;
  throw new Refusal(404, "not_found", message);
}

/**
 * Bytes that threads can read where they are: a tile has up to nine blocks of some 0.5 MB, which would be copied for
 * the thread each time.
 */
function sharedCopy(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return shared;
}

/** Without the functions, which no thread takes. */
function formatOf({ raster }: OpenedRaster) {
  const { kind, blockSize, noData } = raster;
  return { kind, blockSize, noData };
}

/** @throws DomainError `STORE_UNAVAILABLE` if that is what happened */
function unlessAway(error: unknown): undefined {
  if (error instanceof DomainError && error.code !== "STORE_UNAVAILABLE") return undefined;
  throw error;
}
