import { isUtf8 } from "node:buffer";
import { DomainError } from "../../../domain/errors.ts";
import { exceededBound } from "../../../domain/json-shape.ts";
import { payloadText } from "./payload-text.ts";

/**
 * Deepest nesting of a payload, and the size below which nesting cannot be deep enough to matter.
 * Deeper lets a payload of an attacker take stack; shallower could refuse a wrapper around a payload.
 */
const MAX_DEPTH = 8;
const SMALL_BYTES = 4 * 1024;

/**
 * The JSON of a payload.
 * @throws DomainError `DECODE_FAILED`: no UTF-8, no JSON, or nested deeper than any format is.
 */
export function readJson(payload: Uint8Array): unknown {
  if (
    payload.byteLength > SMALL_BYTES &&
    exceededBound(payload, { depth: MAX_DEPTH }) !== undefined
  ) {
    throw new DomainError("DECODE_FAILED", `nested deeper than ${MAX_DEPTH} levels`);
  }
  const text = payloadText(payload);
  // Decoding replaces bad bytes by U+FFFD silently; only text that has one is checked again.
  if (text.includes("\uFFFD") && !isUtf8(payload)) {
    throw new DomainError("DECODE_FAILED", "not UTF-8 text");
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError("DECODE_FAILED", "payload is not JSON", { cause });
  }
}

/**
 * The JSON object of a payload.
 * @throws DomainError `DECODE_FAILED` as {@link readJson}, and for any other JSON value.
 */
export function readJsonObject(payload: Uint8Array): Readonly<Record<string, unknown>> {
  const value = readJson(payload);
  if (isJsonObject(value)) return value;
  throw new DomainError("DECODE_FAILED", "payload is not a JSON object");
}

/** Whether a JSON value is an object, and so neither null nor an array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
