import { DomainError } from "../../../domain/errors.ts";
import { type FieldMeaning, meaningOf } from "../fields/field-meanings.ts";
import { partsOf } from "./field-names.ts";

/** Most different names of one pack; keeps the work below 5 ms. Chosen: a reading has at most 64 fields. */
const MAX_NAMES = 256;
/** Longest name that is read. Longer makes names of an attacker costly; shorter could refuse a URN. */
const MAX_LENGTH = 256;
/** RFC 8428 section 4.5.1. A name starts with a letter or digit. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9\-:./_]*$/;
const REST_OF_NAME = /^[A-Za-z0-9\-:./_]*$/;
/**
 * Own parts of names that are remembered; devices say the same dozen again and again. More take memory; fewer work
 * out names again.
 */
const MAX_REMEMBERED = 4_096;

/** What the parts of a name say. */
class NameParts {
  readonly last: string;
  /** What comes before it in the record's own name; "" where that is the device's name. */
  readonly before: string;
  #unit: string | undefined;
  #meaning: FieldMeaning | undefined;

  constructor(parts: readonly string[], isOfDevice: boolean) {
    this.last = parts.at(-1) ?? "";
    this.before = isOfDevice ? "" : (parts.at(-2) ?? "");
  }

  /** Its meaning in a unit; the last answer is kept, because a sensor has one unit. */
  meaningIn(unit: string): FieldMeaning | undefined {
    if (this.#unit !== unit) {
      this.#meaning = meaningOf(this.last, this.before, unit);
      this.#unit = unit;
    }
    return this.#meaning;
  }
}

/** One name of a pack: the same object wherever it comes again. */
export interface SenmlName {
  /** Base name and name, joined. */
  readonly full: string;
  /** The base name: what a name says depends on where it is cut. */
  readonly base: string;
  readonly parts: NameParts;
}

/** Own parts of names that packs had, with what they say: taking one apart is most of a record's work. */
const remembered = new Map<string, NameParts>();

/** The names of one pack. */
export class PackNames {
  /** Both only once there are two base names: then a name can be cut in two at several places. */
  #byBase: Map<string, Map<string, SenmlName>> | undefined;
  #byFull: Map<string, SenmlName> | undefined;
  #base: string | undefined;
  #isBaseName = false;
  #ofBase = new Map<string, SenmlName>();
  #count = 0;

  /**
   * The name that a base name and a record's own part make; `undefined` when that is not a name.
   * @throws DomainError `DECODE_FAILED` for more than 256 of them.
   */
  of(base: string, own: string): SenmlName | undefined {
    if (base !== this.#base) this.#turnTo(base);
    const known = this.#ofBase.get(own);
    if (known !== undefined) return known;
    const name = this.#find(base, own);
    if (name !== undefined) this.#ofBase.set(own, name);
    return name;
  }

  #turnTo(base: string): void {
    if (this.#base !== undefined) {
      this.#byFull ??= new Map([...this.#ofBase.values()].map((name) => [name.full, name]));
      this.#byBase ??= new Map([[this.#base, this.#ofBase]]);
      this.#ofBase = this.#byBase.get(base) ?? new Map();
      this.#byBase.set(base, this.#ofBase);
    }
    this.#base = base;
    this.#isBaseName = NAME.test(base);
  }

  #find(base: string, own: string): SenmlName | undefined {
    const full = base + own;
    const known = this.#byFull?.get(full);
    if (known !== undefined) return known;
    // Not of the joined text: putting that together costs more than all the rest.
    const isName = base === "" ? NAME.test(own) : this.#isBaseName;
    const parts = own === "" ? new NameParts(partsOf(full), true) : partsOfOwn(own);
    if (!isName || parts === undefined || full.length > MAX_LENGTH) return undefined;
    if (this.#count === MAX_NAMES) {
      throw new DomainError("DECODE_FAILED", `more than ${MAX_NAMES} different names`);
    }
    this.#count += 1;
    const name = { full, base, parts };
    this.#byFull?.set(full, name);
    return name;
  }
}

/** `undefined` for what no name may have in it. */
function partsOfOwn(own: string): NameParts | undefined {
  const known = remembered.get(own);
  if (known !== undefined) return known;
  if (own.length > MAX_LENGTH || !REST_OF_NAME.test(own)) return undefined;
  if (remembered.size === MAX_REMEMBERED) remembered.clear();
  const parts = new NameParts(partsOf(own), own.startsWith("urn:"));
  remembered.set(own, parts);
  return parts;
}
