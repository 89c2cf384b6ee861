import {
  SURFACE_METRICS,
  ZONE_METRICS,
  type ZoneLevel,
  type ZoneMetric,
  type ZoneMetricKind,
  type ZoneStage,
} from "../../../domain/sites/work-zone.ts";
import { kindOf } from "../../schemas/kind-of.ts";
import { invalidParameter } from "../../validation/validation.ts";
import {
  LEVEL_TOP_M,
  MAX_LEVEL_WEIGHT,
  MOST_LEVELS,
  MOST_STAGES,
  TOLERANCE_M,
  ZONE_NAME,
} from "./zone-schemas.ts";

type Fields = Readonly<Record<string, unknown>>;

const ONE_LINE = new RegExp(ZONE_NAME.pattern);
/** Which fields belong to which kinds. */
const FIELDS: Readonly<Record<string, readonly ZoneMetricKind[]>> = {
  tolerance_m: SURFACE_METRICS,
  levels: ["height"],
  stages: ["stages"],
};

/**
 * The metric that a body asks for.
 * @throws ParameterError naming the field, as `metric.levels[2].top_m`.
 */
export function readMetric(metric: unknown): ZoneMetric {
  const fields = readObject(metric, "metric");
  const kind = ZONE_METRICS.find((known) => known === fields["kind"]);
  if (kind === undefined) {
    throw invalidParameter("metric.kind", `must be one of ${ZONE_METRICS.join(", ")}`);
  }
  for (const [field, kinds] of Object.entries(FIELDS)) {
    if (fields[field] !== undefined && !kinds.includes(kind)) {
      const message = `goes with the kind ${kinds.join(", ")}, not with ${kind}`;
      throw invalidParameter(`metric.${field}`, message);
    }
  }
  const tolerance =
    fields["tolerance_m"] === undefined
      ? {}
      : { tolerance_m: readNumber(fields["tolerance_m"], "metric.tolerance_m", TOLERANCE_M) };
  if (kind === "height") return { kind, levels: readLevels(fields["levels"]), ...tolerance };
  if (kind === "stages") return { kind, stages: readStages(fields["stages"]) };
  return kind === "image" || kind === "manual" ? { kind } : { kind, ...tolerance };
}

function readLevels(levels: unknown): readonly ZoneLevel[] {
  const use = "is required for the kind height";
  return readRising(
    levels,
    "metric.levels",
    { min: 1, max: MOST_LEVELS, use },
    (level, at) => ({
      name: readName(level, at),
      top_m: readNumber(level["top_m"], `${at}.top_m`, LEVEL_TOP_M),
      weight:
        level["weight"] === undefined
          ? 1
          : readNumber(level["weight"], `${at}.weight`, { above: 0, max: MAX_LEVEL_WEIGHT }),
    }),
    "top_m",
  );
}

function readStages(stages: unknown): readonly ZoneStage[] {
  const use = "is required for the kind stages";
  return readRising(
    stages,
    "metric.stages",
    { min: 2, max: MOST_STAGES, use },
    (stage, at) => ({
      name: readName(stage, at),
      credit: readNumber(stage["credit"], `${at}.credit`, { min: 0, max: 100 }),
    }),
    "credit",
  );
}

/** A list whose names differ, and whose `by` rises from each to the next. */
function readRising<
  By extends string,
  T extends { readonly name: string } & Readonly<Record<By, number>>,
>(
  list: unknown,
  parameter: string,
  { min, max, use }: { readonly min: number; readonly max: number; readonly use: string },
  readOne: (fields: Fields, parameter: string) => T,
  by: By,
): readonly T[] {
  if (list === undefined) throw invalidParameter(parameter, use);
  if (!Array.isArray(list) || list.length < min || list.length > max) {
    const given = Array.isArray(list) ? `an array of ${list.length}` : kindOf(list);
    throw invalidParameter(parameter, `must be an array of ${min} to ${max}, not ${given}`);
  }
  const read: T[] = [];
  for (const [i, fields] of list.entries()) {
    const at = `${parameter}[${i}]`;
    const one = readOne(readObject(fields, at), at);
    const before = read.at(-1);
    if (before !== undefined && one[by] <= before[by]) {
      throw invalidParameter(`${at}.${by}`, `must rise: ${one[by]} is not above ${before[by]}`);
    }
    if (read.some(({ name }) => name === one.name)) {
      throw invalidParameter(`${at}.name`, "is the name of one before");
    }
    read.push(one);
  }
  return read;
}

function readObject(value: unknown, parameter: string): Fields {
  if (value === undefined) throw invalidParameter(parameter, "is required");
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw invalidParameter(parameter, `must be an object, not ${kindOf(value)}`);
}

function readName(fields: Fields, at: string): string {
  const name = fields["name"];
  const { max } = ZONE_NAME;
  if (typeof name === "string" && name.length >= 1 && name.length <= max && ONE_LINE.test(name)) {
    return name;
  }
  throw invalidParameter(`${at}.name`, `must be a text of 1 to ${max} characters, on one line`);
}

/** A number of `min` to `max`, both inclusive, or above `above`. */
function readNumber(
  value: unknown,
  parameter: string,
  range: { readonly max: number } & ({ readonly min: number } | { readonly above: number }),
): number {
  const isHigh = (number: number) => ("min" in range ? number >= range.min : number > range.above);
  if (typeof value === "number" && isHigh(value) && value <= range.max) return value + 0;
  const bound = "min" in range ? `${range.min} to` : `above ${range.above}, at most`;
  const given = typeof value === "number" ? String(value) : kindOf(value);
  throw invalidParameter(parameter, `must be a number, ${bound} ${range.max}, not ${given}`);
}
