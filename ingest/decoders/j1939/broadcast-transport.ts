import type { CanFrame } from "./can-frame.ts";
import { DM1_PGN } from "./dm1.ts";

/** Transport protocol, connection management and data transfer (SAE J1939-21, 5.10). */
const CONNECTION_PGN = 60_416;
const DATA_PGN = 60_160;
/** Control byte of the broadcast announce message. */
const ANNOUNCE = 32;
const BYTES_PER_PACKET = 7;
/**
 * Longest pause between the frames of a broadcast, ms: T1 of J1939-21, 5.10. What comes later belongs to the
 * next one, whose announcement was lost.
 */
const MAX_PAUSE_MS = 750;
/** Shortest and longest message that needs the protocol, bytes. */
const SIZE = { min: 9, max: 1_785 } as const;

interface Broadcast {
  readonly data: Uint8Array;
  /** Which packets came, by sequence number from 1. */
  readonly seen: Set<number>;
  readonly packetCount: number;
  frameCount: number;
  /** Time of its last frame, ms; `undefined`: the frames carry none. */
  timeMs: number | undefined;
}

/** Whether a frame belongs to the transport protocol. */
export function isTransport({ pgn }: CanFrame): boolean {
  return pgn === DATA_PGN || pgn === CONNECTION_PGN;
}

/**
 * Puts DM1 messages of several packets together within one MQTT message. One broadcast per controller
 * is open at a time. A packet's number says where it belongs, so their order does not matter, and the
 * same packet again does no harm. Another packet under a number that was there ends the broadcast
 * unread.
 */
export class BroadcastTransport {
  readonly #openBySource = new Map<number, Broadcast>();
  /** Controllers whose packets belong to a group that is not read. */
  readonly #foreign = new Set<number>();
  /** Controllers that began to say something which may have been a DM1, and were not understood. */
  readonly #cutOff = new Set<number>();
  #ignored = 0;

  /** Takes a frame in; the data of the DM1 that it completes, else `undefined`. */
  take(frame: CanFrame): Uint8Array | undefined {
    const isBroadcast = frame.destination === 0xff;
    if (isBroadcast && frame.pgn === CONNECTION_PGN) this.#announce(frame);
    else if (isBroadcast) return this.#packet(frame);
    else this.#ignored += 1;
    return undefined;
  }

  /** Closes what is still open: how many frames said nothing, and who may have said something. */
  end(): { readonly ignored: number; readonly cutOff: ReadonlySet<number> } {
    for (const source of [...this.#openBySource.keys()]) this.#giveUp(source);
    return { ignored: this.#ignored, cutOff: this.#cutOff };
  }

  #announce({ source, data, timeMs }: CanFrame): void {
    this.#giveUp(source);
    const byte = (at: number) => data[at] ?? 0;
    const size = byte(2) * 256 + byte(1);
    const packetCount = byte(3);
    const pgn = byte(7) * 65_536 + byte(6) * 256 + byte(5);
    const isPossible =
      size >= SIZE.min && size <= SIZE.max && packetCount === Math.ceil(size / BYTES_PER_PACKET);
    if (byte(0) === ANNOUNCE && pgn === DM1_PGN && isPossible) {
      const room = new Uint8Array(size);
      const seen = new Set<number>();
      this.#openBySource.set(source, { data: room, seen, packetCount, frameCount: 1, timeMs });
      return;
    }
    this.#ignored += 1;
    if (pgn === DM1_PGN) this.#cutOff.add(source);
    else this.#foreign.add(source);
  }

  #packet({ source, data, timeMs }: CanFrame): Uint8Array | undefined {
    if (isLate(timeMs, this.#openBySource.get(source)?.timeMs)) this.#giveUp(source);
    const open = this.#openBySource.get(source);
    if (open === undefined) {
      this.#ignored += 1;
      // The end of a broadcast that began in an earlier message cannot be assigned.
      if (!this.#foreign.has(source)) this.#cutOff.add(source);
      return undefined;
    }
    open.frameCount += 1;
    open.timeMs = timeMs;
    const number = data[0] ?? 0;
    const at = (number - 1) * BYTES_PER_PACKET;
    const length = Math.min(BYTES_PER_PACKET, open.data.length - at);
    const isPacket = number >= 1 && number <= open.packetCount && data.length > length;
    if (!isPacket) {
      this.#giveUp(source);
      return undefined;
    }
    const bytes = data.subarray(1, length + 1);
    if (open.seen.has(number)) {
      if (!bytes.every((byte, i) => byte === open.data[at + i])) this.#giveUp(source);
      return undefined;
    }
    open.seen.add(number);
    open.data.set(bytes, at);
    if (open.seen.size < open.packetCount) return undefined;
    this.#openBySource.delete(source);
    return open.data;
  }

  #giveUp(source: number): void {
    this.#foreign.delete(source);
    const open = this.#openBySource.get(source);
    if (open === undefined) return;
    this.#openBySource.delete(source);
    this.#cutOff.add(source);
    this.#ignored += open.frameCount;
  }
}

/** Whether a packet comes too long after (a gateway may have changed the order: or before) the frame before it. */
function isLate(timeMs: number | undefined, beforeMs: number | undefined): boolean {
  if (timeMs === undefined || beforeMs === undefined) return false;
  return Math.abs(timeMs - beforeMs) > MAX_PAUSE_MS;
}
