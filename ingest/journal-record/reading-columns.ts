import { LATE_FIELD, lateSeconds } from "../../domain/equipment/lateness.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { JournalRecord } from "../../storage/ports/journal.ts";
import type { PointColumns } from "../../storage/ports/telemetry-store.ts";
import { decodeHandedOver } from "./handed-over.ts";
import { RECORD_KIND } from "./journal-record.ts";
import { FIELD_BY_CODE, FLAG, NAMED_FIELD } from "./readings.ts";
import { TextCache } from "./text-cache.ts";

/** Bytes of a fault without and with its source address: SPN, FMI, count. */
const FAULT_BYTES = { short: 6, withSource: 7 };
/** Receive time, client hash, packet id, payload hash. */
const ORIGIN_BYTES = 18;
/** The code of the field that every position has. */
const LATITUDE_CODE = FIELD_BY_CODE.indexOf("latitude");
/** Under this name a point carries the time that its device gave, where that could not be used. */
const RAW_TIME_FIELD = "device_time_ms";

const texts = new TextCache();

/**
 * The readings of one journal record, in arrays that are used again for the next: the same points as
 * `pointsOf` makes, at a fifth of its time. It is positioned at one of them; `at` moves it.
 */
export class ReadingColumns implements PointColumns {
  assetId = "" as AssetId;
  projectId = "" as ProjectId;
  fixTimeMs = 0;
  seq = 0;
  payloadHash = 0;
  start = 0;
  end = 0;
  readonly names: string[] = [];
  readonly values: number[] = [];
  readonly #times: number[] = [];
  readonly #seqs: number[] = [];
  readonly #hashes: number[] = [];
  /** Place after the fields of each reading. */
  readonly #ends: number[] = [];
  #body: Uint8Array = new Uint8Array();
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;
  #count = 0;
  #receivedAtMs = 0;

  /** Readings of the record that was read last. */
  get count(): number {
    return this.#count;
  }

  /** Whether the reading has a position that was received late. */
  get isLate(): boolean {
    return this.end > this.start && this.names[this.end - 1] === LATE_FIELD;
  }

  /** Reads a record; one of another kind, or that cannot be read, has no readings. */
  read(record: Pick<JournalRecord, "kind" | "body">): void {
    this.#count = 0;
    try {
      if (record.kind === RECORD_KIND.readings) this.#count = this.#readAll(record.body);
      else if (record.kind === RECORD_KIND.handedOver)
        this.read(decodeHandedOver(record.body).record);
    } catch (error) {
      // It ends too early. The pipeline reports such records; here they hold no points.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Moves to the reading of that index. */
  at(index: number): this {
    this.fixTimeMs = this.#times[index] as number;
    this.seq = this.#seqs[index] as number;
    this.payloadHash = this.#hashes[index] as number;
    this.start = index === 0 ? 0 : (this.#ends[index - 1] as number);
    this.end = this.#ends[index] as number;
    return this;
  }

  #readAll(body: Uint8Array): number {
    this.#body = body;
    this.#view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.#at = 0;
    this.assetId = this.#text() as AssetId;
    this.projectId = this.#text() as ProjectId;
    this.#receivedAtMs = this.#view.getFloat64(this.#at, true);
    this.#at += ORIGIN_BYTES;
    const count = this.#view.getUint16(this.#at, true);
    this.#at += 2;
    let end = 0;
    for (let i = 0; i < count; i += 1) {
      end = this.#readReading(i, end);
      this.#ends[i] = end;
    }
    return count;
  }

  /** Reads one reading, its fields from place `start` on; yields the place after them. */
  #readReading(index: number, start: number): number {
    const { names, values } = this;
    const view = this.#view;
    const flags = view.getUint8(this.#at);
    const fixTimeMs = view.getFloat64(this.#at + 1, true);
    this.#times[index] = fixTimeMs;
    // After it: perhaps the raw time, perhaps seq, and the payload hash.
    const rawTimeAt = this.#at + 9;
    const seqAt = rawTimeAt + (flags & FLAG.rawTime ? 8 : 0);
    const hashAt = seqAt + (flags & FLAG.seq ? 8 : 0);
    this.#seqs[index] = flags & FLAG.seq ? view.getFloat64(seqAt, true) : -1;
    this.#hashes[index] = view.getUint32(hashAt, true);
    let at = hashAt + 4;
    const hasRawTime = (flags & FLAG.rawTime) !== 0;
    let left = view.getUint8(at);
    at += 1;
    let end = start;
    let hasPosition = false;
    for (; left > 0; left -= 1) {
      const code = view.getUint8(at);
      if (code === LATITUDE_CODE) hasPosition = true;
      let name: string | undefined = FIELD_BY_CODE[code];
      at += 1;
      if (code === NAMED_FIELD) {
        this.#at = at;
        name = this.#text();
        at = this.#at;
      }
      const value = view.getFloat64(at, true);
      at += 8;
      // A code of a newer version has no name; the device's own time takes the place of such a field.
      if (name === undefined || (hasRawTime && name === RAW_TIME_FIELD)) continue;
      names[end] = name;
      values[end] = value;
      end += 1;
    }
    if (hasRawTime) {
      names[end] = RAW_TIME_FIELD;
      values[end] = view.getFloat64(rawTimeAt, true);
      end += 1;
    } else if (hasPosition) {
      const lateS = lateSeconds(fixTimeMs, this.#receivedAtMs);
      if (lateS !== undefined) {
        names[end] = LATE_FIELD;
        values[end] = lateS;
        end += 1;
      }
    }
    if (flags & FLAG.faults && flags & FLAG.ownFaultCodes) {
      this.#at = at;
      this.#skipText();
      at = this.#at;
    } else if (flags & FLAG.faults) {
      const size = flags & FLAG.faultSources ? FAULT_BYTES.withSource : FAULT_BYTES.short;
      at += 1 + view.getUint8(at) * size;
      if (at > view.byteLength) throw new RangeError("record ends too early");
    }
    this.#at = at;
    return end;
  }

  #byte(): number {
    const value = this.#view.getUint8(this.#at);
    this.#at += 1;
    return value;
  }

  #text(): string {
    const start = this.#skipText();
    return texts.text(this.#body, start, this.#at);
  }

  /** Passes over a text and yields where it begins. */
  #skipText(): number {
    let size = this.#byte();
    if (size === 255) {
      size = this.#view.getUint32(this.#at, true);
      this.#at += 4;
    }
    const start = this.#at;
    this.#at += size;
    if (this.#at > this.#body.length) throw new RangeError("record ends too early");
    return start;
  }
}
