import type { FIELD_RANGES } from "../../../domain/reading.ts";
import { meaningOf } from "../field-meanings.ts";
import { ownFieldName, snakeParts } from "../name-parts.ts";
import { engUnitOf } from "./eng-units.ts";

/** What a metric's name and unit stand for. */
export interface MetricMeaning {
  /** The field of ours; `undefined`: none, the value is kept under `ownName`. */
  readonly field: (keyof typeof FIELD_RANGES & string) | undefined;
  /** A value becomes one of the field: times this ... */
  readonly times: number;
  /** ... plus this. */
  readonly plus: number;
  /** The whole name, folders and all, as a name of the device's own. */
  readonly ownName: string;
}

/** Put before own names that would start with a digit or pass for a field with a meaning. */
const PREFIX = "sparkplug_";
/** Longest part of a name that is looked at, characters; the end tells more than the beginning. Chosen. */
const MAX_NAME = 128;
/** Folders, and first words of names, that say nothing about what is measured. */
const NEUTRAL = new Set([
  ...["gps", "gnss", "position", "location", "telemetry", "data", "sensors", "status", "values"],
  ...["machine", "vehicle", "equipment", "asset", "device", "inputs", "outputs"],
]);
/** First words of a name without folders that are read as its folder: `Engine Coolant Temperature`. */
const SUBJECTS = new Set([...NEUTRAL, "engine"]);
/** Names that are remembered; a site's edge nodes have some hundreds of metrics each. Chosen. */
const MAX_REMEMBERED = 20_000;

const meaningsByUnit = new Map<string | undefined, Map<string, MetricMeaning>>();
let remembered = 0;

/** Metrics of the protocol itself (specification sections 6.4.9 and 6.4.12): no telemetry. */
export function isControl(name: string): boolean {
  return name === "bdSeq" || name.startsWith("Node Control/") || name.startsWith("Device Control/");
}

/**
 * What a metric stands for by its name and the text of its unit, `undefined` for a unit that nobody said:
 * then it is the usual one of the field. The same answers are remembered, because a device says the same
 * names again and again, and this takes longer than all else about a metric.
 */
export function metricMeaning(name: string, unit: string | undefined): MetricMeaning {
  let meanings = meaningsByUnit.get(unit);
  const known = meanings?.get(name);
  if (known !== undefined) return known;
  const meaning = findMeaning(name.slice(-MAX_NAME), unit);
  if (name.length > MAX_NAME) return meaning;
  if (remembered === MAX_REMEMBERED) {
    meaningsByUnit.clear();
    meanings = undefined;
    remembered = 0;
  }
  if (meanings === undefined) {
    meanings = new Map();
    meaningsByUnit.set(unit, meanings);
  }
  meanings.set(name, meaning);
  remembered += 1;
  return meaning;
}

function findMeaning(name: string, unit: string | undefined): MetricMeaning {
  const parts = snakeParts(inAscii(name).replace(/[^A-Za-z0-9/:.-]+/g, "_"))
    .map((part) => part.replace(/^_+|_+$/g, ""))
    .filter((part) => part !== "");
  const joined = parts.join("_");
  const ownName = joined in Object.prototype ? PREFIX + joined : ownFieldName(joined, PREFIX);
  const own: MetricMeaning = { field: undefined, times: 1, plus: 0, ownName };
  // A text that is no unit, such as "-" or "n/a", is a unit that is not known.
  const said = unit === undefined || unit.trim() === "" ? undefined : engUnitOf(unit);
  if (unit !== undefined && unit.trim() !== "" && said === undefined) return own;
  const meaning = meaningOfParts(parts, said?.unit);
  if (meaning === undefined) return own;
  const [times, plus] = meaning.conversion;
  return {
    field: meaning.field,
    times: times * (said?.times ?? 1),
    plus: times * (said?.plus ?? 0) + plus,
    ownName,
  };
}

function meaningOfParts(
  parts: readonly string[],
  unit: string | undefined,
): ReturnType<typeof meaningOf> {
  const last = parts.at(-1) ?? "";
  const before = parts.at(-2) ?? "";
  const meaning = meaningOf(last, before, unit) ?? withoutNeutral(last, before, unit);
  if (meaning !== undefined) return meaning;
  const end = last.indexOf("_");
  const subject = last.slice(0, Math.max(0, end));
  if (!SUBJECTS.has(subject)) return undefined;
  const rest = last.slice(end + 1);
  return meaningOf(rest, subject, unit) ?? withoutNeutral(rest, subject, unit);
}

function withoutNeutral(
  last: string,
  before: string,
  unit: string | undefined,
): ReturnType<typeof meaningOf> {
  return NEUTRAL.has(before) ? meaningOf(last, "", unit) : undefined;
}

/** Letters without their accents; those of other scripts by their number, so that no name is lost. */
function inAscii(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^ -~]/gu, (char) =>
      /[\p{L}\p{N}]/u.test(char) ? `u${char.codePointAt(0)?.toString(16)}` : " ",
    );
}
