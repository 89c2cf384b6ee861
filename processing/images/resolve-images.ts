import { pipeline } from "node:stream/promises";
import { DomainError } from "../../domain/errors.ts";
import type { Downloader, DownloadOutcome } from "../../outbound/downloader.ts";
import { BLOCKED } from "../../outbound/target.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import { decodeDataUrl, isDataUrl } from "./data-url.ts";
import type { ImageFile } from "./files/image-file.ts";
import type { ImageFolder, KeptImage } from "./files/image-folder.ts";
import { imageKeyParts } from "./files/image-key.ts";
import { MAX_IMAGE_BYTES, MAX_SET_BYTES } from "./files/image-limits.ts";
import { imageName } from "./files/image-name.ts";
import { type ImageOutcome, outcomeOf } from "./image-outcome.ts";

/** Images that are fetched at once. More loads the server that has them, fewer waits for its latency more often. */
const FETCHES_AT_ONCE = 4;

/** Makes local files of the entries of `images`. */
export interface ImageResolver {
  /**
   * One outcome for each entry, in their order: an address that this service signed, another http or https
   * URL, or a `data:` URL. `onFetched` gets how many are done.
   * @throws what `signal` fires with; DomainError `STORE_UNAVAILABLE`.
   */
  resolve(
    entries: readonly string[],
    options: { readonly signal: AbortSignal; readonly onFetched?: (done: number) => void },
  ): Promise<readonly ImageOutcome<ImageFile>[]>;
}

export function createImageResolver(options: {
  readonly folder: ImageFolder;
  readonly downloader: Downloader;
  /** `keyOf`: the key of an address that this service signed, while the signature holds. */
  readonly files: { readonly store: FileStore; keyOf(url: string): string | undefined };
  readonly maxSetBytes?: number;
}): ImageResolver {
  const { folder, downloader, files, maxSetBytes = MAX_SET_BYTES } = options;

  async function download(url: string, maxBytes: number, signal: AbortSignal): Promise<KeptImage> {
    return await folder.keep(async (sink) => {
      const outcome = await downloader.download(url, () => sink, { maxBytes, signal });
      signal.throwIfAborted();
      if (!("bytes" in outcome)) throw new DomainError("IMAGE_REFUSED", wordsOf(outcome));
    });
  }

  async function fromStore(key: string, maxBytes: number, signal: AbortSignal): Promise<KeptImage> {
    const parts = imageKeyParts(key);
    const known = parts && (await folder.find(parts.sha256, parts.kind));
    if (known !== undefined) return known;
    const opened = await files.store.get(key);
    if (opened === undefined) throw new DomainError("IMAGE_REFUSED", "is not stored any more");
    if (opened.file.bytes > maxBytes) {
      opened.body.destroy();
      throw new DomainError("IMAGE_REFUSED", wordsOf({ failure: "too large" }));
    }
    return await folder.keep((sink) => pipeline(opened.body, sink, { signal, end: false }));
  }

  async function fetchOne(
    entry: string,
    key: string | undefined,
    maxBytes: number,
    signal: AbortSignal,
  ) {
    if (isDataUrl(entry)) {
      const bytes = decodeDataUrl(entry, maxBytes);
      return await folder.keep(async (sink) => {
        sink.write(bytes);
      });
    }
    return key === undefined
      ? await download(entry, maxBytes, signal)
      : await fromStore(key, maxBytes, signal);
  }

  return {
    async resolve(entries, { signal: given, onFetched = () => undefined }) {
      const failing = new AbortController();
      const signal = AbortSignal.any([given, failing.signal]);
      const outcomes: ImageOutcome<ImageFile>[] = [];
      const waiting = entries.map((entry, index) => ({ entry, index }));
      let setBytes = 0;
      let done = 0;

      async function work(): Promise<void> {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { entry, index } = next;
          signal.throwIfAborted();
          const name = imageName(entry, index);
          outcomes[index] = await outcomeOf(name, async () => {
            if (setBytes > maxSetBytes) throw setTooLarge(name, maxSetBytes);
            const key = isDataUrl(entry) ? undefined : files.keyOf(entry);
            const kept = await named(name, fetchOne(entry, key, MAX_IMAGE_BYTES, signal));
            setBytes += kept.bytes;
            if (setBytes > maxSetBytes) throw setTooLarge(name, maxSetBytes);
            const { path, sha256 } = kept;
            return { path, sha256, name, ...(key === undefined ? {} : { storedKey: key }) };
          });
          done += 1;
          onFetched(done);
        }
      }

      // A failure that is not an image's own ends the others, and all have ended before it is thrown.
      const ends = Array.from({ length: FETCHES_AT_ONCE }, () =>
        work().catch((error: unknown) => failing.abort(error)),
      );
      await Promise.all(ends);
      signal.throwIfAborted();
      return outcomes;
    },
  };
}

/** Puts the image's name before what is wrong with it. */
async function named<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "IMAGE_REFUSED") throw error;
    throw new DomainError("IMAGE_REFUSED", `${name} ${error.message}`, { cause: error });
  }
}

const setTooLarge = (name: string, maxBytes: number): DomainError =>
  new DomainError(
    "IMAGE_REFUSED",
    `${name} makes the images larger than ${maxBytes / 1024 ** 2} MiB together`,
  );

/** Why a download failed, in words that follow the image's name; never an address. */
function wordsOf(outcome: Exclude<DownloadOutcome, { readonly bytes: number }>): string {
  if ("status" in outcome) return `was answered with status ${outcome.status}`;
  if (outcome.failure === "blocked") return BLOCKED;
  if (outcome.failure === "too large") return `is larger than ${MAX_IMAGE_BYTES / 1024 ** 2} MiB`;
  return `could not be fetched: ${outcome.failure}`;
}
