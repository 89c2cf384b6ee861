import { DomainError } from "../../../../domain/errors.ts";
import { crc32 } from "../../../disk/crc32.ts";

const CRC_BYTES = 4;

/** The value with a CRC-32 of the key and itself behind it. */
export function withCrc(key: Uint8Array, value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(value.length + CRC_BYTES);
  bytes.set(value);
  new DataView(bytes.buffer).setUint32(value.length, crcOf(key, value), true);
  return bytes;
}

/** Whether the bytes are what `withCrc` made for this key. */
export function hasCrc(key: Uint8Array, bytes: Uint8Array): boolean {
  if (bytes.length < CRC_BYTES) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = bytes.length - CRC_BYTES;
  return view.getUint32(at, true) === crcOf(key, bytes.subarray(0, at));
}

/** @throws DomainError `STORE_DAMAGED` when it is not what `withCrc` made for this key. */
export function withoutCrc(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (hasCrc(key, bytes)) return bytes.subarray(0, bytes.length - CRC_BYTES);
  throw new DomainError("STORE_DAMAGED", "an entry of a telemetry file is damaged");
}

const crcOf = (key: Uint8Array, value: Uint8Array): number =>
  crc32(value, 0, value.length, crc32(key, 0, key.length, 0));
