/**
 * Points as columns of equal length. A row is one point; several rows may have the same key until
 * they are settled (`settle.ts`). No row is without a value.
 */
export interface Points {
  readonly count: number;
  /** What rows are ordered by: a fix time, or asset and fix time in one number. Integers. */
  readonly keys: Float64Array;
  /** Sequence number of the device; -1 = none. */
  readonly seqs: Float64Array;
  /** Unsigned 32-bit payload hash. */
  readonly hashes: Uint32Array;
  /** Number of the project in the catalog. */
  readonly projects: Uint32Array;
  readonly names: readonly string[];
  /** One column per name; `NaN` where a row does not carry the field. */
  readonly columns: readonly Float64Array[];
}

/** A table of `count` rows to be filled in: keys 0, every field absent. */
export function createPoints(count: number, names: readonly string[]): Points {
  return {
    count,
    keys: new Float64Array(count),
    seqs: new Float64Array(count),
    hashes: new Uint32Array(count),
    projects: new Uint32Array(count),
    names,
    columns: names.map(() => new Float64Array(count).fill(Number.NaN)),
  };
}

/** Rows `[start, end)` as views of the same memory. */
export function slicePoints(points: Points, start: number, end: number): Points {
  if (start === 0 && end === points.count) return points;
  return {
    count: end - start,
    keys: points.keys.subarray(start, end),
    seqs: points.seqs.subarray(start, end),
    hashes: points.hashes.subarray(start, end),
    projects: points.projects.subarray(start, end),
    names: points.names,
    columns: points.columns.map((column) => column.subarray(start, end)),
  };
}

/** All rows one after the other, over the union of the names; a single part is returned as it is. */
export function concatPoints(parts: readonly Points[]): Points {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const names = unionOfNames(parts);
  const indexByName = new Map(names.map((name, index) => [name, index]));
  const all = createPoints(
    parts.reduce((sum, part) => sum + part.count, 0),
    names,
  );
  let row = 0;
  for (const part of parts) {
    all.keys.set(part.keys, row);
    all.seqs.set(part.seqs, row);
    all.hashes.set(part.hashes, row);
    all.projects.set(part.projects, row);
    for (const [i, name] of part.names.entries()) {
      const values = part.columns[i];
      const index = indexByName.get(name);
      if (values !== undefined && index !== undefined) all.columns[index]?.set(values, row);
    }
    row += part.count;
  }
  return all;
}

/** Every name of the parts, once, in order of first appearance. */
export function unionOfNames(parts: readonly Points[]): readonly string[] {
  const [first] = parts;
  if (first === undefined) return [];
  if (parts.every((part) => sameNames(part.names, first.names))) return first.names;
  return [...new Set(parts.flatMap((part) => part.names))];
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, i) => name === b[i]));
}

/** The rows in the given order; the order may leave rows out. */
export function reorderPoints(points: Points, order: Uint32Array): Points {
  const pick = <T extends Float64Array | Uint32Array>(from: T, to: T): T => {
    for (let i = 0; i < order.length; i++) to[i] = from[order[i] as number] as number;
    return to;
  };
  const count = order.length;
  return {
    count,
    keys: pick(points.keys, new Float64Array(count)),
    seqs: pick(points.seqs, new Float64Array(count)),
    hashes: pick(points.hashes, new Uint32Array(count)),
    projects: pick(points.projects, new Uint32Array(count)),
    names: points.names,
    columns: points.columns.map((column) => pick(column, new Float64Array(count))),
  };
}
