import { crc32 } from "node:zlib";
import { BASE62, randomBase62 } from "../../domain/ids.ts";

/** Says what it is to secret scanners, as GitHub's token prefixes do. */
const PREFIX = "plb_live_";
/** 30 base62 characters are 178 random bits. */
const RANDOM_LENGTH = 30;
/** Six base62 digits hold any CRC-32 (62^6 > 2^32). */
const CHECKSUM_LENGTH = 6;
const KEY = /^plb_live_[0-9A-Za-z]{36}$/;

/** A new key. */
export const newApiKey = (): string => keyOf(randomBase62(RANDOM_LENGTH));

/** The key of 30 random base62 characters: `plb_live_`, they, and their CRC-32 in six base62 digits. */
export const keyOf = (random: string): string => `${PREFIX}${random}${checksum(random)}`;

/**
 * Whether a key is worth a look-up. A key that carries our prefix must have our length and checksum,
 * so that a typing error costs no database round trip; any other text may be the admin key.
 */
export function isPlausibleKey(key: string): boolean {
  if (!key.startsWith(PREFIX)) return key.length > 0;
  if (!KEY.test(key)) return false;
  const random = key.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return key.endsWith(checksum(random));
}

/** The part of a key that lists show: the prefix and 4 of its 30 random characters. */
export function shownPrefix(key: string): string {
  return key.slice(0, PREFIX.length + 4);
}

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = `${BASE62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
