import { setTimeout as delay } from "node:timers/promises";
import { failureOf } from "../../outbound/failure.ts";
import type { MqttSockets, MqttTarget } from "../../outbound/mqtt-address.ts";
import { BrokerConnection, type BrokerLogin } from "../mqtt-client/connection.ts";
import { type Publication, PublishWindow } from "../mqtt-client/publish-window.ts";
import { type OnTrouble, type Outgoing, type Sender, STOP_MS } from "./sender.ts";

/** Messages without PUBACK at most. Chosen: some 100 kB on the wire. */
const MAX_IN_FLIGHT = 256;
/**
 * How long a broker may leave a message without PUBACK before the connection is given up, ms. Longer notices a
 * stuck broker later; shorter drops a slow one and sends all again.
 */
const PUBACK_MS = 30_000;
const POLL_EVERY_MS = 1_000;
const STOP_POLL_MS = 10;

export interface MqttSenderOptions {
  readonly target: MqttTarget;
  readonly login: BrokerLogin;
  readonly clientId: string;
  readonly sockets: Pick<MqttSockets, "open">;
  readonly onTrouble: OnTrouble;
  readonly pubackMs?: number;
  readonly stopMs?: number;
}

/**
 * Publishes with QoS 1 on one connection, in the order in which messages were added; a message is
 * settled by its PUBACK. A connection that was lost comes back by itself, as a clean session, and what
 * has no PUBACK is published again first, so the order stays.
 */
export class MqttSender implements Sender {
  readonly #options: MqttSenderOptions;
  readonly #pubackMs: NonNullable<MqttSenderOptions["pubackMs"]>;
  readonly #stopMs: NonNullable<MqttSenderOptions["stopMs"]>;
  readonly #window = new PublishWindow<Publication & Pick<Outgoing, "settle">>(MAX_IN_FLIGHT);
  #heardMs = 0;
  #isScheduled = false;
  #isStopped = false;
  readonly #connection: BrokerConnection;
  /** Answers to pings say that the broker is there, not that it takes our messages. */
  readonly #watch: NodeJS.Timeout;

  constructor(options: MqttSenderOptions) {
    this.#options = options;
    this.#pubackMs = options.pubackMs ?? PUBACK_MS;
    this.#stopMs = options.stopMs ?? STOP_MS;
    this.#connection = new BrokerConnection({
      open: (ready) => this.#options.sockets.open(this.#options.target, ready),
      login: this.#options.login,
      clientId: this.#options.clientId,
      clean: true,
      mayConnect: () => true,
      // Without a log: who wants the messages passed on reads the progress, and the lane logs it once.
      user: {
        opened: () => {
          this.#heardMs = performance.now();
          this.#send();
        },
        message: () => undefined,
        packet: (packet) => {
          if (packet.cmd !== "puback") return;
          this.#heardMs = performance.now();
          const acknowledged = this.#window.acknowledged(packet.messageId);
          if (acknowledged === undefined) return;
          acknowledged.settle("sent");
          this.#sendSoon();
        },
        lost: () => this.#window.lost(),
        failed: (reason, cause) => {
          if (!this.#isStopped)
            this.#options.onTrouble(cause === undefined ? reason : explained(cause));
        },
      },
    });
    this.#watch = setInterval(
      () => {
        if (this.#window.inFlightCount > 0 && performance.now() - this.#heardMs > this.#pubackMs) {
          this.#connection.drop("the broker acknowledges nothing");
        }
      },
      Math.min(POLL_EVERY_MS, this.#pubackMs),
    );
    this.#watch.unref();
    this.#connection.start();
  }

  get pending(): number {
    return this.#window.waitingCount + this.#window.inFlightCount;
  }

  add({ message: { topic = "", body: payload }, settle }: Outgoing): void {
    this.#window.add({ topic, payload, settle });
    this.#sendSoon();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#watch);
    const deadlineMs = performance.now() + this.#stopMs;
    while (
      this.#connection.isOpen &&
      this.#window.inFlightCount > 0 &&
      performance.now() < deadlineMs
    ) {
      await delay(STOP_POLL_MS);
    }
    this.#connection.close();
  }

  /** What one turn brings, such as one read of the journal, goes out in one write. */
  #sendSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#isStopped || !this.#connection.isOpen) return;
    // What was silent until now owes its PUBACK from now on.
    if (this.#window.inFlightCount === 0) this.#heardMs = performance.now();
    const due = this.#window.takeDue();
    if (due !== undefined) this.#connection.write(due);
  }
}

/** A socket's error in words that name no address. */
function explained(cause: Error): string {
  const failure = failureOf(cause);
  return failure === "blocked" ? "the address or the port is not allowed" : failure;
}
