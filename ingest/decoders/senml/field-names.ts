import { MAX_NAME_LENGTH, ownFieldName, snakeParts } from "../payload/name-parts.ts";

/** Put before names that would start with a digit or pass for a field with a meaning. */
const PREFIX = "senml_";
/** A device's serial number before its part's name, as in `264437f5000000ed_humidity` (RFC 9039). */
const SERIAL = /^[0-9a-f]{12,16}_(?=.)/;

/** The parts of a SenML name in snake case, without serial numbers. */
export function partsOf(name: string): readonly string[] {
  return snakeParts(name).map((part) => (SERIAL.test(part) ? part.replace(SERIAL, "") : part));
}

/**
 * Names for the values without a meaning of ours, within one pack: the last part of the SenML name. Where
 * several names end alike, it is all parts of each, so that it does not matter which comes first. What is
 * still alike is numbered in the order of the pack.
 */
export class OwnFieldNames {
  /** The SenML name that ends so; `null` where there are several. */
  readonly #nameByLast = new Map<string, string | null>();
  readonly #longByName = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #nextByName = new Map<string, number>();

  /** Makes a name known; all of a pack are, before the first is asked for. */
  add(name: string, last: string): void {
    const known = this.#nameByLast.get(last);
    if (known === undefined) this.#nameByLast.set(last, name);
    else if (known !== name) this.#nameByLast.set(last, null);
  }

  of(name: string, last: string): string {
    if (this.#nameByLast.get(last) === name) return ownFieldName(last, PREFIX);
    const known = this.#longByName.get(name);
    if (known !== undefined) return known;
    const long = this.#unique(ownFieldName(partsOf(name).join("_"), PREFIX));
    this.#longByName.set(name, long);
    return long;
  }

  /** Goes on from the last number, so that a pack of names that are all alike costs no more than another. */
  #unique(name: string): string {
    let unique = name;
    let number = this.#nextByName.get(name) ?? 2;
    while (this.#taken.has(unique) || this.#nameByLast.has(unique)) {
      const suffix = `_${number}`;
      unique = name.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
      number += 1;
    }
    this.#nextByName.set(name, number);
    this.#taken.add(unique);
    return unique;
  }
}
