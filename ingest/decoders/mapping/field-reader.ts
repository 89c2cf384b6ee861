import { conversionTo } from "../../../domain/equipment/field-units.ts";
import type { FieldMapping } from "../../../domain/equipment/payload-mapping.ts";
import { looseDegrees } from "../fields/degrees.ts";
import type { FieldSet } from "../fields/field-set.ts";
import { isUnavailableText } from "../fields/unavailable.ts";
import { looseBoolean } from "../payload/loose-boolean.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { withoutDust } from "./significant-digits.ts";

/**
 * Most characters of a device's text that an error shows. More fills the quarantine with payload; less may not
 * show what is wrong.
 */
const SHOWN = 40;

/**
 * The number of a field in the unit of its name; `undefined`: the device says that it has none, or it is
 * noted in `fields` as suspect.
 * @throws DomainError `DECODE_FAILED`, through `fields`, for a coordinate that is not a number
 */
type FieldReader = (raw: unknown, fields: FieldSet) => number | undefined;

/** What a mapping says of one field, made ready. */
export function compileField(name: string, mapping: FieldMapping): FieldReader {
  const values = mapping.values && new Map(Object.entries(mapping.values));
  const ignored = mapping.ignore && new Set<unknown>(mapping.ignore);
  const isDegrees = name === "latitude" || name === "longitude";
  const plain = name === "engine_on" ? readYesOrNo : isDegrees ? looseDegrees : readNumber;
  const convert = converter(name, mapping);
  return (raw, fields) => {
    if (raw === null || ignored?.has(raw)) return undefined;
    const coded = values && typeof raw !== "object" ? values.get(String(raw)) : undefined;
    const number = coded ?? plain(raw);
    if (number === undefined) return doubt(name, raw, unreadable(mapping, name), fields);
    // 65535 means no value as the text "65535" too.
    if (ignored?.has(number) && coded === undefined) return undefined;
    const value = convert === undefined ? number : withoutDust(convert(number));
    if (Number.isFinite(value)) return value;
    return doubt(name, raw, "too large for its scale", fields);
  };
}

const readNumber = (raw: unknown): number | undefined =>
  typeof raw === "boolean" ? Number(raw) : looseNumber(raw);

function readYesOrNo(raw: unknown): number | undefined {
  const isOn = looseBoolean(raw);
  return isOn === undefined ? undefined : Number(isOn);
}

/** `undefined`: the number is taken as it is. */
function converter(
  name: string,
  { unit, scale = 1, offset = 0 }: FieldMapping,
): ((number: number) => number) | undefined {
  const [times, plus] = (unit === undefined ? undefined : conversionTo(name, unit)) ?? [1, 0];
  if (scale === 1 && offset === 0 && times === 1 && plus === 0) return undefined;
  if (offset === 0 && plus === 0) return (number) => number * scale * times;
  return (number) => (number * scale + offset) * times + plus;
}

/** A place that cannot be read takes the reading with it; any other value is noted. */
function doubt(name: string, raw: unknown, problem: string, fields: FieldSet): undefined {
  if (name === "latitude" || name === "longitude") {
    if (typeof raw === "string" && isUnavailableText(raw)) return undefined;
    throw fields.failure(`${name}: ${shown(raw)} is ${problem}`);
  }
  fields.suspect(name, raw, problem);
  return undefined;
}

function unreadable({ pointer, values }: FieldMapping, name: string): string {
  const kind = name === "engine_on" ? "neither yes nor no" : "no number";
  const unlisted = values === undefined ? "" : ", and not in values";
  return `${kind}${unlisted}, at "${pointer}"`;
}

function shown(raw: unknown): string {
  if (typeof raw === "string") return JSON.stringify(raw.slice(0, SHOWN));
  if (typeof raw !== "object") return String(raw);
  return Array.isArray(raw) ? "an array" : "an object";
}
