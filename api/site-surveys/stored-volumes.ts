import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Ring } from "../../domain/geometry/geofence.ts";
import type { HeightUnit } from "../../domain/geometry/vertical-datum.ts";
import type { SurveyFiles } from "../../domain/sites/site-survey.ts";
import type { BaseChoice } from "../../domain/sites/stockpile.ts";
import { GateRefusal } from "../../processing/gates/gates.ts";
import { groundExtent } from "../../processing/measurement/ground-extent.ts";
import { readGround } from "../../processing/measurement/load-ground.ts";
import type { GroundSurvey } from "../../processing/measurement/surface/ground-survey.ts";
import type { SurfaceFigures } from "../../processing/measurement/surface/measure-volume.ts";
import { MEASURE_STORED } from "../../processing/measurement/surface/tasks.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { RunTask } from "../dependencies/dependencies.ts";
import { DetailedError } from "../errors/detailed-error.ts";
import { createTurns, type WaitingClient } from "../long-requests/turns.ts";
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
  /** Whether the survey's own accuracy was kept; if not, that of a surface of unknown source is assumed. */
  readonly isOwnAccuracy: boolean;
}

/** Volumes that wait at most: each takes a second or two of a thread. */
const MOST_WAITING = 20;

/** Measures footprints in surveys that are stored, one after the other, and stores nothing. */
export class StoredVolumes {
  readonly #store: Pick<FileStore, "get">;
  readonly #run: RunTask;
  readonly #disk: DiskSpace | undefined;
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
      const stored = basis === undefined ? undefined : await this.#store.get(basis);
      const ground =
        base.method === "survey"
          ? await this.#ground(base.surface_key, base.height_unit, asked.footprint, signal)
          : undefined;
      const survey =
        stored === undefined
          ? { surface: await this.#ground(surface, undefined, asked.footprint, signal) }
          : { basis: shared(await buffer(stored.body)) };
      try {
        const input = { ...drawn, base, survey, ground };
        const figures = await this.#run(MEASURE_STORED, input, signal);
        return { figures, isOwnAccuracy: stored !== undefined };
      } catch (error) {
        if (!(error instanceof GateRefusal)) throw error;
        const { code, message, finding } = error;
        throw new DetailedError(code, message, [
          { ...gateDetail(finding), parameter: "footprint" },
        ]);
      }
    });
  }

  /** A stored surface around a footprint, by way of a copy that is removed again. */
  async #ground(
    surfaceKey: string,
    heightUnit: HeightUnit | undefined,
    footprint: Ring,
    signal: AbortSignal,
  ): Promise<GroundSurvey> {
    const dir = await mkdtemp(join(tmpdir(), "plumbline-ground-"));
    try {
      const tools = { files: this.#store, engines: { run: this.#run }, disk: this.#disk };
      const asked = { surfaceKey, heightUnit, extent: groundExtent(footprint) };
      return (await readGround(tools, asked, dir, signal)).ground;
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }
}

/** Memory that a thread sees without a copy. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  copy.set(bytes);
  return copy;
}
