import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { SurveyFiles } from "../../domain/sites/site-survey.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import { readEpochHead } from "../../processing/epoch/epoch-file.ts";
import { groundExtent } from "../../processing/measurement/ground-extent.ts";
import { readGround } from "../../processing/measurement/load-ground.ts";
import type { StockpileDatum } from "../../processing/measurement/surface/datum.ts";
import { planPoints } from "../../processing/scene/plan-points.ts";
import { PILE_GLB, POINTS_GLB } from "../../processing/scene/tasks.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { RunTask } from "../dependencies/dependencies.ts";
import { createTurns, type WaitingClient } from "../long-requests/turns.ts";
import { type OpenedRaster, openRaster, unlessDamaged } from "./survey-files.ts";

/** Scenes that wait at most: each takes about a second of a thread. */
const MOST_WAITING = 20;

/** Makes GLB scenes of what surveys have stored, one after the other, and stores none of them. */
export class StoredScenes {
  readonly #store: Pick<FileStore, "stat" | "get">;
  readonly #run: RunTask;
  readonly #disk: DiskSpace | undefined;
  readonly #turns = createTurns({ what: "scenes", atOnce: 1, mostWaiting: MOST_WAITING });

  constructor(store: Pick<FileStore, "stat" | "get">, run: RunTask, disk: DiskSpace | undefined) {
    this.#store = store;
    this.#run = run;
    this.#disk = disk;
  }

  /**
   * The surface of a survey as coloured points; `undefined`: it is gone, has no height, or is no file that this
   * program wrote.
   * @throws Refusal 503 while too many wait; DomainError `STORE_DAMAGED`, `STORE_UNAVAILABLE`, `TASK_FAILED`
   */
  async points(files: SurveyFiles, client: WaitingClient): Promise<Uint8Array | undefined> {
    return await this.#turns.take(client, () => unlessDamaged(this.#points(files, client.signal)));
  }

  async #points(
    { surface, orthomosaic }: SurveyFiles,
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const [heights, colours] = await Promise.all([
      openRaster(this.#store, surface),
      orthomosaic === undefined ? undefined : openRaster(this.#store, orthomosaic),
    ]);
    if (heights?.raster.kind !== "elevation") return undefined;
    const plan = planPoints(heights.raster, colours?.raster);
    const { nodes, origin } = plan;
    const input = {
      ...{ nodes, origin, cellsAPoint: 4 ** plan.level },
      heights: await levelOf(heights, plan.level),
      colours: colours && plan.colours && (await levelOf(colours, plan.colours.level)),
      toColour: plan.colours?.toColour ?? [],
    };
    return await this.#run(POINTS_GLB, input, signal);
  }

  /**
   * A measured pile with heights above its base; `undefined`: the base that it was measured above is no longer kept,
   * because footprint or base of the stockpile were changed since.
   * @param epoch key of the measurement's surface on the grid of its datum
   * @throws as `points`; DomainError `PARAMETER_INVALID` where the survey that is the base is gone; StorageShortage
   */
  async pile(
    epoch: string,
    { datum: stored, footprint, base }: Stockpile,
    client: WaitingClient,
  ): Promise<Uint8Array | undefined> {
    const { signal } = client;
    const datum = stored as StockpileDatum | undefined;
    if (datum === undefined || footprint === undefined) return undefined;
    return await this.#turns.take(client, async () => {
      const opened = await this.#store.get(epoch);
      if (opened === undefined) return undefined;
      const bytes = await buffer(opened.body);
      if (readEpochHead(bytes)?.datum !== datum.id) return undefined;
      const ground =
        datum.base.kind === "survey" && base.method === "survey"
          ? await this.#ground(base, groundExtent(footprint), signal)
          : undefined;
      const input = { epoch: bytes, datum, footprint, ground };
      return await this.#run(PILE_GLB, input, signal);
    });
  }

  async #ground(
    base: Extract<Stockpile["base"], { readonly method: "survey" }>,
    extent: ReturnType<typeof groundExtent>,
    signal: AbortSignal,
  ) {
    const dir = await mkdtemp(join(tmpdir(), "plumbline-ground-"));
    try {
      const tools = { files: this.#store, engines: { run: this.#run }, disk: this.#disk };
      const { surface_key: surfaceKey, height_unit: heightUnit } = base;
      return (await readGround(tools, { surfaceKey, heightUnit, extent }, dir, signal)).ground;
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }
}

/** A resolution of a raster with all its blocks. */
async function levelOf({ raster, read }: OpenedRaster, index: number) {
  const { kind, blockSize, noData, levels } = raster;
  const { width, height, offsets, lengths } = levels[index] ?? NO_LEVEL;
  const across = Math.ceil(width / blockSize);
  const blocks = await Promise.all(
    Array.from(offsets, async (offset, i) => ({
      column: i % across,
      row: Math.floor(i / across),
      bytes: await read(offset, lengths[i] ?? 0),
    })),
  );
  return { width, height, format: { kind, blockSize, noData }, blocks };
}

const NO_LEVEL = { width: 0, height: 0, offsets: [], lengths: [] };
