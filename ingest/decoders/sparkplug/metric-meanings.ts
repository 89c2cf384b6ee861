import type { FIELD_RANGES } from "../../../domain/equipment/reading.ts";
import { type FieldMeaning, meaningOf } from "../fields/field-meanings.ts";
import { ownFieldName } from "../payload/name-parts.ts";
import { type EngUnit, engUnitOf } from "./eng-units.ts";
import { metricNameParts } from "./metric-name.ts";

/** What a metric's name and unit mean. */
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
/** The one name in snake case that every object has of itself. */
const INHERITED = "constructor";
/** Folders, and first words of names, that say nothing about what is measured. */
const NEUTRAL = new Set([
  ...["gps", "gnss", "position", "location", "telemetry", "data", "sensors", "status", "values"],
  ...["machine", "vehicle", "equipment", "asset", "device", "inputs", "outputs"],
]);
/** First words of a name without folders that are read as its folder: `Engine Coolant Temperature`. */
const SUBJECTS = new Set([...NEUTRAL, "engine"]);
/**
 * Longest name that is remembered, characters. Longer lets made-up names take memory; shorter works out long names
 * each time.
 */
const MAX_REMEMBERED_LENGTH = 128;
/**
 * Names that are remembered; a site's edge nodes have some hundreds of metrics each. More take memory; fewer work
 * out names again.
 */
const MAX_REMEMBERED = 20_000;
/** Texts of units that are remembered. More take memory; fewer work out units again. */
const MAX_UNITS = 1_000;

/** A unit that is sent but unknown. */
const UNKNOWN = Symbol("unknown unit");
type Unit = EngUnit | typeof UNKNOWN | undefined;

const meaningsByUnit = new Map<Unit, Map<string, MetricMeaning>>();
const unitByText = new Map<string, Unit>();
let remembered = 0;

/**
 * Metrics of the protocol itself, no telemetry: what pairs births with deaths, and commands that may be given
 * [tck-id-operational-behavior-data-commands-rebirth-name].
 */
export function isControl(name: string): boolean {
  return name === "bdSeq" || name.startsWith("Node Control/") || name.startsWith("Device Control/");
}

/**
 * What a metric means by its name and the text of its unit, `undefined` for a unit that was not sent: then
 * it is the usual one of the field. Answers are remembered, because a device sends the same names again and
 * again, and finding one takes longer than all else about a metric.
 */
export function metricMeaning(name: string, unitText: string | undefined): MetricMeaning {
  const unit = unitText === undefined ? undefined : unitOf(unitText);
  const known = meaningsByUnit.get(unit)?.get(name);
  if (known !== undefined) return known;
  const meaning = findMeaning(name, unit);
  if (name.length <= MAX_REMEMBERED_LENGTH) remember(name, unit, meaning);
  return meaning;
}

function remember(name: string, unit: Unit, meaning: MetricMeaning): void {
  if (remembered === MAX_REMEMBERED) {
    meaningsByUnit.clear();
    remembered = 0;
  }
  remembered += 1;
  const meanings = meaningsByUnit.get(unit);
  if (meanings === undefined) meaningsByUnit.set(unit, new Map([[name, meaning]]));
  else meanings.set(name, meaning);
}

function unitOf(text: string): Unit {
  const known = unitByText.get(text);
  if (known !== undefined) return known;
  if (text.trim() === "") return undefined;
  const unit = engUnitOf(text) ?? UNKNOWN;
  if (unitByText.size === MAX_UNITS) unitByText.clear();
  unitByText.set(text, unit);
  return unit;
}

function findMeaning(name: string, unit: Unit): MetricMeaning {
  const parts = metricNameParts(name);
  const joined = parts.join("_");
  const ownName = joined === INHERITED ? PREFIX + joined : ownFieldName(joined, PREFIX);
  const own: MetricMeaning = { field: undefined, times: 1, plus: 0, ownName };
  if (unit === UNKNOWN) return own;
  const meaning = meaningOfParts(parts, unit?.unit);
  if (meaning === undefined) return own;
  const [times, plus] = meaning.conversion;
  return {
    field: meaning.field,
    times: times * (unit?.times ?? 1),
    plus: times * (unit?.plus ?? 0) + plus,
    ownName,
  };
}

function meaningOfParts(
  parts: readonly string[],
  unit: string | undefined,
): FieldMeaning | undefined {
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
): FieldMeaning | undefined {
  return NEUTRAL.has(before) ? meaningOf(last, "", unit) : undefined;
}
