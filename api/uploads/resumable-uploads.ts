import { randomBytes } from "node:crypto";
import { DomainError } from "../../domain/errors.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { Upload } from "../../domain/platform/upload.ts";
import { UPLOADED_IMAGE_MS } from "../../processing/images/files/image-limits.ts";
import type { Files } from "../../storage/open.ts";
import type { ImageUploads } from "../surveys/image-uploads.ts";
import { OpenUploads } from "./open-uploads.ts";
import { UploadFiles } from "./upload-files.ts";

/** What is to be known of an upload when it begins. */
type Beginning = Pick<Upload, "id" | "keyId" | "projectId" | "name" | "lengthBytes">;

export interface ResumableUploadsOptions {
  readonly files: Files;
  /** Checks and stores whole images. */
  readonly images: ImageUploads;
  readonly now: () => number;
}

/** An id that nobody guesses; `UploadFiles` looks for no other form. */
export const newUploadId = (): string => `upl_${randomBytes(16).toString("base64url")}`;

/** Uploads in several requests, until they are images of the file store. */
export class ResumableUploads {
  readonly files: UploadFiles;
  readonly #open: OpenUploads;
  readonly #options: ResumableUploadsOptions;
  readonly #finishing = new Map<string, Promise<Upload | undefined>>();

  constructor(options: ResumableUploadsOptions) {
    this.#options = options;
    this.files = new UploadFiles(options.files.store);
    this.#open = new OpenUploads(this.files, options.now);
  }

  /**
   * Begins an upload; nothing is stored yet but its record.
   * @throws StorageShortage where disk or quota have no room for it; Refusal 429 while too many are unfinished
   */
  async begin(about: Beginning): Promise<void> {
    const { files, images, now } = this.#options;
    const { projectId, lengthBytes } = about;
    await files.quota.require(projectId, lengthBytes + (await this.#open.bytesOf(projectId)));
    await images.requireRoom(lengthBytes);
    const upload: Upload = { ...about, createdAtMs: now(), stored: undefined };
    await this.#open.add(upload);
    try {
      await this.files.create(upload);
    } catch (error) {
      this.#open.remove(about.id);
      throw error;
    }
  }

  /**
   * The upload once its bytes are an image of the file store, which they become here if they are all there; the same
   * bytes are one image. `undefined`: it is not whole, or gone.
   * @throws DomainError `IMAGE_REFUSED` where they are no image, and then nothing of it stays; StorageShortage
   */
  finish(id: string): Promise<Upload | undefined> {
    const under = this.#finishing.get(id);
    if (under !== undefined) return under;
    const work = this.#finish(id).finally(() => this.#finishing.delete(id));
    this.#finishing.set(id, work);
    return work;
  }

  /** Ends an upload; an image that it became stays as long as its addresses are good. */
  async delete(id: string): Promise<void> {
    await this.files.delete(id);
    this.#open.remove(id);
  }

  /** A fresh address of the image that an upload became. */
  urlOf(key: string): string {
    const { files, now } = this.#options;
    return files.sign(key, now() + UPLOADED_IMAGE_MS);
  }

  async #finish(id: string): Promise<Upload | undefined> {
    const upload = await this.files.find(id);
    if (upload === undefined || upload.stored !== undefined) return upload;
    const parts = await this.files.parts(id);
    if (parts.reduce((sum, { bytes }) => sum + bytes, 0) !== upload.lengthBytes) return undefined;
    const whole = { ...upload, stored: await this.#store(upload, parts) };
    await this.files.finish(whole);
    this.#open.remove(id);
    return whole;
  }

  async #store({ id, projectId }: UploadOwner, parts: Parts) {
    const { files, images, now } = this.#options;
    const about = { expiresAtMs: now() + UPLOADED_IMAGE_MS, projectId };
    try {
      const { url, sha256 } = await images.store(this.files.read(parts), about);
      const key = files.keyOf(url);
      if (key === undefined) throw new Error("a stored image has no address of its own");
      return { key, sha256 };
    } catch (error) {
      const isNoImage = error instanceof DomainError && error.code === "IMAGE_REFUSED";
      if (isNoImage) await this.delete(id);
      throw error;
    }
  }
}

type Parts = Awaited<ReturnType<UploadFiles["parts"]>>;
interface UploadOwner {
  readonly id: string;
  readonly projectId: ProjectId | undefined;
}
