import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { crc32c } from "../../disk/sliced-crc.ts";

/** Bytes of a page of the log (`XLOG_BLCKSZ`) and of a segment file. */
const PAGE_BYTES = 8_192;
const SEGMENT_BYTES = 16 * 1024 ** 2;
const SHORT_HEADER = 24;
const LONG_HEADER = 40;
const RECORD_HEADER = 24;
const CRC_AT = 20;
/** PostgreSQL takes up to 1 GiB (`XLogRecordMaxSize`); a length beyond is that of damage. */
const MAX_RECORD_BYTES = 1024 ** 3;
/** Bits of a page's `xlp_info` (`xlog_internal.h`). */
const FIRST_IS_CONTINUED = 0x1;
const IS_LONG = 0x2;
const FIRST_IS_OVERWRITTEN = 0x8;
const ALL_FLAGS = 0xf;

/** A record of the write-ahead log. Positions are log sequence numbers (LSN), in bytes. */
export interface LogRecord {
  /** Of its first byte. */
  readonly start: number;
  /** Of the first byte after it, where the next one is searched for. */
  readonly end: number;
  /** Where the one before it starts. */
  readonly previous: number;
  readonly manager: number;
  readonly info: number;
}

/** Where PostgreSQL would begin to replay the log. */
export interface ReplayStart {
  readonly lsn: number;
  readonly timeline: number;
}

/** Reads what `pg_control` says (`ControlFileData` of PostgreSQL 17 and later); `undefined`: no such file. */
export function readReplayStart(cluster: string): ReplayStart | undefined {
  try {
    const bytes = readFileSync(join(cluster, "global", "pg_control"));
    return { lsn: Number(bytes.readBigUInt64LE(40)), timeline: bytes.readUInt32LE(48) };
  } catch {
    return undefined;
  }
}

/** The segments of a cluster's log, read by position. */
export class LogFiles {
  readonly #dir: string;
  readonly #timeline: number;
  readonly #memory = Buffer.allocUnsafe(SEGMENT_BYTES);
  #loaded = -1;
  #isThere = false;
  /** What every page of this log begins with. */
  #magic: number | undefined;

  constructor(cluster: string, timeline: number) {
    this.#dir = join(cluster, "pg_wal");
    this.#timeline = timeline;
  }

  /** Path of the segment that holds a position, below the cluster. */
  pathOf(lsn: number): string {
    return `pg_wal/${this.#name(Math.floor(lsn / SEGMENT_BYTES))}`;
  }

  /** The position after the last segment there is. */
  get end(): number {
    const numbers = readdirSync(this.#dir)
      .filter((name) => /^[0-9A-F]{24}$/.test(name))
      .map((name) => parseInt(name.slice(8, 16), 16) * 256 + parseInt(name.slice(16), 16));
    return (Math.max(-1, ...numbers) + 1) * SEGMENT_BYTES;
  }

  /** The first position of the segment after the one that holds `lsn`. */
  nextSegment(lsn: number): number {
    return (Math.floor(lsn / SEGMENT_BYTES) + 1) * SEGMENT_BYTES;
  }

  /**
   * The record at a position, after the header of its page if it is the page's first. `overwritten`: a crash
   * cut it off, and the log goes on at that page. `undefined`: PostgreSQL would end its replay here.
   */
  read(lsn: number): LogRecord | { readonly overwritten: number } | undefined {
    let page = lsn - (lsn % PAGE_BYTES);
    const first = this.#page(page);
    if (first === undefined) return undefined;
    const start = lsn === page ? page + first.headerBytes : lsn;
    if (lsn === page && first.isContinued) return undefined;
    if (start < page + first.headerBytes) return undefined;
    const total = this.#word(start);
    if (total < RECORD_HEADER || total > MAX_RECORD_BYTES) return undefined;
    const parts: (readonly [from: number, bytes: number])[] = [];
    for (let from = start, left = total; ; ) {
      const here = Math.min(left, page + PAGE_BYTES - from);
      parts.push([from, here]);
      left -= here;
      if (left === 0) return this.#decode(parts, total);
      page += PAGE_BYTES;
      const next = this.#page(page);
      if (next?.isOverwritten === true) return { overwritten: page };
      // A length that is nonsense ends here.
      if (next?.isContinued !== true || next.remaining !== left) return undefined;
      from = page + next.headerBytes;
    }
  }

  /** The record in these parts of pages; `undefined`: it has not the CRC that it was written with. */
  #decode(
    parts: readonly (readonly [from: number, bytes: number])[],
    total: number,
  ): LogRecord | undefined {
    const bytes = Buffer.allocUnsafe(total);
    let filled = 0;
    let end = 0;
    for (const [from, here] of parts) {
      const at = this.#offset(from);
      if (at === undefined) return undefined;
      filled += this.#memory.copy(bytes, filled, at, at + here);
      end = from + here;
    }
    // `xl_crc` is over the data, then over the header in front of it.
    const crc = crc32c(bytes, 0, CRC_AT, crc32c(bytes, RECORD_HEADER, total, 0));
    if (bytes.readUInt32LE(CRC_AT) !== crc) return undefined;
    return {
      start: parts[0]?.[0] ?? 0,
      end: Math.ceil(end / 8) * 8,
      previous: Number(bytes.readBigUInt64LE(8)),
      info: bytes.readUInt8(16),
      manager: bytes.readUInt8(17),
    };
  }

  /**
   * Records that lie somewhere in `[from, to)`, whatever lies between them: each has its own CRC, and names a
   * record at or after `after` as the one before it.
   */
  *find(from: number, to: number, after: number): Generator<LogRecord> {
    for (let at = from; at < to; ) {
      const page = at - (at % PAGE_BYTES);
      // No record begins in a page of an earlier use of the file.
      if (this.#page(page) === undefined) {
        at = page + PAGE_BYTES;
        continue;
      }
      const record = this.#mayBegin(at, after) ? this.read(at) : undefined;
      if (record !== undefined && "start" in record && record.previous >= after) {
        yield record;
        at = record.end;
      } else at += 8;
    }
  }

  /** Whether the fixed fields at a position could be a record's; cheap. */
  #mayBegin(lsn: number, after: number): boolean {
    const page = lsn - (lsn % PAGE_BYTES);
    if (lsn === page) return this.#page(page)?.isContinued === false;
    if (page + PAGE_BYTES - lsn < RECORD_HEADER) return true;
    const at = this.#offset(lsn);
    if (at === undefined || this.#memory.readUInt32LE(at) < RECORD_HEADER) return false;
    const previous = Number(this.#memory.readBigUInt64LE(at + 8));
    return previous >= after && previous < lsn;
  }

  /** The header of a page; `undefined`: it is not the one of this page. */
  #page(lsn: number) {
    const at = this.#offset(lsn);
    if (at === undefined) return undefined;
    const m = this.#memory;
    const info = m.readUInt16LE(at + 2);
    const isFirst = lsn % SEGMENT_BYTES === 0;
    const isOurs =
      m.readUInt16LE(at) === (this.#magic ?? m.readUInt16LE(at)) &&
      (info & ~ALL_FLAGS) === 0 &&
      ((info & IS_LONG) !== 0) === isFirst &&
      m.readUInt32LE(at + 4) === this.#timeline &&
      Number(m.readBigUInt64LE(at + 8)) === lsn &&
      (!isFirst ||
        (m.readUInt32LE(at + 32) === SEGMENT_BYTES && m.readUInt32LE(at + 36) === PAGE_BYTES));
    if (!isOurs) return undefined;
    this.#magic ??= m.readUInt16LE(at);
    return {
      headerBytes: isFirst ? LONG_HEADER : SHORT_HEADER,
      isContinued: (info & FIRST_IS_CONTINUED) !== 0,
      isOverwritten: (info & FIRST_IS_OVERWRITTEN) !== 0,
      remaining: m.readUInt32LE(at + 16),
    };
  }

  #word(lsn: number): number {
    const at = this.#offset(lsn);
    return at === undefined ? 0 : this.#memory.readUInt32LE(at);
  }

  /** Where a position lies in `#memory`, after its segment was read; `undefined`: it is not there. */
  #offset(lsn: number): number | undefined {
    const number = Math.floor(lsn / SEGMENT_BYTES);
    if (number !== this.#loaded) {
      this.#loaded = number;
      this.#isThere = this.#load(number);
    }
    return this.#isThere ? lsn - number * SEGMENT_BYTES : undefined;
  }

  #load(number: number): boolean {
    let file: number;
    try {
      file = openSync(join(this.#dir, this.#name(number)), "r");
    } catch {
      return false;
    }
    try {
      const read = readSync(file, this.#memory, 0, SEGMENT_BYTES, 0);
      this.#memory.fill(0, read);
      return read > 0;
    } finally {
      closeSync(file);
    }
  }

  #name(number: number): string {
    const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, "0");
    // 256 segments of 16 MiB have the same upper half of the position.
    return hex(this.#timeline) + hex(Math.floor(number / 256)) + hex(number % 256);
  }
}
