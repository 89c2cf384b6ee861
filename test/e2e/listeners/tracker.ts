import { connect, type Socket } from "node:net";
import { crc16 } from "../../../ingest/decoders/teltonika/crc16.ts";
import { type ListenerDevice, STEP_MS } from "./device.ts";

/** AVL id, without a meaning of ours, that carries the number of a record. */
const NUMBER_ID = 500;

interface TrackerOptions {
  readonly id: string;
  readonly imei: string;
  /** Fix time of record 1, ms since the Unix epoch. */
  readonly firstTimeMs: number;
  readonly recordsPerPacket: number;
}

/**
 * A tracker that sends Codec 8 Extended packets one after the other, and after a break the one that was
 * not acknowledged again, as real ones do. Records are numbered from 1.
 */
export class Tracker implements ListenerDevice {
  readonly listener = "teltonika";
  readonly decoder = "teltonika-codec8";
  readonly field = `avl_${NUMBER_ID}`;
  readonly id: string;
  readonly hardwareId: string;
  readonly timed = true;
  readonly acked = new Set<number>();
  readonly #options: TrackerOptions;
  #socket: Socket | undefined;
  #isRunning = false;
  #sent = 0;
  /** Numbers of the records that wait for their answer. */
  #waiting: readonly number[] = [];

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.id = options.id;
    this.hardwareId = options.imei;
  }

  get sent(): number {
    return this.#sent;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  /** Connects and sends until the server is gone, or `pause`. */
  run(port: number): void {
    this.#isRunning = true;
    this.#socket?.destroy();
    const { imei } = this.#options;
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket = socket;
    let isLetIn = false;
    let heard = Buffer.alloc(0);
    socket.on("connect", () =>
      socket.write(Buffer.concat([Buffer.of(0, imei.length), Buffer.from(imei)])),
    );
    socket.on("data", (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      if (!isLetIn) {
        if (heard[0] !== 1) throw new Error(`hand-shake answered by ${heard[0]}`);
        isLetIn = true;
        heard = heard.subarray(1);
        this.#send(socket);
      }
      while (heard.length >= 4) {
        const count = heard.readUInt32BE(0);
        heard = heard.subarray(4);
        // Any other number: the same packet again.
        if (count === this.#waiting.length) {
          for (const number of this.#waiting) this.acked.add(number);
          this.#waiting = [];
        }
        this.#send(socket);
      }
    });
    // The server was killed: the harness connects again when the next one is up.
    socket.on("error", () => undefined);
  }

  /** Sends nothing new; what waits for its answer is still sent. */
  pause(): void {
    this.#isRunning = false;
  }

  close(): void {
    this.#isRunning = false;
    this.#socket?.destroy();
  }

  #send(socket: Socket): void {
    if (this.#waiting.length === 0) {
      if (!this.#isRunning) return;
      const from = this.#sent + 1;
      this.#waiting = Array.from({ length: this.#options.recordsPerPacket }, (_, i) => from + i);
      this.#sent += this.#waiting.length;
    }
    socket.write(packetOf(this.#waiting, this.#options.firstTimeMs));
  }
}

/** One packet of records with a fix; each carries its number as element `NUMBER_ID` of four bytes. */
function packetOf(numbers: readonly number[], firstTimeMs: number): Buffer {
  const records = numbers.map((number) => {
    const record = Buffer.alloc(24 + 4 + 2 + 2 + 2 + 6 + 2 + 2);
    record.writeBigUInt64BE(BigInt(firstTimeMs + number * STEP_MS), 0);
    record.writeInt32BE(134_023_000, 9);
    record.writeInt32BE(525_012_000, 13);
    record[21] = 9;
    // One element in all; none of one byte, none of two, one of four, none of eight, none of any length.
    record.writeUInt16BE(1, 26);
    record.writeUInt16BE(1, 32);
    record.writeUInt16BE(NUMBER_ID, 34);
    record.writeUInt32BE(number, 36);
    return record;
  });
  const count = Buffer.of(numbers.length);
  const data = Buffer.concat([Buffer.of(0x8e), count, ...records, count]);
  const packet = Buffer.alloc(data.length + 12);
  packet.writeUInt32BE(data.length, 4);
  data.copy(packet, 8);
  packet.writeUInt32BE(crc16(data, 0, data.length), data.length + 8);
  return packet;
}
