import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { ArchiveBatch } from "../../ports/telemetry-archive.ts";
import type { PointColumns } from "../../ports/telemetry-store.ts";
import { KEY_SLACK, type KeyBytes, keyBytes, writeKey } from "./key-bytes.ts";
import { fieldKey, seriesKey } from "./line-protocol.ts";
import { NUMBER_BYTES, writeNumber, writeTime } from "./write-number.ts";

/** Lines of one request at most. 5,000 wrote fastest at an InfluxDB 1.6.7 (docs/decisions/012). */
export const MOST_LINES = 5_000;
/**
 * Bytes of one request, but for the last line: 5,000 lines of eight fields are about as much. Larger
 * requests take memory and repeat more when they fail; smaller ones are more round trips.
 */
const MOST_BYTES = 1024 ** 2;
const FIRST_BYTES = 64 * 1024;
/**
 * Keys may come from devices without end; a cache is emptied where it would grow. More take memory; fewer
 * encode the keys of large fleets again.
 */
const MOST_KEYS = 10_000;

const COMMA = 44;
const SPACE = 32;
const LINE_END = 10;

/** An asset in its project, with the front of its lines. */
interface Owner {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly front: KeyBytes;
}

/**
 * Points as the bytes of their lines, in a buffer that is used again: a string, an array or an object
 * for each line costs more than all the rest of the way to the server. Of a line only its end, owner
 * and time are kept beside it, for those that the server refuses.
 */
export class LineBatch implements ArchiveBatch {
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  /** Place after the last line. */
  #end = 0;
  readonly #ends: number[] = [];
  readonly #owners: Owner[] = [];
  readonly #times: number[] = [];
  /** Names of the line before, and their keys. */
  readonly #names: string[] = [];
  readonly #keys: KeyBytes[] = [];

  get points(): number {
    return this.#ends.length;
  }

  get bytes(): number {
    return this.#end;
  }

  get isFull(): boolean {
    return this.#end >= MOST_BYTES || this.#ends.length >= MOST_LINES;
  }

  /**
   * Adds the point's line: its time in ms, every value a float. Nothing when it carries no finite
   * value: InfluxDB has neither NaN nor infinity, and no point without a field.
   */
  add({ assetId, projectId, fixTimeMs, names, values, start, end }: PointColumns): void {
    const owner = ownerOf(assetId, projectId);
    this.#reserve(this.#end, owner.front.length + KEY_SLACK);
    const fieldsFrom = writeKey(owner.front, this.#view, this.#end);
    let at = fieldsFrom;
    for (let i = start; i < end; i += 1) {
      const value = values[i] as number;
      // Neither NaN nor an infinity: their difference with themselves is NaN.
      if (value - value !== 0) continue;
      const key = this.#key(i - start, names[i] as string);
      this.#reserve(at, 1 + key.length + KEY_SLACK + NUMBER_BYTES);
      if (at > fieldsFrom) this.#bytes[at++] = COMMA;
      at = writeNumber(this.#bytes, writeKey(key, this.#view, at), value);
    }
    if (at === fieldsFrom) return;
    this.#reserve(at, 1 + NUMBER_BYTES + 1);
    this.#bytes[at] = SPACE;
    at = writeTime(this.#bytes, at + 1, fixTimeMs);
    this.#bytes[at] = LINE_END;
    this.#end = at + 1;
    this.#ends.push(this.#end);
    this.#owners.push(owner);
    this.#times.push(fixTimeMs);
  }

  clear(): void {
    this.#end = 0;
    this.#ends.length = 0;
    this.#owners.length = 0;
    this.#times.length = 0;
  }

  /** The lines `[from, to)` as a body, without a line end behind the last; valid until `clear` or `add`. */
  body(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(this.#endOf(from - 1), Math.max(this.#endOf(to - 1) - 1, 0));
  }

  /** Whose line that is, when, and its text. */
  line(index: number): {
    readonly assetId: AssetId;
    readonly projectId: ProjectId;
    readonly fixTimeMs: number;
    readonly line: string;
  } {
    const owner = this.#owners[index];
    const fixTimeMs = this.#times[index];
    if (owner === undefined || fixTimeMs === undefined) throw new RangeError(`no line ${index}`);
    const line = Buffer.from(this.body(index, index + 1)).toString("utf8");
    return { assetId: owner.assetId, projectId: owner.projectId, fixTimeMs, line };
  }

  #endOf(index: number): number {
    return this.#ends[index] ?? 0;
  }

  /** The key of a name: mostly the one that stood at this place in the line before. */
  #key(place: number, name: string): KeyBytes {
    const known = this.#keys[place];
    if (known !== undefined && this.#names[place] === name) return known;
    const key = keyOf(name);
    this.#names[place] = name;
    this.#keys[place] = key;
    return key;
  }

  #reserve(at: number, size: number): void {
    if (at + size <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, at + size));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

const owners = new Map<AssetId, Owner>();
const keys = new Map<string, KeyBytes>();

function ownerOf(assetId: AssetId, projectId: ProjectId): Owner {
  const known = owners.get(assetId);
  if (known?.projectId === projectId) return known;
  if (owners.size >= MOST_KEYS) owners.clear();
  const owner = { assetId, projectId, front: keyBytes(seriesKey(assetId, projectId)) };
  owners.set(assetId, owner);
  return owner;
}

function keyOf(name: string): KeyBytes {
  const known = keys.get(name);
  if (known !== undefined) return known;
  if (keys.size >= MOST_KEYS) keys.clear();
  const key = keyBytes(fieldKey(name));
  keys.set(name, key);
  return key;
}
