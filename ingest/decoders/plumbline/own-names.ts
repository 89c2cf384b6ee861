import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";
import { nearestName } from "../../../domain/nearest-name.ts";
import { MissingHalfSearch } from "../fields/half-position.ts";

/** Keys of our JSON that are not numeric fields. */
const STRUCTURAL_NAMES = ["timestamp", "seq", "fault_codes", "engine_on", "is_historical"];
export const STRUCTURAL: ReadonlySet<string> = new Set(STRUCTURAL_NAMES);

/** What a name of our JSON means that is not the name of a field itself. */
interface OtherName {
  /** The field that it means; `undefined`: it is a name of the device's own. */
  readonly field: "latitude" | "longitude" | undefined;
  /** The known name that it is probably a misspelling of. */
  readonly nearest: string | undefined;
}

/** Short names that our JSON takes for a position. */
export const POSITION_NAMES: ReadonlyMap<string, OtherName> = new Map([
  ["lat", { field: "latitude", nearest: undefined }],
  ["lon", { field: "longitude", nearest: undefined }],
  ["lng", { field: "longitude", nearest: undefined }],
  ["long", { field: "longitude", nearest: undefined }],
]);
/** Other words for a known name, which no edit distance finds. They are not read: their unit is not known. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ["time", "timestamp"],
  ["ts", "timestamp"],
  ["datetime", "timestamp"],
  ["fix_time", "timestamp"],
  ["gps_time", "timestamp"],
  ["ignition", "engine_on"],
  ["course", "heading"],
  ["bearing", "heading"],
  ["rpm", "engine_speed_rpm"],
  ["sat", "satellites"],
  ["sats", "satellites"],
]);
/** What follows a quantity in the name of a field. */
const UNIT = /_(?:kmh|meters|percent|c|kpa|km|kg|lph|liters|rpm)$/;
const KNOWN = [...new Set([...Object.keys(FIELD_RANGES), ...STRUCTURAL_NAMES])];
/** Known names by what is left of them without their unit: `speed` says nothing of km/h. */
const NAME_WITHOUT_UNIT: ReadonlyMap<string, string> = new Map(
  KNOWN.filter((name) => UNIT.test(name)).map((name) => [name.replace(UNIT, ""), name]),
);
/**
 * Names that are remembered, because devices send the same dozen again and again and finding the nearest takes
 * 30 times as long as a reading. More would let made-up names cost memory, about 200 bytes each.
 */
const MAX_REMEMBERED = 4_096;
/**
 * Names of one message that are compared, counted each time they come. More would find a misspelling that
 * only a late reading of a batch has; fewer keeps a message of 20,000 made-up names below 2 ms.
 */
const MAX_SEARCHES = 256;
/** Longest name that is compared, characters; longer ones are not field names. */
const MAX_LENGTH = 64;

const NOT_KNOWN: OtherName = { field: undefined, nearest: undefined };
const remembered = new Map<string, OtherName>();

/** How many names of a message are still compared with the known ones. */
export class NameSearch {
  readonly halves = new MissingHalfSearch();
  #left = MAX_SEARCHES;

  /** Whether a name that is neither a field's nor structural is the device's own and needs no remark. */
  isOwn(name: string): boolean {
    return this.of(name) === NOT_KNOWN;
  }

  /** What a name that is neither a field's nor structural means. */
  of(name: string): OtherName {
    const field = POSITION_NAMES.get(name);
    if (field !== undefined) return field;
    if (this.#left === 0) return NOT_KNOWN;
    this.#left -= 1;
    return otherName(name);
  }
}

/** Pure; answers are remembered. */
function otherName(name: string): OtherName {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (name.length > MAX_LENGTH) return NOT_KNOWN;
  const nearest = nearestKnown(name);
  const found = nearest === undefined ? NOT_KNOWN : { field: undefined, nearest };
  if (remembered.size === MAX_REMEMBERED) remembered.clear();
  remembered.set(name, found);
  return found;
}

function nearestKnown(name: string): string | undefined {
  const plain = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  const word =
    OTHER_WORDS.get(plain) ?? NAME_WITHOUT_UNIT.get(plain) ?? POSITION_NAMES.get(plain)?.field;
  return word ?? nearestName(name, KNOWN);
}
