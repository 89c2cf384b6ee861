import { DomainError } from "../errors.ts";

/** What there was, and what would have been needed, bytes; absent is what is not known. */
export interface ShortageFigures {
  readonly neededBytes?: number;
  /** What could still have been stored. */
  readonly leftBytes?: number;
  /** Of a project's quota; the disk has neither. */
  readonly usedBytes?: number;
  readonly limitBytes?: number;
}

export type ShortageCode = "DISK_FULL" | "QUOTA_EXCEEDED";

/**
 * Content is not stored because there is no room for it: `DISK_FULL` on the disk of the data folder,
 * `QUOTA_EXCEEDED` within the quota of a project. Nothing of it stays. A later attempt may succeed.
 */
export class StorageShortage extends DomainError {
  declare readonly code: ShortageCode;
  readonly figures: ShortageFigures;

  constructor(
    code: ShortageCode,
    message: string,
    figures: ShortageFigures,
    options?: ErrorOptions,
  ) {
    super(code, message, options);
    this.figures = figures;
  }
}

/** What somebody else says to be full: what was needed, and what there is left, it does not say. */
export const fullDisk = (message: string, cause: unknown): StorageShortage =>
  new StorageShortage("DISK_FULL", message, {}, { cause });

/** Whole mebibytes as text, for messages. */
export const mibText = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`;
