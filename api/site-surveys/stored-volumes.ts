import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { arrayBuffer } from "node:stream/consumers";
import type { Ring } from "../../domain/geometry/geofence.ts";
import type { HeightUnit } from "../../domain/geometry/vertical-datum.ts";
import type { SurveyFiles } from "../../domain/sites/site-survey.ts";
import type { BaseChoice } from "../../domain/sites/stockpile.ts";
import type { GeodeticExtent } from "../../processing/engine/raster/surface-extent.ts";
import { toShared } from "../../processing/engine/run/shared-memory.ts";
import type { SurveyFacts } from "../../processing/epoch/survey-facts.ts";
import { GateRefusal } from "../../processing/gates/gates.ts";
import { groundExtent } from "../../processing/measurement/ground-extent.ts";
import { readGround } from "../../processing/measurement/load-ground.ts";
import type { GroundSurvey } from "../../processing/measurement/surface/ground-survey.ts";
import type { SurfaceFigures } from "../../processing/measurement/surface/measure-volume.ts";
import { MEASURE_STORED, OPEN_BASIS } from "../../processing/measurement/surface/tasks.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { RunTask } from "../dependencies/dependencies.ts";
import { DetailedError } from "../errors/detailed-error.ts";
import { createTurns, type WaitingClient } from "../long-requests/turns.ts";
import { keepValues } from "../representations/kept-values.ts";
import { gateDetail } from "../surveys/gate-detail.ts";

/** A footprint that is to be measured in a stored survey. */
export interface AskedVolume {
  readonly footprint: Ring;
  /** Whether it was drawn on the survey itself, so that it is not moved onto a heap. */
  readonly isDrawnOnSurvey: boolean;
  readonly base: BaseChoice;
  readonly otherFootprints: readonly Ring[];
}

/** A volume, and what its interval was computed from. */
export interface StoredVolume {
  readonly figures: SurfaceFigures;
  /**
   * Whether the survey's own accuracy is known; if not, that of a surface of unknown source is assumed: a given one, one of
   * another engine, or of a survey of which only the surface is kept.
   */
  readonly isOwnAccuracy: boolean;
}

/** Volumes that wait at most: each takes some tenths of a second of a thread. */
const MOST_WAITING = 20;
/**
 * Opened surfaces that are kept, bytes: some 14 million cells. While a person draws, one footprint after the other is
 * measured in the same survey. Less opens large surveys again for each of them, more takes memory that a small machine
 * lacks.
 */
const KEPT_BYTES = 128 * 1024 ** 2;
/**
 * What is read of a surface around a footprint begins and ends at whole multiples of this, degrees: 22 m of latitude, so
 * that a corner which is moved by less finds it read. More reads more of large surfaces.
 */
const EXTENT_STEP_DEG = 0.0002;

/** A surface that was read, on shared memory. */
type Opened =
  | { readonly kind: "survey"; readonly survey: SurveyFacts }
  | { readonly kind: "ground"; readonly survey: GroundSurvey };

/** Measures footprints in surveys that are stored, one after the other, and stores nothing. */
export class StoredVolumes {
  readonly #store: Pick<FileStore, "get">;
  readonly #run: RunTask;
  readonly #disk: DiskSpace | undefined;
  readonly #opened = keepValues<Opened | undefined>({
    most: KEPT_BYTES,
    weightOf: (opened) => (opened === undefined ? Number.POSITIVE_INFINITY : bytesOf(opened)),
  });
  readonly #turns = createTurns({ what: "volumes", atOnce: 1, mostWaiting: MOST_WAITING });

  constructor(store: Pick<FileStore, "get">, run: RunTask, disk: DiskSpace | undefined) {
    this.#store = store;
    this.#run = run;
    this.#disk = disk;
  }

  /**
   * @throws DetailedError with what a gate found; Refusal 503 while too many wait; DomainError `PARAMETER_INVALID`
   *   where a surface is gone, `STORE_DAMAGED`, `STORE_UNAVAILABLE`, `TASK_FAILED`; StorageShortage
   */
  async measure(
    { basis, surface }: SurveyFiles,
    asked: AskedVolume,
    client: WaitingClient,
  ): Promise<StoredVolume> {
    const { signal } = client;
    return await this.#turns.take(client, async () => {
      const { base, ...drawn } = asked;
      const facts = basis === undefined ? undefined : await this.#open(basis, signal);
      const ground =
        base.method === "survey"
          ? await this.#ground(base.surface_key, base.height_unit, asked.footprint, signal)
          : undefined;
      const survey =
        facts === undefined
          ? { surface: await this.#ground(surface, undefined, asked.footprint, signal) }
          : { facts };
      try {
        const input = { ...drawn, base, survey, ground };
        const figures = await this.#run(MEASURE_STORED, input, signal);
        return { figures, isOwnAccuracy: facts?.block !== undefined };
      } catch (error) {
        if (!(error instanceof GateRefusal)) throw error;
        const { code, message, finding } = error;
        throw new DetailedError(code, message, [
          { ...gateDetail(finding), parameter: "footprint" },
        ]);
      }
    });
  }

  /** What a survey left for volumes; `undefined`: nothing. */
  async #open(basis: string, signal: AbortSignal): Promise<SurveyFacts | undefined> {
    // One volume is measured at a time, so nobody else waits for what this signal ends.
    const opened = await this.#opened.get(basis, async () => {
      const stored = await this.#store.get(basis);
      if (stored === undefined) return undefined;
      const shared = toShared(new Uint8Array(await arrayBuffer(stored.body)));
      return { kind: "survey", survey: await this.#run(OPEN_BASIS, { basis: shared }, signal) };
    });
    return opened?.kind === "survey" ? opened.survey : undefined;
  }

  /** A stored surface around a footprint. */
  async #ground(
    surfaceKey: string,
    heightUnit: HeightUnit | undefined,
    footprint: Ring,
    signal: AbortSignal,
  ): Promise<GroundSurvey> {
    const extent = inSteps(groundExtent(footprint));
    const { westDeg, southDeg, eastDeg, northDeg } = extent;
    const name = [surfaceKey, heightUnit, westDeg, southDeg, eastDeg, northDeg].join(" ");
    const opened = await this.#opened.get(name, async () => {
      const asked = { surfaceKey, heightUnit, extent };
      return { kind: "ground", survey: await this.#read(asked, signal) };
    });
    if (opened === undefined) throw new Error("a surface that was read is not there");
    return opened.survey;
  }

  /** Reads a stored surface by way of a copy that is removed again. */
  async #read(asked: Parameters<typeof readGround>[1], signal: AbortSignal): Promise<GroundSurvey> {
    const dir = await mkdtemp(join(tmpdir(), "plumbline-ground-"));
    try {
      const tools = { files: this.#store, engines: { run: this.#run }, disk: this.#disk };
      return (await readGround(tools, asked, dir, signal)).ground;
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }
}

/** An extent made larger, to whole steps. */
function inSteps({ westDeg, southDeg, eastDeg, northDeg }: GeodeticExtent): GeodeticExtent {
  const down = (deg: number) => Math.floor(deg / EXTENT_STEP_DEG) * EXTENT_STEP_DEG;
  const up = (deg: number) => Math.ceil(deg / EXTENT_STEP_DEG) * EXTENT_STEP_DEG;
  return {
    westDeg: down(westDeg),
    southDeg: down(southDeg),
    eastDeg: up(eastDeg),
    northDeg: up(northDeg),
  };
}

function bytesOf({ survey }: Opened): number {
  const { elevationM, score, views, coarse } = survey.dsm;
  const arrays = [elevationM, score, views, ...(coarse === undefined ? [] : [coarse.elevationM])];
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
