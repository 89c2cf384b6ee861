import type { Message } from "../device/message.ts";
import type { LinkOptions } from "./device-link.ts";
import { MessageQueue } from "./message-queue.ts";

/** What a device sends that waits for the answer to each message before the next one. */
export class OneByOne {
  readonly queue: MessageQueue;
  readonly #options: LinkOptions;
  #current: Message | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.queue = new MessageQueue(options);
  }

  /** Messages without an answer: none or one. */
  get inFlightCount(): number {
    return this.#current === undefined ? 0 : 1;
  }

  /** What has to be sent now: the message without an answer again, else the next one. */
  current(): Message | undefined {
    if (this.#current === undefined) {
      this.#current = this.queue.take();
      if (this.#current !== undefined) this.#options.onSent(this.#current);
    }
    return this.#current;
  }

  /** The service has answered for the message that was sent last. */
  acknowledge(): void {
    const message = this.#current;
    this.#current = undefined;
    if (message !== undefined) this.#options.onAcknowledged(message);
  }
}
