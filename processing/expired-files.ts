import {
  FINISHED_UPLOAD_KEYS,
  UNFINISHED_UPLOAD_KEYS,
  UNFINISHED_UPLOAD_MS,
} from "../domain/platform/upload.ts";
import type { FileStore } from "../storage/ports/files.ts";
import { IMAGE_KEYS } from "./images/files/image-key.ts";
import { RESTORE_AFTER_MS, UPLOADED_IMAGE_MS } from "./images/files/image-limits.ts";
import { SURVEY_KEYS } from "./survey/survey-job.ts";

/** Images that are uploaded and products of surveys are deleted after these times, ms. */
export interface FileAges {
  /** Of what surveys left: as long as their jobs are on record. */
  readonly retentionMs: number;
}

/**
 * Deletes the files that nothing leads to any more: uploaded images whose addresses have run out, uploads that were
 * not finished, and products of surveys whose jobs are forgotten. Measurements and reports keep theirs elsewhere. May run in
 * several processes at a time. Yields how many went.
 */
export async function deleteExpiredFiles(
  store: Pick<FileStore, "list" | "delete">,
  { retentionMs }: FileAges,
  nowMs: number,
): Promise<number> {
  const ages: readonly (readonly [prefix: string, ageMs: number])[] = [
    [IMAGE_KEYS, UPLOADED_IMAGE_MS + RESTORE_AFTER_MS],
    [UNFINISHED_UPLOAD_KEYS, UNFINISHED_UPLOAD_MS],
    [FINISHED_UPLOAD_KEYS, UPLOADED_IMAGE_MS],
    [SURVEY_KEYS, retentionMs],
  ];
  let deleted = 0;
  for (const [prefix, ageMs] of ages) {
    for await (const { key, modifiedAtMs } of store.list(prefix)) {
      if (modifiedAtMs >= nowMs - ageMs) continue;
      await store.delete(key);
      deleted += 1;
    }
  }
  return deleted;
}
