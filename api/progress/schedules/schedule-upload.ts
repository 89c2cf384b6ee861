import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { DomainError } from "../../../domain/errors.ts";
import { MAX_SCHEDULE_BYTES } from "../../../domain/sites/schedule.ts";
import type { ScheduleDraft } from "../../../processing/progress/schedule/read/draft/schedule-draft.ts";
import { ScheduleError } from "../../../processing/progress/schedule/read/draft/schedule-error.ts";
import {
  type ReadOptions,
  readSchedule,
} from "../../../processing/progress/schedule/read/read-schedule.ts";
import { DetailedError } from "../../errors/detailed-error.ts";
import { Refusal } from "../../errors/refusal.ts";

/** A file as it came. */
export interface ReceivedFile {
  readonly content: Uint8Array;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Reads a body whole: its encoding is known only from all of its bytes.
 * @throws DomainError `FILE_TOO_LARGE` as soon as it is; Refusal when it is cut off.
 */
export async function receiveFile(body: Readable): Promise<ReceivedFile> {
  const hash = createHash("sha256");
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // A body that is left early must not be destroyed: the rest of it has to be read before the next request.
    const given: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false });
    for await (const chunk of given) {
      bytes += chunk.byteLength;
      if (bytes > MAX_SCHEDULE_BYTES) {
        throw new DomainError(
          "FILE_TOO_LARGE",
          `A schedule has at most ${MAX_SCHEDULE_BYTES / 1024 ** 2} MiB`,
        );
      }
      hash.update(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new Refusal(400, "invalid_request", "The body was cut off");
  }
  return { content: Buffer.concat(chunks), sha256: hash.digest("hex") };
}

/** @throws DetailedError `SCHEDULE_INVALID` that names lines and fields. */
export async function readReceived(
  { content }: ReceivedFile,
  options: ReadOptions,
): Promise<ScheduleDraft> {
  try {
    return await readSchedule(content, options);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    const details = error.problems.map(({ where, message }) => ({ parameter: where, message }));
    throw new DetailedError(error.code, error.message, details);
  }
}
