import { DomainError } from "../../../domain/errors.ts";

/**
 * Most parameters of a query; far beyond the 64 fields of a reading. More make a request costly; fewer could
 * refuse a client with many attributes.
 */
const MAX_PARAMETERS = 256;

/**
 * The names and values of a query string or form body in its order, decoded; a name without `=` has an
 * empty value.
 * @throws DomainError `DECODE_FAILED`: too many of them, or bad percent-encoding.
 */
export function readQuery(query: string): readonly (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  // Searched once: most queries of trackers have nothing that is encoded.
  const read = query.includes("%") || query.includes("+") ? decoded : plain;
  for (let at = 0; at < query.length; ) {
    const next = query.indexOf("&", at);
    const end = next < 0 ? query.length : next;
    if (end > at) {
      const pair = query.slice(at, end);
      const equals = pair.indexOf("=");
      if (equals < 0) pairs.push([read(pair), ""]);
      else pairs.push([read(pair.slice(0, equals)), read(pair.slice(equals + 1))]);
      if (pairs.length > MAX_PARAMETERS) {
        throw new DomainError("DECODE_FAILED", `more than ${MAX_PARAMETERS} parameters`);
      }
    }
    at = end + 1;
  }
  return pairs;
}

const plain = (text: string): string => text;

function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (cause) {
    throw new DomainError("DECODE_FAILED", "not percent-encoded UTF-8", { cause });
  }
}
