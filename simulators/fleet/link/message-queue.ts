import type { Message } from "../device/message.ts";
import type { LinkOptions } from "./device-link.ts";

/** Queue slots given back to memory at a time. */
const COMPACT_AT = 1_024;

/** What a device keeps until it can be sent, oldest first. */
export class MessageQueue {
  readonly #options: Pick<LinkOptions, "maxQueued" | "onDropped">;
  #messages: Message[] = [];
  #head = 0;

  constructor(options: Pick<LinkOptions, "maxQueued" | "onDropped">) {
    this.#options = options;
  }

  get size(): number {
    return this.#messages.length - this.#head;
  }

  /** Drops the oldest where there is no room. */
  push(message: Message): void {
    if (this.size >= this.#options.maxQueued) {
      const oldest = this.take();
      if (oldest !== undefined) this.#options.onDropped(oldest);
    }
    this.#messages.push(message);
  }

  take(): Message | undefined {
    const message = this.#messages[this.#head];
    if (message === undefined) return undefined;
    this.#head += 1;
    if (this.#head >= COMPACT_AT && this.#head * 2 >= this.#messages.length) {
      this.#messages = this.#messages.slice(this.#head);
      this.#head = 0;
    }
    return message;
  }
}
