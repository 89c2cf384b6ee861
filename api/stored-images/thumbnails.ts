import { DomainError } from "../../domain/errors.ts";
import { MAX_IMAGE_BYTES } from "../../processing/images/files/image-limits.ts";
import { MAKE_THUMBNAIL } from "../../processing/images/thumbnails/tasks.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { RunTask } from "../dependencies/dependencies.ts";
import { Refusal } from "../errors/refusal.ts";
import { createTurns, type WaitingClient } from "../long-requests/turns.ts";
import { keepValues } from "../representations/kept-values.ts";

/** Widths that may be asked for, pixels: a list, a card, a phone, a page. More would fill the cache with near-equals. */
export const THUMBNAIL_WIDTHS = [160, 320, 640, 1_280] as const;
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/** Thumbnails that are kept, bytes: some 4,000 of a list. */
const KEPT_BYTES = 32 * 1024 ** 2;
/** What a kept value takes beside its bytes, bytes. */
const ENTRY_BYTES = 256;
/** One in the thread, and one whose file is read meanwhile: each may be 50 MiB. */
const AT_ONCE = 2;
/**
 * Thumbnails that wait at most: two pages of a capture's images, about a minute of work. More would wait for pages that
 * nobody looks at any longer.
 */
const MOST_WAITING = 600;

/** Makes images of the file store small, and keeps those that were asked for last. */
export class Thumbnails {
  readonly #store: Pick<FileStore, "get">;
  readonly #run: RunTask;
  readonly #turns = createTurns({
    what: "thumbnails",
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
  });
  readonly #kept = keepValues<Uint8Array>({
    most: KEPT_BYTES,
    weightOf: ({ byteLength }) => byteLength + ENTRY_BYTES,
  });

  constructor(store: Pick<FileStore, "get">, run: RunTask) {
    this.#store = store;
    this.#run = run;
  }

  /**
   * An uploaded image as WebP of that width at most; `undefined`: it is not stored.
   * @param key names one content for ever
   * @throws Refusal 503 while too many wait, 400 for an image that cannot be decoded; DomainError `STORE_UNAVAILABLE`;
   *   the reason of the client's signal
   */
  async thumbnail(
    key: string,
    width: ThumbnailWidth,
    client: WaitingClient,
  ): Promise<Uint8Array | undefined> {
    const name = `${key} ${width}`;
    const known = this.#kept.peek(name);
    if (known !== undefined) return known;
    return await this.#turns.take(client, async () => {
      try {
        return await this.#kept.get(name, () => this.#make(key, width));
      } catch (error) {
        if (error instanceof NotStored) return undefined;
        throw error;
      }
    });
  }

  async #make(key: string, widthPx: number): Promise<Uint8Array> {
    const opened = await this.#store.get(key);
    if (opened === undefined) throw new NotStored();
    const { file, body } = opened;
    if (file.bytes > MAX_IMAGE_BYTES) {
      body.destroy();
      throw unusable("is too large");
    }
    // Shared, so that it is not copied for the thread while the event loop waits.
    const content = new Uint8Array(new SharedArrayBuffer(file.bytes));
    let at = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      content.set(chunk, at);
      at += chunk.length;
    }
    try {
      return await this.#run(MAKE_THUMBNAIL, { content, widthPx });
    } catch (error) {
      const isItsOwn =
        error instanceof DomainError &&
        (error.code === "IMAGE_REFUSED" || error.code === "TASK_FAILED");
      throw isItsOwn ? unusable(error.message) : error;
    }
  }
}

class NotStored extends Error {}

const unusable = (problem: string) => new Refusal(400, "unusable_images", `The image ${problem}`);
