import type { Readable } from "node:stream";
import type { ProjectId } from "../../domain/ids.ts";

/** What is known of a stored file without reading it. */
export interface StoredFile {
  /** See `domain/platform/file-key.ts`; the content type follows from it. */
  readonly key: string;
  readonly bytes: number;
  /** Changes with the content; without quotes. */
  readonly etag: string;
  /** ms since the Unix epoch. */
  readonly modifiedAtMs: number;
}

/** Bytes `[first, last]` of a file, counted from 0, both inclusive and inside of it. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A file that is being read; the body must be read to its end or destroyed. */
export interface OpenedFile {
  readonly file: StoredFile;
  readonly body: Readable;
}

/**
 * Whole files under keys: images, surfaces, reports. Every adapter passes `test/contracts/file-store.ts`. All
 * calls throw `STORE_UNAVAILABLE` when the store is away. An invalid key names nothing.
 */
export interface FileStore {
  /**
   * Stores a file, in the place of an earlier one. Readers see the old content or the new one, never
   * a part; a stream that fails, or is longer than `maxBytes`, changes nothing. Durable when it resolves.
   * @throws DomainError `FILE_TOO_LARGE`; StorageShortage; RangeError for an invalid key.
   */
  put(
    key: string,
    content: Readable | Uint8Array,
    options?: {
      readonly maxBytes?: number;
      /** Whose quota it counts for. Absent: of the project that the key belongs to. */
      readonly projectId?: ProjectId;
    },
  ): Promise<StoredFile>;
  /** `undefined` where there is none. */
  stat(key: string): Promise<StoredFile | undefined>;
  /** The file, or a range of it; `undefined` where there is none. */
  get(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** Does nothing where there is none. */
  delete(key: string): Promise<void>;
  /** Files whose key starts with `prefix`, by rising key (in bytes). */
  list(prefix: string): AsyncIterable<StoredFile>;
  /**
   * An address to read the file by: for ever below `public/`, else until `expiresAtMs` (ms since the Unix
   * epoch). Does not check whether the file is there.
   */
  url(key: string, expiresAtMs: number): Promise<string>;
  close(): Promise<void>;
}
