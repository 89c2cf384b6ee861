import type { InboundMessage } from "./inbound-message.ts";
import type { IntakeCounters } from "./readings/counters.ts";
import type { CloseReason, IntakeSession } from "./session.ts";

/** Longest that a message waits for the journal, ms (docs/rules.md#intake). */
const MAX_HOLD_MS = 15_000;
/** Payload bytes that wait over all sessions; beyond, connections are closed (docs/rules.md#intake). */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Messages that cannot be processed yet, in order of arrival per session, bounded in bytes and time. */
export class HoldQueue {
  readonly #take: (session: IntakeSession, inbound: InboundMessage) => void;
  readonly #counters: IntakeCounters;
  readonly #now: () => number;
  /** Sessions with messages that wait for the journal. */
  readonly #held = new Set<IntakeSession>();
  #bytes = 0;

  constructor(options: {
    readonly take: (session: IntakeSession, inbound: InboundMessage) => void;
    readonly counters: IntakeCounters;
    readonly now: () => number;
  }) {
    this.#take = options.take;
    this.#counters = options.counters;
    this.#now = options.now;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps a message that the journal does not take now; a QoS 0 message is dropped. */
  hold(session: IntakeSession, inbound: InboundMessage): void {
    if (inbound.qos === 0) {
      this.#counters.dropped_qos0 += 1;
      session.settle(inbound);
      return;
    }
    if (inbound.heldUntilMs === 0) {
      this.#counters.held += 1;
      const keepAliveMs = session.keepAliveMs > 0 ? session.keepAliveMs : MAX_HOLD_MS;
      inbound.heldUntilMs = this.#now() + Math.min(MAX_HOLD_MS, keepAliveMs);
    }
    session.stalled = "journal";
    this.#held.add(session);
    this.wait(session, inbound);
  }

  /** Puts a message of a stalled session among those that wait. */
  wait(session: IntakeSession, inbound: InboundMessage): void {
    if (session.closed) return;
    session.putBack(inbound);
    this.#bytes += inbound.payload.byteLength;
    if (this.#bytes > MAX_HELD_BYTES) this.#giveUp(session, "held_too_much");
  }

  /** Retries all held messages in order; some may have to wait once more. */
  resume(session: IntakeSession): void {
    for (const inbound of this.#empty(session)) {
      if (session.closed) return;
      if (session.stalled === undefined) this.#take(session, inbound);
      else this.wait(session, inbound);
    }
    session.relieve();
  }

  /** Tries all sessions again when the journal is open; gives up those that waited too long. */
  retry(journalIsOpen: boolean): void {
    const nowMs = this.#now();
    for (const session of [...this.#held]) {
      const heldUntilMs = session.waiting[0]?.heldUntilMs ?? 0;
      if (session.closed) this.#empty(session);
      else if (journalIsOpen) this.resume(session);
      else if (heldUntilMs > 0 && heldUntilMs <= nowMs) this.#giveUp(session, "held_too_long");
    }
  }

  close(): void {
    for (const session of [...this.#held]) this.#empty(session);
  }

  #giveUp(session: IntakeSession, reason: CloseReason): void {
    this.#counters.held_closed += 1;
    this.#empty(session);
    session.fail(reason);
  }

  /** Takes everything out of the queue without processing it. */
  #empty(session: IntakeSession): readonly InboundMessage[] {
    const waiting = session.waiting;
    session.waiting = [];
    session.stalled = undefined;
    this.#held.delete(session);
    for (const inbound of waiting) this.#bytes -= inbound.payload.byteLength;
    return waiting;
  }
}
