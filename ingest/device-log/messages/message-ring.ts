import { MESSAGE_OUTCOMES } from "../../../domain/equipment/connection-log.ts";
import type { LoggedMessage } from "../../../storage/ports/equipment/device-log.ts";

/** Numbers of one message, by their place: both times in ms, NaN for no fix; the outcome by its index. */
const RECEIVED = 0;
const NEWEST_FIX = 1;
const PAYLOAD_BYTES = 2;
const READINGS = 3;
const QOS = 4;
const OUTCOME = 5;
const NUMBERS = 6;

/**
 * The last `room` messages of one asset. All of its memory is allocated at once, about 56 bytes a message,
 * and then overwritten in place. Messages allocate nothing, and a process that has heard from its fleet
 * grows no more. (An object a message took 122 bytes, and 50 messages until it was all taken.)
 */
export class MessageRing {
  /** Newest fix time of all messages so far, ms. */
  newestFixMs = Number.NEGATIVE_INFINITY;
  readonly #room: number;
  readonly #numbers: Float64Array;
  /** Nearly always one and the same string. */
  readonly #topics: string[];
  /** By slot; few messages have one. */
  #reasons: Map<number, string> | undefined;
  /** By slot; a device says the same of itself again and again, so that most of them are one list. */
  #notices: Map<number, readonly string[]> | undefined;
  #lastNotices: readonly string[] = [];
  /** Messages noted so far. */
  #count = 0;

  constructor(room: number) {
    this.#room = room;
    this.#numbers = new Float64Array(room * NUMBERS);
    this.#topics = new Array<string>(room).fill("");
  }

  add(message: LoggedMessage): void {
    const slot = this.#count % this.#room;
    const at = slot * NUMBERS;
    const numbers = this.#numbers;
    numbers[at + RECEIVED] = message.receivedAtMs;
    numbers[at + NEWEST_FIX] = message.newestFixMs ?? Number.NaN;
    numbers[at + PAYLOAD_BYTES] = message.payloadBytes;
    numbers[at + READINGS] = message.readings;
    numbers[at + QOS] = message.qos;
    numbers[at + OUTCOME] = MESSAGE_OUTCOMES.indexOf(message.outcome);
    this.#topics[slot] = message.topic;
    if (message.reason === undefined) this.#reasons?.delete(slot);
    else {
      this.#reasons ??= new Map();
      this.#reasons.set(slot, message.reason);
    }
    this.#noteNotices(slot, message.notices);
    this.#count += 1;
  }

  #noteNotices(slot: number, notices: LoggedMessage["notices"]): void {
    if (notices === undefined) {
      this.#notices?.delete(slot);
      return;
    }
    const last = this.#lastNotices;
    const isSame = last.length === notices.length && last.every((line, i) => line === notices[i]);
    if (!isSame) this.#lastNotices = notices;
    this.#notices ??= new Map();
    this.#notices.set(slot, this.#lastNotices);
  }

  /** Newest first; copies. */
  messages(): readonly LoggedMessage[] {
    const kept = Math.min(this.#count, this.#room);
    return Array.from({ length: kept }, (_, i) => this.#read((this.#count - 1 - i) % this.#room));
  }

  #read(slot: number): LoggedMessage {
    const number = (place: number): number => this.#numbers[slot * NUMBERS + place] ?? 0;
    const newestFixMs = number(NEWEST_FIX);
    const notices = this.#notices?.get(slot);
    return {
      receivedAtMs: number(RECEIVED),
      topic: this.#topics[slot] ?? "",
      payloadBytes: number(PAYLOAD_BYTES),
      qos: number(QOS),
      outcome: MESSAGE_OUTCOMES[number(OUTCOME)] ?? "ignored",
      reason: this.#reasons?.get(slot),
      ...(notices === undefined ? {} : { notices }),
      readings: number(READINGS),
      newestFixMs: Number.isNaN(newestFixMs) ? undefined : newestFixMs,
    };
  }
}
