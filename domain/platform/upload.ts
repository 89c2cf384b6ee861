import type { ProjectId } from "../ids.ts";
import { DAY_MS } from "../time.ts";

/** A file that a client sends in several requests, and what is known of it. */
export interface Upload {
  /** `upl_` and random characters. */
  readonly id: string;
  /** Of the key that began it; a session has its key's. */
  readonly keyId: string;
  /** Whose quota it counts for; `undefined`: nobody's, and then it is its key's alone. */
  readonly projectId: ProjectId | undefined;
  /** Of the file, for people. */
  readonly name: string;
  readonly lengthBytes: number;
  /** ms since the Unix epoch. */
  readonly createdAtMs: number;
  /** `undefined`: it is not whole yet. */
  readonly stored: StoredUpload | undefined;
}

/** Where a whole upload is. */
export interface StoredUpload {
  /** Key of the file store. */
  readonly key: string;
  /** Of all bytes, hex. */
  readonly sha256: string;
}

/**
 * How long an upload that is not whole is kept from its beginning, ms: a phone that is without network over a day goes
 * on. Longer keeps pieces of abandoned ones, shorter begins again what a weekend interrupts.
 */
export const UNFINISHED_UPLOAD_MS = 2 * DAY_MS;

/** What the keys of unfinished uploads, and of the records of whole ones, start with. */
export const UNFINISHED_UPLOAD_KEYS = "uploads/";
export const FINISHED_UPLOAD_KEYS = "uploaded/";
