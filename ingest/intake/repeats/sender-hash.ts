import { hashSecret } from "../../../domain/platform/secret-hash.ts";

/**
 * Identifies the sender of a message that comes again: unsigned 32 bits of an HMAC under the pepper. A plain
 * hash can be steered: a client that may choose a client id or a key could find one with the hash of another
 * tenant's. The other's next message would then be taken for a stored one.
 * @param name begins with the kind of name (`client/`, `http/`) and the asset, so that none is another's
 */
export function senderHash(pepper: Uint8Array, name: string): number {
  return Buffer.from(hashSecret(pepper, name)).readUInt32BE(0);
}
