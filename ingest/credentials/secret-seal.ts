import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts secrets that are needed in the clear, for the store, and decrypts them. */
export interface SecretSeal {
  /** Encrypts a secret of one record, such as a webhook. */
  seal(ownerId: string, secret: string): Uint8Array;
  /** @throws Error when it was sealed under another pepper or for another record, or was changed. */
  open(ownerId: string, sealed: Uint8Array): string;
}

/** First byte of what is sealed, so that another scheme can follow. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
/** What keys are derived for, so that each is apart from any other of the pepper (RFC 5869, `info`). */
const KEY_PURPOSES = {
  webhooks: "plumbline webhook secrets",
  fleetSources: "plumbline fleet source secrets",
  forwarders: "plumbline forwarder secrets",
} as const;

/**
 * AES-256-GCM under a key derived from the pepper with HKDF-SHA-256. Signing, and logging in elsewhere,
 * need the secret itself, so a hash would not do; a copy of the database alone reveals nothing. Layout:
 * version, nonce (12), tag (16), ciphertext. The owner's id is authenticated with it: a secret moved to
 * another row does not open.
 */
export function createSecretSeal(
  pepper: Uint8Array,
  purpose: keyof typeof KEY_PURPOSES,
): SecretSeal {
  const key = new Uint8Array(hkdfSync("sha256", pepper, "", KEY_PURPOSES[purpose], 32));
  return {
    seal(ownerId, secret) {
      // Random nonces are safe for 2^32 secrets under one key (NIST SP 800-38D section 8.3).
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(ownerId));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), text]);
    },
    open(ownerId, sealed) {
      if (sealed[0] !== VERSION || sealed.length < HEADER_BYTES) {
        throw new Error("not a sealed secret");
      }
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const cipher = createDecipheriv("aes-256-gcm", key, nonce)
        .setAAD(Buffer.from(ownerId))
        .setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES));
      const text = Buffer.concat([cipher.update(sealed.subarray(HEADER_BYTES)), cipher.final()]);
      return text.toString("utf8");
    },
  };
}
