import { createHmac, randomBytes } from "node:crypto";
import { SECRET_BYTES, SECRET_PREFIX } from "../../../domain/events/webhook.ts";

/** A new signing secret, `whsec_` and 32 random bytes as base64. */
export const newSigningSecret = (): string =>
  `${SECRET_PREFIX}${randomBytes(SECRET_BYTES.made).toString("base64")}`;

/** The key in a signing secret, or `undefined` for text that is not one. */
export function signingKey(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(SECRET_PREFIX)) return undefined;
  const text = secret.slice(SECRET_PREFIX.length);
  const key = Buffer.from(text, "base64");
  const isWhole = key.toString("base64") === text;
  return isWhole && key.length >= SECRET_BYTES.min && key.length <= SECRET_BYTES.max
    ? key
    : undefined;
}

/**
 * The three headers of Standard Webhooks 1.0. The signature covers id, time and body; during a
 * rotation there is one signature per key, and the receiver takes the one that it knows.
 */
export function signedHeaders(
  message: { readonly id: string; readonly body: string },
  atMs: number,
  keys: readonly Uint8Array[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestampS = Math.floor(atMs / 1000);
  const signed = `${message.id}.${timestampS}.${message.body}`;
  const signatures = keys.map(
    (key) => `v1,${createHmac("sha256", key).update(signed, "utf8").digest("base64")}`,
  );
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": signatures.join(" "),
  };
}
