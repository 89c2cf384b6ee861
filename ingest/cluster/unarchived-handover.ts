import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { StrandedRecord, StrandedRecords } from "../../storage/ports/equipment/stranded.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import { RECORD_KIND } from "../journal-record/journal-record.ts";
import { encodeReadings } from "../journal-record/readings.ts";
import { findUnarchived, type UnarchivedReadings } from "./unarchived-readings.ts";

/**
 * How often the archive is polled, and a failed write is tried again, ms. Longer delays re-runs at other nodes;
 * shorter asks the archive more often.
 */
const POLL_MS = 1_000;

export interface UnarchivedHandoverOptions {
  readonly journal: Pick<Journal, "id" | "read" | "syncedSequence">;
  /** Journal place up to which every node can read the telemetry; `undefined`: there is no archive. */
  readonly archived: () => number | undefined;
  readonly stranded: Pick<StrandedRecords, "add">;
  readonly shardOf: (assetId: AssetId, projectId: ProjectId) => number;
  /** Since when no other node can have received the asset's messages, ms; `undefined`: another one has. */
  readonly aloneSinceMs: (assetId: AssetId) => number | undefined;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly now?: () => number;
}

/**
 * Notifies the next owners of this node's shards when they can read back all that it had processed. An
 * owner puts re-runs off while something is missing, but not for ever: a re-run without it withdraws
 * the events published from it. The oldest reading of each asset, handed over once the archive has all
 * of them, is late there, so that the re-run is made again.
 */
export class UnarchivedHandover {
  readonly #options: UnarchivedHandoverOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(options: UnarchivedHandoverOptions) {
    this.#options = options;
  }

  /**
   * Searches what is not archived yet, at the start or when shards go to other nodes; resolves when the
   * search is complete. The handover goes on in parallel.
   */
  async begin(): Promise<void> {
    const { journal, archived, now = Date.now } = this.#options;
    const beganMs = now();
    const found = await findUnarchived(journal, archived() ?? journal.syncedSequence);
    if (found.oldest.size === 0) return;
    const running = this.#handOver(found, beganMs).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Leaves what is not handed over yet: the next start finds it again unless it is archived by then. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  async #handOver({ toSequence, oldest }: UnarchivedReadings, beganMs: number): Promise<void> {
    const { archived, stranded, log } = this.#options;
    const { signal } = this.#stopping;
    const pause = () => delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted && (archived() ?? toSequence) < toSequence) await pause();
    const records = this.#recordsOf(oldest, beganMs);
    while (!signal.aborted && records.length > 0) {
      try {
        await stranded.add(records);
        log.info(
          { assets: records.length },
          "other nodes can read back what this one had processed",
        );
        return;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        log.warn({ err: error }, "records cannot be handed over; trying again");
        await pause();
      }
    }
  }

  /** Only of assets that another node can have processed since. */
  #recordsOf(oldest: UnarchivedReadings["oldest"], beganMs: number): readonly StrandedRecord[] {
    const { shardOf, aloneSinceMs } = this.#options;
    return [...oldest]
      .filter(([assetId]) => (aloneSinceMs(assetId) ?? beganMs) >= beganMs)
      .map(([assetId, { place, batch, reading, origin }]) => {
        const body = encodeReadings({ ...batch, readings: [reading] }, origin);
        const record = { kind: RECORD_KIND.readings, body };
        return { ...place, shard: shardOf(assetId, batch.projectId), record };
      });
  }
}
