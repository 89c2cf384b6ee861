import { PLAIN_FIELDS } from "../fields/plain-reading.ts";

/** Numbers of members that are not fields; they follow those of the fields. */
export const MEMBER = { timestamp: PLAIN_FIELDS.length, seq: PLAIN_FIELDS.length + 1 } as const;

/** A power of two, some ten times the names: each is found at its first place or the one behind it. */
const PLACES = 512;

/** Start value of {@link nextNameHash}. */
export const NAME_HASH = 7;

/** The hash of a name with one byte more. */
export const nextNameHash = (hash: number, byte: number): number =>
  (Math.imul(hash, 31) + byte) | 0;

interface Known {
  readonly bytes: Uint8Array;
  readonly member: number;
}

const known: (Known | undefined)[] = new Array<Known | undefined>(PLACES).fill(undefined);
const placeOf = (hash: number): number => (hash ^ (hash >>> 11)) & (PLACES - 1);

for (const [member, name] of [...PLAIN_FIELDS, ...Object.keys(MEMBER)].entries()) {
  const bytes = Uint8Array.from(Buffer.from(name));
  let place = placeOf(bytes.reduce(nextNameHash, NAME_HASH));
  while (known[place] !== undefined) place = (place + 1) & (PLACES - 1);
  known[place] = { bytes, member };
}

/** The number of the member whose name lies in `bytes[start, end)` and has that hash; -1: none that is read plainly. */
export function memberOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
  for (let place = placeOf(hash); ; place = (place + 1) & (PLACES - 1)) {
    const found = known[place];
    if (found === undefined) return -1;
    if (isName(found.bytes, bytes, start, end)) return found.member;
  }
}

function isName(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i += 1) if (name[i] !== bytes[start + i]) return false;
  return true;
}
