import type { Readable } from "node:stream";
import { DataStore, ERRORS, Upload as TusUpload } from "@tus/server";
import { UNFINISHED_UPLOAD_MS } from "../../domain/platform/upload.ts";
import type { ResumableUploads } from "./resumable-uploads.ts";

/**
 * What is kept in memory of a request before it is stored, bytes: what a kill of the process loses of it. Less makes more
 * files, each synced.
 */
const PART_BYTES = 2 * 1024 ** 2;
/**
 * A request that brought nothing for this time gives way to the next one of its upload, ms. Its connection may be dead
 * without a word, and what it has not brought yet is sent again.
 */
const SILENT_MS = 1_000;
/** One that brings bytes gives way after this time, ms; the next one waits for 30 s at most. */
const LONGEST_TURN_MS = 10_000;

/** The uploads as the tus server sees them. Records are made before it is asked (`ResumableUploads.begin`). */
export class TusStore extends DataStore {
  override extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  readonly #uploads: ResumableUploads;
  /** What is being stored; a request that was cut may not have ended yet when the next one asks. */
  readonly #writing = new Map<string, Promise<unknown>>();
  /** Requests whose bytes are being read: when that began, and when the last ones came. */
  readonly #reading = new Map<string, { readonly sinceMs: number; lastMs: number }>();

  constructor(uploads: ResumableUploads) {
    super();
    this.#uploads = uploads;
  }

  /** Whether bytes of an upload are being stored, while none are read. */
  isStoring(id: string): boolean {
    return this.#writing.has(id);
  }

  /**
   * Whether the request that has an upload may be ended for the next one. One that has not been read yet may not: a slow
   * disk would cost all that it brought.
   */
  givesWay(id: string): boolean {
    const reading = this.#reading.get(id);
    if (reading === undefined || this.isStoring(id)) return false;
    const now = performance.now();
    return now - reading.lastMs > SILENT_MS || now - reading.sinceMs > LONGEST_TURN_MS;
  }

  override async getUpload(id: string): Promise<TusUpload> {
    await this.#writing.get(id);
    const found = await this.#uploads.files.find(id);
    if (found === undefined) throw ERRORS.FILE_NOT_FOUND;
    const { lengthBytes: size, name, createdAtMs } = found;
    const parts = found.stored === undefined ? await this.#uploads.files.parts(id) : undefined;
    return new TusUpload({
      id,
      size,
      offset: parts?.reduce((sum, { bytes }) => sum + bytes, 0) ?? size,
      metadata: { filename: name },
      creation_date: new Date(createdAtMs).toISOString(),
    });
  }

  /** Stores what comes, also of a request that is cut; yields the bytes that are there after it. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const parts = new PartWriter(this.#uploads, id, offset);
    const reading = { sinceMs: performance.now(), lastMs: performance.now() };
    this.#reading.set(id, reading);
    let failure: unknown;
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        if (parts.add(chunk) >= PART_BYTES) await this.#guard(id, parts.flush());
        reading.lastMs = performance.now();
      }
    } catch (error) {
      failure = error;
    }
    this.#reading.delete(id);
    await this.#guard(id, parts.flush());
    if (failure !== undefined) throw failure;
    return parts.end;
  }

  override async remove(id: string): Promise<void> {
    await this.#writing.get(id);
    await this.#uploads.delete(id);
  }

  override getExpiration(): number {
    return UNFINISHED_UPLOAD_MS;
  }

  async #guard(id: string, work: Promise<void>): Promise<void> {
    const settled = work.catch(() => undefined);
    this.#writing.set(id, settled);
    try {
      await work;
    } finally {
      if (this.#writing.get(id) === settled) this.#writing.delete(id);
    }
  }
}

/** Collects bytes, and stores them as parts. */
class PartWriter {
  readonly #uploads: ResumableUploads;
  readonly #id: string;
  #end: number;
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(uploads: ResumableUploads, id: string, offset: number) {
    this.#uploads = uploads;
    this.#id = id;
    this.#end = offset;
  }

  /** Bytes of the upload that are stored. */
  get end(): number {
    return this.#end;
  }

  /** Yields how many bytes are held. */
  add(chunk: Uint8Array): number {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    return this.#heldBytes;
  }

  /** What fails to be stored is dropped: the client sends it again. */
  async flush(): Promise<void> {
    const content = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    if (content.length === 0) return;
    await this.#uploads.files.addPart(this.#id, this.#end, content);
    this.#end += content.length;
  }
}
