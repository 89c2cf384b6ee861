type Numbers = Uint8Array | Int32Array | Float32Array | Float64Array;

/** A copy on shared memory: it goes to any number of threads without another one. */
export function toShared<T extends Numbers>(values: T): T {
  const Kind = values.constructor as new (buffer: SharedArrayBuffer) => T;
  const copy = new Kind(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}

/** The same value with every array of numbers in it, at any depth, on shared memory. */
export function withShared<T>(value: T): T {
  // Names and kinds of fields are those of `value`.
  return sharedOf(value) as T;
}

function sharedOf(value: unknown): unknown {
  if (isNumbers(value)) return value.buffer instanceof SharedArrayBuffer ? value : toShared(value);
  if (Array.isArray(value)) return value.map(sharedOf);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, sharedOf(field)]));
}

function isNumbers(value: unknown): value is Numbers {
  return (
    value instanceof Uint8Array ||
    value instanceof Int32Array ||
    value instanceof Float32Array ||
    value instanceof Float64Array
  );
}
