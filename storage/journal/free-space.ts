import { DomainError } from "../../domain/errors.ts";
import { intakeReserve } from "../disk/reserve.ts";
import type { JournalFiles } from "./files.ts";

/**
 * The disk is measured at most this often: every 250 ms, or after 16 MiB of records. Rarer measurements
 * overshoot the reserve by more; more frequent ones cost a system call each.
 */
const MEASURE_EVERY_MS = 250;
const MEASURE_EVERY_BYTES = 16 * 1024 ** 2;

/** Free bytes of the journal's file system, measured now and then. */
export class FreeSpace {
  readonly #dir: string;
  readonly #files: JournalFiles;
  readonly #minFreeBytes: number | undefined;
  #freeBytes = Number.POSITIVE_INFINITY;
  #reserveBytes = 0;
  #measuredMs = Number.NEGATIVE_INFINITY;
  #bytesSince = 0;

  /** `minFreeBytes` undefined: the larger of 1 GiB and 5 % of the disk. */
  constructor(dir: string, files: JournalFiles, minFreeBytes: number | undefined) {
    this.#dir = dir;
    this.#files = files;
    this.#minFreeBytes = minFreeBytes;
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** Whether `bytes` more would eat into the reserve, at the last measurement. */
  lacks(bytes: number): boolean {
    return this.#freeBytes - bytes < this.#reserveBytes;
  }

  /** Whether the last measurement is too old for a commit of `bytes` more. */
  isDue(bytes: number): boolean {
    this.#bytesSince += bytes;
    return (
      this.#bytesSince >= MEASURE_EVERY_BYTES ||
      performance.now() - this.#measuredMs >= MEASURE_EVERY_MS
    );
  }

  async measure(): Promise<void> {
    const { freeBytes, totalBytes } = await this.#files.space(this.#dir);
    this.#freeBytes = freeBytes;
    this.#reserveBytes = intakeReserve(totalBytes, this.#minFreeBytes);
    this.#measuredMs = performance.now();
    this.#bytesSince = 0;
  }

  /** The error of every record that is refused for want of space. */
  fullError(cause?: unknown): DomainError {
    const mib = (bytes: number) => `${Math.floor(bytes / 1024 ** 2)} MiB`;
    const free = `${mib(this.#freeBytes)} free, ${mib(this.#reserveBytes)} kept in reserve`;
    return new DomainError("JOURNAL_FULL", `the journal's disk is full: ${free}`, { cause });
  }
}

/** Whether an error says that the disk (or the owner's share of it) is full. */
export function isFullError(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === "JOURNAL_FULL";
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === "ENOSPC" || code === "EDQUOT";
}
