import type { Message } from "../device/message.ts";

/** The connection of one device: what is not acknowledged is sent again until it is. */
export interface DeviceLink {
  /** Queues a message; it leaves as soon as the link is up and has room. */
  send(message: Message): void;
  /** Takes the network away (the socket dies without a farewell) or gives it back. */
  setNetwork(up: boolean): void;
  readonly isConnected: boolean;
  readonly inFlightCount: number;
  readonly queuedCount: number;
  /** Disconnects; what is unacknowledged by then stays so. */
  close(): Promise<void>;
}

/** What every link needs, whatever it speaks. */
export interface LinkOptions {
  /** Most messages kept while the service is away; beyond it the oldest is dropped, as trackers do. */
  readonly maxQueued: number;
  /** Pause before a lost connection or a refused message is tried again, ms. */
  readonly retryMs: number;
  /** Once for each message, however often it is sent again. */
  readonly onSent: (message: Message) => void;
  readonly onAcknowledged: (message: Message) => void;
  readonly onDropped: (message: Message) => void;
  /** The service refused the device; tried again by itself. */
  readonly onRefused: (reason: string) => void;
}
