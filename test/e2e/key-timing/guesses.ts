import { keyOf, newApiKey } from "../../../api/auth/key-format.ts";
import { randomBase62 } from "../../../domain/ids.ts";

const PREFIX = "plb_live_";
const RANDOM_LENGTH = 30;
/** Characters of a guess that are those of the real key: the rest is new each time, so that none is remembered. */
const GUESSED = 24;

/** A well-formed key that nobody has. */
export const unknownKey = newApiKey;

/** A well-formed key that shares its first 24 of 30 random characters with a real one. */
export function nearKey(real: string): string {
  const guessed = real.slice(PREFIX.length, PREFIX.length + GUESSED);
  return keyOf(guessed + randomBase62(RANDOM_LENGTH - GUESSED));
}

/** As `unknownKey` with a wrong checksum: refused without a look-up, which has to be seen. */
export const malformedKey = (): string => `${PREFIX}${randomBase62(RANDOM_LENGTH)}------`;

/** A text as long as the key of the environment, with nothing in common. */
export const unlike = (adminKey: string): string => randomBase62(adminKey.length);

/** All of the key of the environment but its last six characters. */
export const nearAdmin = (adminKey: string): string => adminKey.slice(0, -6) + randomBase62(6);
