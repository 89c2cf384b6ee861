import { DomainError } from "../../domain/errors.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { type FolderLock, lockFolder } from "../data-folder/folder-lock.ts";
import { type JournalFiles, nodeFiles } from "./files.ts";
import { RECORD_OVERHEAD } from "./record-codec.ts";
import { recoverFolder } from "./recovery.ts";
import { HEADER_BYTES } from "./segment-header.ts";
import { SegmentedJournal } from "./segmented-journal.ts";

/**
 * A segment is made in the background in well under the time it lasts. Larger ones free disk later; smaller
 * ones are changed more often.
 */
const SEGMENT_BYTES = 64 * 1024 ** 2;
/** Beyond it the whole-segment buffer of a start would be too large. */
const MAX_SEGMENT_BYTES = 1024 ** 3;
/** Intake rebuilds its filter of the last 10 min from the journal at start; half as much again. */
const KEEP_MS = 15 * MINUTE_MS;

export interface JournalOptions {
  /** Folder of the journal; created when missing. */
  readonly dir: string;
  /** Size of one preallocated file, bytes; also bounds a record. 64 MiB. */
  readonly segmentBytes?: number;
  /** Free disk at which appends are refused; undefined: the larger of 1 GiB and 5 % of the disk. */
  readonly minFreeBytes?: number | undefined;
  /** A segment with a record younger than this stays, even behind every cursor. 15 min. */
  readonly keepMs?: number;
}

/** How often a journal that takes no records tries the disk again, ms. */
const RETRY_MS = 1_000;

/** What tests replace. */
export interface JournalInternals {
  readonly files?: JournalFiles;
  readonly retryMs?: number;
}

/**
 * Opens the journal in a folder, or creates it, after making good what a crash left. Reads all of
 * it once.
 * @throws DomainError `STORE_LOCKED` while another journal has the folder, `JOURNAL_CORRUPT` when a
 * segment belongs to another journal, `SCHEMA_TOO_NEW`.
 */
export async function openJournal(
  { dir, segmentBytes = SEGMENT_BYTES, minFreeBytes, keepMs = KEEP_MS }: JournalOptions,
  { files = nodeFiles, retryMs = RETRY_MS }: JournalInternals = {},
): Promise<SegmentedJournal> {
  const least = HEADER_BYTES + RECORD_OVERHEAD + 1;
  if (!(segmentBytes >= least && segmentBytes <= MAX_SEGMENT_BYTES)) {
    throw new DomainError("SETTINGS_INVALID", `segmentBytes ${segmentBytes} is out of range`);
  }
  const lock: FolderLock = await lockFolder(dir);
  try {
    const folder = await recoverFolder(dir, files, segmentBytes);
    return await SegmentedJournal.open(
      { dir, segmentBytes, minFreeBytes, keepMs, retryMs },
      folder,
      files,
      lock,
    );
  } catch (error) {
    await lock.release();
    throw error;
  }
}
