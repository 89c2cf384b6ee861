import { MINUTE_MS } from "../../../domain/time.ts";
import type { MessageOrigin } from "../../journal-record/header.ts";
import { mix32 } from "./payload-hash.ts";

/** How long a resent message is recognised, minutes (docs/rules.md#clocks). */
const KEPT_MINUTES = 10;
const FIRST_SLOTS = 1 << 10;
/**
 * Slots of one minute at most: 8 MB a minute, 88 MB in all, exact up to 13,000 messages a second.
 * Beyond, older messages of the minute are forgotten: then a resent one is stored again, which
 * only payloads without a time of their own can show. More slots take memory.
 */
const MAX_SLOTS = 1 << 20;
/**
 * Neighbouring slots probed before giving up; only a full table has no empty one among them. More slow every
 * message down; fewer forget messages of a table that is nearly full.
 */
const PROBES = 128;

/** By both, because a device with one message in flight has the same packet identifier all the time. */
const slotOf = (sender: number, payload: number): number => (sender ^ payload) >>> 0;

/** The messages of one minute: open addressing, two words of identity per slot, 0 0 = empty. */
class MinuteTable {
  readonly minute: number;
  #words = new Uint32Array(FIRST_SLOTS * 2);
  #mask = FIRST_SLOTS - 1;
  #count = 0;

  constructor(minute: number) {
    this.minute = minute;
  }

  has(sender: number, payload: number): boolean {
    const first = slotOf(sender, payload);
    for (let i = 0; i < PROBES; i += 1) {
      const at = ((first + i) & this.#mask) * 2;
      const word = this.#words[at];
      if (word === sender && this.#words[at + 1] === payload) return true;
      if (word === 0 && this.#words[at + 1] === 0) return false;
    }
    return false;
  }

  add(sender: number, payload: number): void {
    if (this.#count * 2 > this.#mask && this.#mask + 1 < MAX_SLOTS) this.#grow();
    const first = slotOf(sender, payload);
    let at = (first & this.#mask) * 2;
    for (let i = 0; i < PROBES; i += 1) {
      const probe = ((first + i) & this.#mask) * 2;
      const word = this.#words[probe];
      if (word === sender && this.#words[probe + 1] === payload) return;
      if (word === 0 && this.#words[probe + 1] === 0) {
        at = probe;
        this.#count += 1;
        break;
      }
    }
    this.#words[at] = sender;
    this.#words[at + 1] = payload;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(old.length * 2);
    this.#mask = old.length - 1;
    this.#count = 0;
    for (let at = 0; at < old.length; at += 2) {
      const sender = old[at] ?? 0;
      const payload = old[at + 1] ?? 0;
      if (sender !== 0 || payload !== 0) this.add(sender, payload);
    }
  }
}

/**
 * The durable QoS 1 and 2 messages of the last 10 minutes by client id, packet id and payload, so
 * that a resent one (DUP = 1) is not stored twice. Memory is bounded whatever the rate.
 */
export class RecentMessages {
  /** Newest first. */
  #tables: MinuteTable[] = [];

  add(origin: MessageOrigin, atMs: number): void {
    const minute = Math.floor(atMs / MINUTE_MS);
    let table = this.#tables[0];
    // A clock that steps back keeps filling the newest table.
    if (table === undefined || minute > table.minute) {
      table = new MinuteTable(minute);
      this.#tables = [table, ...this.#tables.filter((one) => one.minute >= minute - KEPT_MINUTES)];
    }
    table.add(mix32(origin.clientHash, origin.packetId), origin.payloadHash);
  }

  has(origin: MessageOrigin, atMs: number): boolean {
    const oldest = Math.floor(atMs / MINUTE_MS) - KEPT_MINUTES;
    const sender = mix32(origin.clientHash, origin.packetId);
    return this.#tables.some(
      (table) => table.minute >= oldest && table.has(sender, origin.payloadHash),
    );
  }
}
