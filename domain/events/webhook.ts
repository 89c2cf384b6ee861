/** Before the base64 text of a signing secret (Standard Webhooks, "Signature scheme"). */
export const SECRET_PREFIX = "whsec_";
/** Bytes in a signing secret: ours have 32; Standard Webhooks takes 24 to 64. */
export const SECRET_BYTES = { made: 32, min: 24, max: 64 } as const;
