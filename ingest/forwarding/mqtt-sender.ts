import { setTimeout as delay } from "node:timers/promises";
import { failureOf } from "../../outbound/failure.ts";
import type { MqttSockets, MqttTarget } from "../../outbound/mqtt-address.ts";
import { BrokerConnection, type BrokerLogin } from "../mqtt-client/connection.ts";
import { type Publication, PublishWindow } from "../mqtt-client/publish-window.ts";
import { type OnTrouble, type Outgoing, type Sender, STOP_MS } from "./sender.ts";

/** Messages without PUBACK at most. Chosen: some 100 kB on the wire. */
const MAX_IN_FLIGHT = 256;
/** How long a broker may leave a message without PUBACK before the connection is given up, ms. Chosen. */
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
export function createMqttSender(options: MqttSenderOptions): Sender {
  const { target, login, clientId, sockets, onTrouble } = options;
  const { pubackMs = PUBACK_MS, stopMs = STOP_MS } = options;
  const window = new PublishWindow<Publication & Pick<Outgoing, "settle">>(MAX_IN_FLIGHT);
  let heardMs = 0;
  let isScheduled = false;
  let isStopped = false;

  const connection = new BrokerConnection({
    open: (ready) => sockets.open(target, ready),
    login,
    clientId,
    clean: true,
    mayConnect: () => true,
    // Without a log: who wants the messages passed on reads the progress, and the lane logs it once.
    user: {
      opened() {
        heardMs = performance.now();
        send();
      },
      message: () => undefined,
      packet(packet) {
        if (packet.cmd !== "puback") return;
        heardMs = performance.now();
        const acknowledged = window.acknowledged(packet.messageId);
        if (acknowledged === undefined) return;
        acknowledged.settle("sent");
        sendSoon();
      },
      lost: () => window.lost(),
      failed(reason, cause) {
        if (!isStopped) onTrouble(cause === undefined ? reason : explained(cause));
      },
    },
  });

  /** What one turn brings, such as one read of the journal, goes out in one write. */
  function sendSoon(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      send();
    });
  }

  function send(): void {
    if (isStopped || !connection.isOpen) return;
    // What was silent until now owes its PUBACK from now on.
    if (window.inFlightCount === 0) heardMs = performance.now();
    const due = window.takeDue();
    if (due !== undefined) connection.write(due);
  }

  // Answers to pings say that the broker is there, not that it takes our messages.
  const watch = setInterval(
    () => {
      if (window.inFlightCount > 0 && performance.now() - heardMs > pubackMs) {
        connection.drop("the broker acknowledges nothing");
      }
    },
    Math.min(POLL_EVERY_MS, pubackMs),
  );
  watch.unref();
  connection.start();

  return {
    get pending() {
      return window.waitingCount + window.inFlightCount;
    },
    add({ message: { topic = "", body: payload }, settle }) {
      window.add({ topic, payload, settle });
      sendSoon();
    },
    async stop() {
      isStopped = true;
      clearInterval(watch);
      const deadlineMs = performance.now() + stopMs;
      while (connection.isOpen && window.inFlightCount > 0 && performance.now() < deadlineMs) {
        await delay(STOP_POLL_MS);
      }
      connection.close();
    },
  };
}

/** A socket's error in words that name no address. */
function explained(cause: Error): string {
  const failure = failureOf(cause);
  return failure === "blocked" ? "the address or the port is not allowed" : failure;
}
