/**
 * An equality tester for `expect`: `true` of two typed arrays or buffers of one kind that hold the same bytes. Of
 * others `undefined`: vitest then compares value by value, as it does for all without this tester. Same bytes are
 * same values, NaN and -0 included.
 */
export function hasSameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
  if (a.byteLength !== b.byteLength) return undefined;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return undefined;
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 ? true : undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
