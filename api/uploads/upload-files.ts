import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { ProjectId } from "../../domain/ids.ts";
import {
  FINISHED_UPLOAD_KEYS,
  UNFINISHED_UPLOAD_KEYS,
  type Upload,
} from "../../domain/platform/upload.ts";
import type { FileStore } from "../../storage/ports/files.ts";

const StoredRecord = Type.Object({
  id: Type.String(),
  keyId: Type.String(),
  projectId: Type.Optional(ProjectId),
  name: Type.String(),
  lengthBytes: Type.Integer({ minimum: 0 }),
  createdAtMs: Type.Integer({ minimum: 0 }),
  stored: Type.Optional(Type.Object({ key: Type.String(), sha256: Type.String() })),
});
const recordCheck = Compile(StoredRecord);

/** A piece of an unfinished upload. */
interface Part {
  readonly key: string;
  /** Place of its first byte in the upload. */
  readonly offset: number;
  readonly bytes: number;
}

const ID = /^upl_[A-Za-z0-9_-]{22}$/;
/** Digits of an offset in a key: keys are listed in the order of their offsets. */
const OFFSET_DIGITS = 12;
const PART = /\/([0-9]{12})\.part$/;

const folderOf = (id: string): string => `${UNFINISHED_UPLOAD_KEYS}${id}/`;
const unfinishedKey = (id: string): string => `${folderOf(id)}upload.json`;
const finishedKey = (id: string): string => `${FINISHED_UPLOAD_KEYS}${id}.json`;

/**
 * Uploads as files of the file store, which all API processes share: `uploads/{id}/` has the record of an unfinished one
 * and its parts, `uploaded/{id}.json` the record of a whole one. What is written stays after a kill.
 */
export class UploadFiles {
  readonly #store: FileStore;

  constructor(store: FileStore) {
    this.#store = store;
  }

  async create(upload: Upload): Promise<void> {
    await this.#write(unfinishedKey(upload.id), upload);
  }

  /** `undefined` where there is none, whatever `id` is. */
  async find(id: string): Promise<Upload | undefined> {
    if (!ID.test(id)) return undefined;
    return (await this.#read(unfinishedKey(id))) ?? (await this.#read(finishedKey(id)));
  }

  /** All that are not whole. */
  async *unfinished(): AsyncGenerator<Upload> {
    for await (const { key } of this.#store.list(UNFINISHED_UPLOAD_KEYS)) {
      const upload = key.endsWith("/upload.json") ? await this.#read(key) : undefined;
      if (upload !== undefined) yield upload;
    }
  }

  /** Adds what follows the first `offset` bytes; durable when it resolves. */
  async addPart(id: string, offset: number, content: Uint8Array): Promise<void> {
    const key = `${folderOf(id)}${String(offset).padStart(OFFSET_DIGITS, "0")}.part`;
    await this.#store.put(key, content);
  }

  /**
   * The parts that follow each other from the first byte on: another process may have written a part anew, and shorter,
   * so that one behind it does not fit any longer.
   */
  async parts(id: string): Promise<readonly Part[]> {
    const parts: Part[] = [];
    let end = 0;
    for await (const { key, bytes } of this.#store.list(folderOf(id))) {
      const offset = Number(PART.exec(key)?.[1] ?? Number.NaN);
      if (offset !== end) continue;
      parts.push({ key, offset, bytes });
      end += bytes;
    }
    return parts;
  }

  /** The bytes of parts, one after the other. */
  read(parts: readonly Part[]): Readable {
    const store = this.#store;
    async function* bytes() {
      for (const { key, bytes: expected } of parts) {
        const opened = await store.get(key);
        if (opened?.file.bytes !== expected) {
          opened?.body.destroy();
          throw new Error(`${key} was replaced while it was read`);
        }
        yield* opened.body as AsyncIterable<Uint8Array>;
      }
    }
    return Readable.from(bytes(), { objectMode: false });
  }

  /** Stores the record of a whole upload, and deletes its parts. */
  async finish(upload: Upload): Promise<void> {
    await this.#write(finishedKey(upload.id), upload);
    await this.#deleteParts(upload.id);
  }

  /** Deletes all there is of an upload but the image that it became. */
  async delete(id: string): Promise<void> {
    await this.#deleteParts(id);
    await this.#store.delete(finishedKey(id));
  }

  async #deleteParts(id: string): Promise<void> {
    // The record goes first: without it the rest is found by nobody.
    await this.#store.delete(unfinishedKey(id));
    for await (const { key } of this.#store.list(folderOf(id))) await this.#store.delete(key);
  }

  async #write(key: string, upload: Upload): Promise<void> {
    await this.#store.put(key, Buffer.from(JSON.stringify(upload)));
  }

  async #read(key: string): Promise<Upload | undefined> {
    const opened = await this.#store.get(key);
    if (opened === undefined) return undefined;
    const found: unknown = await json(opened.body).catch(() => undefined);
    return recordCheck.Check(found) ? uploadOf(found) : undefined;
  }
}

const uploadOf = ({ projectId, stored, ...rest }: Static<typeof StoredRecord>): Upload => ({
  ...rest,
  projectId,
  stored,
});
