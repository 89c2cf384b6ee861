import { DetailedError, Upload, type UploadOptions } from "tus-js-client";
import { type Failure, failureOf, NO_ANSWER } from "../../api/failure.ts";

/** Bytes of one request: what is sent again at most after a proxy that keeps a body to itself lost the connection. */
const CHUNK_BYTES = 4 * 1_024 * 1_024;
/** Files that are sent at once: browsers open six connections, and the page needs some itself. */
const AT_ONCE = 3;
/** Pauses before a request is sent again, ms; after the last one the person is asked. */
const PAUSES_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];
const TOO_MANY = 429;
/** No room: that does not pass within the pauses, and who knows of it can do something. */
const NO_ROOM = 507;

/** How far a set of files is. */
export interface Sent {
  readonly bytes: number;
  readonly files: number;
}

/** Ids of the uploads in the order of their files, or why they are not all there. */
type SentFiles = { readonly ids: readonly string[] } | { readonly failure: Failure };

/**
 * Sends files by tus, each from where it was, also in an earlier visit of this page with this browser.
 * @param onSent gets how far all of them are
 */
export async function sendFiles(
  files: readonly File[],
  projectId: string,
  onSent: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<SentFiles> {
  const bytes = files.map(() => 0);
  const ids: string[] = [];
  let done = 0;
  const tell = () => onSent({ bytes: bytes.reduce((sum, one) => sum + one, 0), files: done });
  const waiting = files.map((file, i) => ({ file, i }));
  const failures: Failure[] = [];

  async function work() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (signal.aborted || failures.length > 0) return;
      const { file, i } = next;
      const outcome = await sendOne(file, projectId, signal, (sent) => {
        bytes[i] = sent;
        tell();
      });
      if (typeof outcome !== "string") {
        failures.push(outcome);
        return;
      }
      ids[i] = outcome;
      bytes[i] = file.size;
      done += 1;
      tell();
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const [failure] = failures;
  if (failure !== undefined) return { failure };
  return signal.aborted ? { failure: NO_ANSWER } : { ids };
}

/** Yields the id of the upload, or why it is not there. */
async function sendOne(
  file: File,
  projectId: string,
  signal: AbortSignal,
  onBytes: (sent: number) => void,
): Promise<string | Failure> {
  const options = optionsOf(file, projectId);
  const [before] = await new Upload(file, options).findPreviousUploads();
  return await new Promise((resolve) => {
    const upload = new Upload(file, {
      ...options,
      onProgress: onBytes,
      onError: (error) => resolve(failureOfUpload(error)),
      onSuccess: () => resolve(upload.url?.split("/").at(-1) ?? NO_ANSWER),
    });
    signal.addEventListener("abort", () => {
      void upload.abort();
      resolve(NO_ANSWER);
    });
    if (before !== undefined) upload.resumeFromPreviousUpload(before);
    upload.start();
  });
}

function optionsOf(file: File, projectId: string): UploadOptions {
  return {
    endpoint: `/api/v1/uploads?${new URLSearchParams({ project_id: projectId })}`,
    chunkSize: CHUNK_BYTES,
    retryDelays: PAUSES_MS,
    metadata: { filename: file.name },
    headers: { "x-plumbline-console": "1" },
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0;
      if (status === NO_ROOM) return false;
      return status === 0 || status === 409 || status === TOO_MANY || status >= 500;
    },
  };
}

function failureOfUpload(error: Error): Failure {
  const response = error instanceof DetailedError ? error.originalResponse : undefined;
  if (response === null || response === undefined) return NO_ANSWER;
  const head = {
    status: response.getStatus(),
    headers: { get: (name: string) => response.getHeader(name) ?? null },
  };
  return failureOf(parsed(response.getBody()), head);
}

/** `undefined`: something between answered, and not with JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Forgets where these files were: they are part of a job now. */
export async function forgetFiles(files: readonly File[], projectId: string): Promise<void> {
  for (const file of files) {
    const upload = new Upload(file, optionsOf(file, projectId));
    for (const { urlStorageKey } of await upload.findPreviousUploads()) {
      await upload.options.urlStorage?.removeUpload(urlStorageKey);
    }
  }
}
