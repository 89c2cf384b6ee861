import type { Logger } from "pino";
import {
  CONNECTIONS_PER_ASSET,
  MAX_LOGGED_DETAIL,
  MAX_LOGGED_NAME,
  UNKNOWN_CONNECTIONS,
} from "../../../domain/equipment/connection-log.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type {
  ConnectionRecords,
  LoggedConnection,
} from "../../../storage/ports/equipment/device-log.ts";

/** How often entries are written, ms. Longer would make an installer wait; shorter costs more transactions. */
const WRITE_EVERY_MS = 1_000;
/**
 * Entries that wait for the store at most, about 1 MB. A fleet that reconnects at once makes one entry
 * for each device; beyond that the oldest are dropped and counted.
 */
const MAX_WAITING = 5_000;
/** Entries of one write at most, so that the pipeline's commits never wait long for one. */
const MAX_WRITTEN = 1_000;

/** An attempt or an end as it is noted; the log adds the order. */
export type NotedConnection = Omit<LoggedConnection, "sequence">;

export interface ConnectionLogOptions {
  readonly records: Pick<ConnectionRecords, "add">;
  readonly log: Pick<Logger, "warn">;
  readonly writeEveryMs?: number;
  /**
   * Microseconds of each millisecond from which this process numbers its entries; default 0. Where several processes
   * have the same number for one asset, all but one of the entries are lost.
   */
  readonly offsetUs?: number;
}

/**
 * Collects attempts to connect and writes them to the record store in batches. It must not slow a
 * log-in, so entries are lost when the process is killed within `WRITE_EVERY_MS`, or when the store is
 * away for long.
 */
export class ConnectionLog {
  readonly #records: ConnectionLogOptions["records"];
  readonly #log: ConnectionLogOptions["log"];
  readonly #offsetUs: number;
  readonly #timer: NodeJS.Timeout;
  /** By asset, oldest first; `undefined`: unknown names. */
  #waiting = new Map<AssetId | undefined, LoggedConnection[]>();
  #waitingCount = 0;
  #dropped = 0;
  #lastSequence = 0;
  #isTroubled = false;
  #writing: Promise<void> | undefined;

  constructor({ records, log, writeEveryMs = WRITE_EVERY_MS, offsetUs = 0 }: ConnectionLogOptions) {
    this.#offsetUs = offsetUs;
    this.#records = records;
    this.#log = log;
    this.#timer = setInterval(() => void this.write(), writeEveryMs);
    this.#timer.unref();
  }

  /** Notes one entry; never waits and never throws. */
  note(noted: NotedConnection): void {
    // Microseconds of the clock, or one more than before: unique and ascending within this process.
    const clockUs = Math.round(noted.atMs) * 1_000 + this.#offsetUs;
    this.#lastSequence = Math.max(this.#lastSequence + 1, clockUs);
    this.#keep({
      ...noted,
      sequence: this.#lastSequence,
      detail: noted.detail?.slice(0, MAX_LOGGED_DETAIL),
      clientId: noted.clientId?.slice(0, MAX_LOGGED_NAME),
      username: noted.username?.slice(0, MAX_LOGGED_NAME),
    });
  }

  #keep(entry: LoggedConnection): void {
    const entries = this.#waiting.get(entry.assetId) ?? [];
    this.#waiting.set(entry.assetId, entries);
    entries.push(entry);
    this.#waitingCount += 1;
    // What the store would remove again is not sent to it.
    const limit = entry.assetId === undefined ? UNKNOWN_CONNECTIONS : CONNECTIONS_PER_ASSET;
    if (entries.length > limit) {
      entries.shift();
      this.#waitingCount -= 1;
    }
    if (this.#waitingCount > MAX_WAITING) this.#dropOldest();
  }

  #dropOldest(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [assetId, entries] = first;
    entries.shift();
    if (entries.length === 0) this.#waiting.delete(assetId);
    this.#waitingCount -= 1;
    this.#dropped += 1;
  }

  /** Entries that wait, and entries that were dropped because too many waited. */
  stats(): { readonly connection_log_waiting: number; readonly connection_log_dropped: number } {
    return { connection_log_waiting: this.#waitingCount, connection_log_dropped: this.#dropped };
  }

  /** Writes what waits; joins a write that is under way. */
  write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waitingCount > 0) {
      const batch = this.#takeBatch();
      try {
        await this.#records.add(batch);
        this.#isTroubled = false;
      } catch (error) {
        if (!this.#isTroubled) this.#log.warn({ err: error }, "connection log not written");
        this.#isTroubled = true;
        this.#putBack(batch);
        return;
      }
    }
  }

  #takeBatch(): readonly LoggedConnection[] {
    const batch: LoggedConnection[] = [];
    for (const [assetId, entries] of this.#waiting) {
      if (batch.length > 0 && batch.length + entries.length > MAX_WRITTEN) break;
      batch.push(...entries);
      this.#waiting.delete(assetId);
    }
    this.#waitingCount -= batch.length;
    return batch;
  }

  /** The store is away: what was noted meanwhile goes behind. */
  #putBack(batch: readonly LoggedConnection[]): void {
    const newer = this.#waiting;
    this.#waiting = new Map();
    this.#waitingCount = 0;
    for (const entry of batch) this.#keep(entry);
    for (const entries of newer.values()) for (const entry of entries) this.#keep(entry);
  }

  /** Writes the rest and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.write();
  }
}
