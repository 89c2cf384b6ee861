import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { BrokerConnection, type BrokerMessage } from "../mqtt-client/connection.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { type BrokerAddress, openSocket } from "./address.ts";
import type { RemoteCounters } from "./counters.ts";
import { InboundFeed, type InboundFeedOptions } from "./inbound-feed.ts";
import { Subscriptions } from "./subscriptions.ts";

/**
 * How long messages that were read may take to become durable when the session is given up, ms. Longer delays the
 * next owner of the session; shorter has more messages sent again.
 */
const DRAIN_MS = 5_000;
const DRAIN_POLL_MS = 5;

export interface InboundSessionOptions
  extends Pick<InboundFeedOptions, "intake" | "directory" | "vendorTopics" | "journal" | "now"> {
  readonly address: BrokerAddress;
  /** The name under which the broker keeps the session. */
  readonly clientId: string;
  readonly counters: RemoteCounters;
  /** Whether messages can be taken. */
  readonly mayConnect: () => boolean;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly random?: () => number;
}

/**
 * One persistent session at the external broker. The broker keeps what was published without a connection, and
 * what was not acknowledged, for the next connection under the same client id.
 */
export class InboundSession {
  readonly #connection: BrokerConnection;
  readonly #subscriptions: Subscriptions;
  readonly #feed: InboundFeed;
  readonly #acknowledgements = new Acknowledgements();
  readonly #counters: RemoteCounters;
  readonly #log: InboundSessionOptions["log"];
  readonly #clientId: string;
  #wasConnected = false;
  #flushIsDue = false;
  #isClosing = false;

  constructor(options: InboundSessionOptions) {
    const { address, clientId, counters, mayConnect, log, random } = options;
    this.#clientId = clientId;
    this.#counters = counters;
    this.#log = log;
    this.#connection = new BrokerConnection({
      open: (ready) => openSocket(address, ready),
      login: address,
      clientId,
      clean: false,
      // The next owner of the session has cut us: to come back would cut it.
      mayConnect: () => !this.#isClosing && mayConnect(),
      log,
      ...(random === undefined ? {} : { random }),
      user: {
        opened: (sessionPresent) => this.#opened(sessionPresent),
        message: (message) => this.#take(message),
        packet: (packet) => this.#subscriptions.answered(packet),
        lost: () => this.#lost(),
      },
    });
    this.#subscriptions = new Subscriptions({
      clientId,
      send: (packet) => this.#connection.write(packet),
      unanswered: () => this.#connection.drop("no SUBACK in time"),
      log,
    });
    this.#feed = new InboundFeed({
      ...options,
      failed: (reason) => this.#connection.drop(reason),
    });
  }

  /** Whether the broker delivers everything that was asked for. */
  get isReady(): boolean {
    return this.#connection.isOpen && this.#subscriptions.isComplete;
  }

  /** Filters that the broker does not let us have. */
  get refusedFilters(): readonly string[] {
    return this.#subscriptions.refused;
  }

  /** Connects, now and whenever the connection was lost, until it is closed. */
  start(): void {
    if (!this.#isClosing) this.#connection.start();
  }

  /** Replaces what the session is subscribed to. */
  subscribe(filters: ReadonlySet<string>): void {
    this.#subscriptions.want(filters);
  }

  /** Takes no more, acknowledges what becomes durable in time, and leaves the session to the next owner. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#connection.pause();
    const untilMs = performance.now() + DRAIN_MS;
    while (this.#acknowledgements.outstanding > 0 && performance.now() < untilMs) {
      await delay(DRAIN_POLL_MS);
    }
    this.#flush();
    this.#connection.close();
    this.#lost();
    this.#feed.close();
  }

  #opened(sessionPresent: boolean): void {
    this.#counters.remote_connected += 1;
    if (!sessionPresent && this.#wasConnected) {
      this.#counters.remote_session_lost += 1;
      this.#log.warn({ clientId: this.#clientId }, "the external broker lost our session");
    }
    this.#wasConnected = true;
    this.#subscriptions.opened();
  }

  #lost(): void {
    this.#subscriptions.lost();
    this.#feed.reset();
    this.#acknowledgements.clear();
  }

  #take(message: BrokerMessage): void {
    // Read together with the packets before; the next owner gets it.
    if (this.#isClosing) return;
    const received = this.#acknowledgements.add(message.packetId, message.payload.byteLength);
    this.#feed.take(message, () => {
      received.isDone = true;
      this.#flushSoon();
    });
    if (this.#acknowledgements.isFull) this.#connection.pause();
  }

  /** What one commit of the journal made durable leaves in one write. */
  #flushSoon(): void {
    if (this.#flushIsDue) return;
    this.#flushIsDue = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushIsDue = false;
    const due = this.#acknowledgements.takeDue();
    if (due !== undefined) this.#connection.write(due);
    if (!this.#acknowledgements.isFull && !this.#isClosing) this.#connection.resume();
  }
}
