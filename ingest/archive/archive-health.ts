import type { Logger } from "pino";
import type { JournalRecord } from "../../storage/ports/journal.ts";
import type { ArchiveFailure, ArchiveReceipt } from "../../storage/ports/telemetry-archive.ts";

/** Least time between two log lines of the same trouble, ms. Longer hides that it lasts; shorter fills the log. */
const LOG_EVERY_MS = 60_000;
/**
 * Weight of the newest read in the mean size of a record. Larger follows single reads; smaller follows a change of
 * the fleet late.
 */
const SIZE_WEIGHT = 0.1;

/** Counts and failures of the transfer to the archive, for metrics, health and the log. */
export class ArchiveHealth {
  readonly counts = { written: 0, deadLettered: 0, expired: 0, retries: 0 };
  readonly #name: string;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #failures = new Map<number, ArchiveFailure>();
  #broken: string | undefined;
  #recordBytes = 0;
  #loggedMs = Number.NEGATIVE_INFINITY;
  #loggedReason: string | undefined;

  constructor(name: string, log: Logger, now: () => number) {
    this.#name = name;
    this.#log = log;
    this.#now = now;
  }

  /** Whether the last try of every lane went through. */
  get isUp(): boolean {
    return this.#failures.size === 0 && this.#broken === undefined;
  }

  /** Why a person has to act. A server that is only away is not an alarm: the journal waits for it. */
  get alarm(): string | undefined {
    if (this.#broken !== undefined) return this.#broken;
    const held = [...this.#failures.values()].find(({ kind }) => kind === "hold");
    return held && `${this.#name}: ${held.reason}`;
  }

  /** Mean size of a journal record, bytes, of the records read lately. */
  get recordBytes(): number {
    return this.#recordBytes;
  }

  /**
   * The end of a try of one lane; `undefined`: it went through.
   * Yields whether it had not gone through before.
   */
  outcome(lane: number, failure: ArchiveFailure | undefined): boolean {
    const wasUp = this.isUp;
    if (failure === undefined) {
      const isBack = this.#failures.delete(lane);
      if (!wasUp && this.isUp) {
        this.#log.info({ archive: this.#name }, "telemetry archive answers again");
        this.#loggedReason = undefined;
      }
      return isBack;
    }
    this.#failures.set(lane, failure);
    this.counts.retries += 1;
    this.#logFailure(failure);
    return false;
  }

  delivered({ written, refused, expired }: ArchiveReceipt): void {
    this.counts.written += written;
    this.counts.deadLettered += refused.length;
    this.counts.expired += expired;
    const [first] = refused;
    if (first === undefined) return;
    const { assetId } = first;
    const fields = { archive: this.#name, count: refused.length, assetId, reason: first.reason };
    this.#log.warn(fields, "telemetry archive refused points; they are kept as dead letters");
  }

  read(records: readonly JournalRecord[]): void {
    if (records.length === 0) return;
    const bytes = records.reduce((sum, { body }) => sum + body.length, 0) / records.length;
    this.#recordBytes +=
      this.#recordBytes === 0 ? bytes : (bytes - this.#recordBytes) * SIZE_WEIGHT;
  }

  /** The writer has stopped for a reason that is a bug. */
  broken(error: unknown): void {
    this.#broken = `telemetry archive: ${error instanceof Error ? error.message : String(error)}`;
    this.#log.fatal({ err: error }, "telemetry archive writer stopped");
  }

  #logFailure({ kind, reason }: ArchiveFailure): void {
    const nowMs = this.#now();
    if (reason === this.#loggedReason && nowMs - this.#loggedMs < LOG_EVERY_MS) return;
    this.#loggedMs = nowMs;
    this.#loggedReason = reason;
    const fields = { archive: this.#name, reason };
    if (kind === "hold") this.#log.error(fields, "telemetry archive refuses; waiting for a person");
    else this.#log.warn(fields, "telemetry archive does not take points; trying again");
  }
}
