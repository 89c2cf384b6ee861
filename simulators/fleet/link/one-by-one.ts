import type { Message } from "../device/message.ts";
import type { DeviceLink, LinkOptions } from "./device-link.ts";
import { MessageQueue } from "./message-queue.ts";

/** What a device says next, and whether it can. */
export interface Turn {
  /** Whether there is network, and the link is not closed. */
  readonly isUp: boolean;
  /** What has to be sent now: the message without an answer again, else the next one. */
  current(): Message | undefined;
  /** The service has answered for the message that was sent last. */
  acknowledge(): void;
  /** Nothing got through: the wire is opened again after a pause, unless the device is down by then. */
  retryLater(): void;
}

/** What carries the messages of such a device. */
export interface Wire {
  readonly isConnected: boolean;
  /** Connects where it is not connected, and sends what is due. */
  open(): void;
  /** Sends what is due, where it can. */
  pump(): void;
  /** The network went: ends the connection without a farewell. */
  cut(): void;
  /** As `cut`; resolves when the connection is gone. */
  close(): Promise<void>;
}

/** Opens the link of a device that waits for the answer to each message before the next one. */
export function openOneByOneLink(options: LinkOptions, wireOf: (turn: Turn) => Wire): DeviceLink {
  const queue = new MessageQueue(options);
  let unanswered: Message | undefined;
  let networkUp = true;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  function stopRetrying(): void {
    clearTimeout(retry);
    retry = undefined;
  }

  const turn: Turn = {
    get isUp() {
      return networkUp && !isClosed;
    },
    current() {
      if (unanswered === undefined) {
        unanswered = queue.take();
        if (unanswered !== undefined) options.onSent(unanswered);
      }
      return unanswered;
    },
    acknowledge() {
      const message = unanswered;
      unanswered = undefined;
      if (message !== undefined) options.onAcknowledged(message);
    },
    retryLater() {
      if (!turn.isUp) return;
      retry = setTimeout(() => {
        retry = undefined;
        wire.open();
      }, options.retryMs);
    },
  };
  const wire = wireOf(turn);
  wire.open();

  return {
    get isConnected() {
      return wire.isConnected;
    },
    get inFlightCount() {
      return unanswered === undefined ? 0 : 1;
    },
    get queuedCount() {
      return queue.size;
    },
    send(message) {
      queue.push(message);
      if (retry === undefined) wire.pump();
    },
    setNetwork(up) {
      if (up === networkUp) return;
      networkUp = up;
      stopRetrying();
      if (up) wire.open();
      else wire.cut();
    },
    close() {
      isClosed = true;
      stopRetrying();
      return wire.close();
    },
  };
}
