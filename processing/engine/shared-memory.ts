type Numbers = Uint8Array | Float32Array | Float64Array;

/** A copy on shared memory: it goes to any number of threads without another one. */
export function toShared<T extends Numbers>(values: T): T {
  const Kind = values.constructor as new (buffer: SharedArrayBuffer) => T;
  const copy = new Kind(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}

/** The same object with every array of numbers in it on shared memory. */
export function withShared<T extends object>(value: T): T {
  const entries = Object.entries(value).map(([name, field]: [string, unknown]) => {
    const isNumbers =
      field instanceof Uint8Array || field instanceof Float32Array || field instanceof Float64Array;
    return [name, isNumbers ? toShared(field) : field];
  });
  // Names and kinds of fields are those of `value`.
  return Object.fromEntries(entries) as T;
}
