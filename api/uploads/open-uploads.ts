import type { ProjectId } from "../../domain/ids.ts";
import { UNFINISHED_UPLOAD_MS, type Upload } from "../../domain/platform/upload.ts";
import { Refusal } from "../errors/refusal.ts";
import type { UploadFiles } from "./upload-files.ts";

/**
 * Uploads of a key that are not whole, at most: three sets of 300 images. More lets a client that only begins uploads fill
 * the store with records, fewer refuses flights of one evening.
 */
const MOST_OF_KEY = 1_000;
const MOST_IN_ALL = 10_000;

type Counted = Pick<Upload, "keyId" | "projectId" | "lengthBytes" | "createdAtMs">;

/** The uploads that are not whole, as this process knows them: those that were there at its first one, and its own since. */
export class OpenUploads {
  readonly #files: Pick<UploadFiles, "unfinished">;
  readonly #now: () => number;
  readonly #open = new Map<string, Counted>();
  #loaded: Promise<void> | undefined;

  constructor(files: Pick<UploadFiles, "unfinished">, now: () => number) {
    this.#files = files;
    this.#now = now;
  }

  /** Announced bytes of a project's uploads that are not whole: its quota has to hold them too. */
  async bytesOf(projectId: ProjectId | undefined): Promise<number> {
    await this.#load();
    let sum = 0;
    for (const one of this.#open.values()) if (one.projectId === projectId) sum += one.lengthBytes;
    return sum;
  }

  /** @throws Refusal 429 where the key, or the process, has as many as it may */
  async add(upload: Upload): Promise<void> {
    await this.#load();
    const endedMs = this.#now() - UNFINISHED_UPLOAD_MS;
    let own = 0;
    for (const [id, { keyId, createdAtMs }] of this.#open) {
      if (createdAtMs < endedMs) this.#open.delete(id);
      else if (keyId === upload.keyId) own += 1;
    }
    if (own >= MOST_OF_KEY || this.#open.size >= MOST_IN_ALL) {
      const bound =
        own >= MOST_OF_KEY ? `${MOST_OF_KEY} uploads of a key` : `${MOST_IN_ALL} uploads`;
      const message = `At most ${bound} may be unfinished at a time: finish or DELETE some; each ends ${UNFINISHED_UPLOAD_MS / 3_600_000} h after its beginning`;
      throw new Refusal(429, "rate_limit_exceeded", message);
    }
    this.#open.set(upload.id, upload);
  }

  remove(id: string): void {
    this.#open.delete(id);
  }

  #load(): Promise<void> {
    this.#loaded ??= this.#read().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #read(): Promise<void> {
    for await (const upload of this.#files.unfinished()) this.#open.set(upload.id, upload);
  }
}
