import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/** First bytes of a JPEG. */
const JPEG = Buffer.from("ffd8ffe000104a464946", "hex");
const BOUNDARY = "two-tenants";
/** Pause of a refused client that does not do as `Retry-After` says, ms. */
const IMPATIENCE_MS = 100;

/** One answer to an upload; `bytesLeft` as a 507 gave it. */
export interface UploadAnswer {
  readonly status: number;
  readonly bytesLeft: number | undefined;
}

/**
 * A client that uploads images of its own without end, and never waits for longer than it has to. Half of them do
 * not say how long their bodies are, so that only the bytes as they come can be counted.
 */
export class Uploader {
  readonly answers: UploadAnswer[] = [];
  readonly #url: string;
  readonly #key: string;
  readonly #imageBytes: number;
  readonly #isChunked: boolean;
  #isEnded = false;
  readonly done: Promise<void>;

  constructor(options: {
    readonly url: string;
    readonly key: string;
    readonly imageBytes: number;
    readonly isChunked: boolean;
  }) {
    this.#url = `${options.url}/api/v1/progress/images`;
    this.#key = options.key;
    this.#imageBytes = options.imageBytes;
    this.#isChunked = options.isChunked;
    this.done = this.#run();
  }

  end(): Promise<void> {
    this.#isEnded = true;
    return this.done;
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      const answer = await this.#upload().catch(() => ({ status: 0, bytesLeft: undefined }));
      this.answers.push(answer);
      if (answer.status !== 201) await delay(IMPATIENCE_MS);
    }
  }

  async #upload(): Promise<UploadAnswer> {
    const parts = this.#form();
    const body = this.#isChunked ? ReadableStream.from(parts) : Buffer.concat(parts);
    const response = await fetch(this.#url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${this.#key}`,
        "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
      },
      body,
      duplex: "half",
    } as RequestInit);
    const text = await response.text();
    const [detail] = response.status === 507 ? JSON.parse(text).error.details : [];
    return { status: response.status, bytesLeft: detail?.bytes_left };
  }

  #form(): readonly Buffer[] {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="images"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
    // Each is another image: what is stored already takes no space.
    const image = Buffer.concat([JPEG, randomBytes(16)]);
    const piece = Buffer.alloc(256 * 1024, 1);
    const pieces = Array.from({ length: Math.ceil(this.#imageBytes / piece.length) }, () => piece);
    return [Buffer.from(head), image, ...pieces, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
  }
}
