import { FIELD_NAME, MAX_STORED_FIELDS } from "../../../../domain/equipment/reading.ts";
import type { JournalPosition } from "../../../ports/journal.ts";
import type { PointColumns } from "../../../ports/telemetry-store.ts";
import { createPoints, type Points } from "../../points/points.ts";
import {
  ASSET_AT,
  FIRST_RECORD,
  HASH_AT,
  PREVIOUS_AT,
  PROJECT_AT,
  SEQ_AT,
  type SealedHeap,
  SHAPE_AT,
  type Shape,
  TIME_AT,
  VALUES_AT,
} from "./memtable-layout.ts";

/** Longest record, in doubles. */
export const MAX_RECORD = VALUES_AT + MAX_STORED_FIELDS;
/**
 * Distinct sets of field names; with more the memtable counts as full. More take memory; fewer seal early
 * where devices vary their fields.
 */
const MAX_SHAPES = 16_384;
/** Rows of one piece that a read takes out of the memtable. */
const PIECE_ROWS = 2_048;

/** The points that are not in LMDB yet: records in arrival order, chained backwards per asset. */
export class Memtable {
  /** Journal position up to which this memtable and those before it are complete. */
  position: JournalPosition | undefined;
  /** Whether there is anything to seal, be it only a position. */
  isDirty = false;
  private readonly maxPoints: number;
  private readonly buffer: SharedArrayBuffer;
  private readonly values: Float64Array;
  private readonly words: Uint32Array;
  private readonly shapes: Shape[] = [];
  private readonly shapeByNames = new Map<string, number>();
  /** By asset number: the latest record, and the shape it had. */
  private heads = new Uint32Array(1024);
  private lastShapes = new Uint32Array(1024);
  private used = FIRST_RECORD;
  private rows = 0;
  private readonly free: () => void;
  /** The store itself and the reads that use the memtable. */
  private holders = 1;

  /** `free` is called when nobody reads the buffer any more. */
  constructor(buffer: SharedArrayBuffer, maxPoints: number, free: () => void) {
    this.buffer = buffer;
    this.maxPoints = maxPoints;
    this.free = free;
    this.values = new Float64Array(buffer);
    this.words = new Uint32Array(buffer);
  }

  /** Keeps the buffer as it is until `release`. */
  retain(): void {
    this.holders += 1;
  }

  release(): void {
    this.holders -= 1;
    if (this.holders === 0) this.free();
  }

  get isFull(): boolean {
    return (
      this.rows >= this.maxPoints ||
      this.used + MAX_RECORD > this.values.length ||
      this.shapes.length >= MAX_SHAPES
    );
  }

  /** Adds a point unless it carries no finite value. The memtable must not be full. */
  append(point: PointColumns, asset: number, project: number): void {
    if (asset >= this.heads.length) this.growTo(asset + 1);
    const at = this.used;
    const shape = this.writeValues(point, at + VALUES_AT, this.lastShapes[asset] ?? 0);
    const length = this.shapes[shape]?.length ?? 0;
    if (length === 0) return;
    const { values, words } = this;
    values[at + TIME_AT] = point.fixTimeMs;
    values[at + SEQ_AT] = point.seq;
    words[at * 2 + HASH_AT] = point.payloadHash;
    words[at * 2 + ASSET_AT] = asset;
    words[at * 2 + PROJECT_AT] = project;
    words[at * 2 + SHAPE_AT] = shape;
    words[at * 2 + PREVIOUS_AT] = this.heads[asset] as number;
    this.heads[asset] = at;
    this.lastShapes[asset] = shape;
    this.used = at + VALUES_AT + length;
    this.rows += 1;
  }

  seal(): SealedHeap {
    return { buffer: this.buffer, used: this.used, count: this.rows, shapes: this.shapes };
  }

  /**
   * The asset's points in `[fromMs, toMs)`, newest arrivals first, as pieces that are not sorted; keys
   * are fix times, ms since the Unix epoch.
   */
  *pieces(
    asset: number,
    fromMs: number,
    toMs: number,
    fields?: ReadonlySet<string>,
  ): Generator<Points> {
    const head = this.heads[asset] ?? 0;
    let rows: number[] = [];
    for (let at = head; at !== 0; at = this.words[at * 2 + PREVIOUS_AT] as number) {
      const timeMs = this.values[at + TIME_AT] as number;
      if (timeMs >= fromMs && timeMs < toMs) rows.push(at);
      if (rows.length === PIECE_ROWS) {
        yield this.gather(rows.reverse(), fields);
        rows = [];
      }
    }
    if (rows.length > 0) yield this.gather(rows.reverse(), fields);
  }

  private gather(rows: readonly number[], fields: ReadonlySet<string> | undefined): Points {
    const shapes = new Set(rows.map((at) => this.words[at * 2 + SHAPE_AT] as number));
    const names = [...new Set([...shapes].flatMap((shape) => this.shapes[shape] ?? []))].filter(
      (name) => fields === undefined || fields.has(name),
    );
    const points = createPoints(rows.length, names);
    const columnByName = new Map(names.map((name, i) => [name, points.columns[i]]));
    for (const [row, at] of rows.entries()) {
      points.keys[row] = this.values[at + TIME_AT] as number;
      points.seqs[row] = this.values[at + SEQ_AT] as number;
      points.hashes[row] = this.words[at * 2 + HASH_AT] as number;
      points.projects[row] = this.words[at * 2 + PROJECT_AT] as number;
      const shape = this.shapes[this.words[at * 2 + SHAPE_AT] as number] ?? [];
      for (let i = 0; i < shape.length; i++) {
        const column = columnByName.get(shape[i] as string);
        if (column !== undefined) column[row] = this.values[at + VALUES_AT + i] as number;
      }
    }
    return points;
  }

  /** Writes the finite values at `at`; returns the shape. `guess` is mostly right. */
  private writeValues(point: PointColumns, at: number, guess: number): number {
    const names = this.shapes[guess];
    if (names !== undefined) {
      let matched = 0;
      for (let i = point.start; i < point.end; i++) {
        const value = point.values[i] as number;
        if (!Number.isFinite(value)) continue;
        if (names[matched] !== point.names[i]) return this.writeNewShape(point, at);
        this.values[at + matched++] = value;
      }
      if (matched === names.length) return guess;
    }
    return this.writeNewShape(point, at);
  }

  private writeNewShape({ names: all, values, start, end }: PointColumns, at: number): number {
    const names = all.slice(start, end).filter((_, i) => Number.isFinite(values[start + i]));
    if (names.length > MAX_STORED_FIELDS) throw new RangeError(`a point of ${names.length} fields`);
    let stored = at;
    for (let i = start; i < end; i++) {
      if (Number.isFinite(values[i])) this.values[stored++] = values[i] as number;
    }
    const joined = names.join(" ");
    const known = this.shapeByNames.get(joined);
    if (known !== undefined) return known;
    const wrong = names.find((name) => !FIELD_NAME.test(name));
    if (wrong !== undefined) throw new RangeError(`not a field name: ${JSON.stringify(wrong)}`);
    this.shapes.push(names);
    this.shapeByNames.set(joined, this.shapes.length - 1);
    return this.shapes.length - 1;
  }

  private growTo(assets: number): void {
    const length = Math.max(assets, this.heads.length * 2);
    const grow = (old: Uint32Array) => {
      const grown = new Uint32Array(length);
      grown.set(old);
      return grown;
    };
    this.heads = grow(this.heads);
    this.lastShapes = grow(this.lastShapes);
  }
}
