import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * HMAC-SHA-256 of a generated secret under the pepper, 32 bytes. No slow hash: our secrets carry
 * more than 170 random bits, which no dictionary reaches.
 */
export function hashSecret(pepper: Uint8Array, secret: string): Uint8Array {
  return createHmac("sha256", pepper).update(secret, "utf8").digest();
}

/** Whether `secret` has this hash; takes the same time whatever the answer. */
export function isSecretOf(pepper: Uint8Array, secret: string, hash: Uint8Array): boolean {
  const actual = hashSecret(pepper, secret);
  return actual.length === hash.length && timingSafeEqual(actual, hash);
}
