import type { Failure } from "../../../api/failure.ts";
import { neededNumber, numberText, typedNumber } from "../form/typed-number.ts";
import type { FieldMapping, PayloadMapping, TypeMapping } from "./requests.ts";

/** A field as it is typed. */
export interface FieldForm {
  /** Name that the number is stored under. */
  readonly name: string;
  readonly pointer: string;
  readonly unit: string;
  readonly scale: string;
  readonly offset: string;
  /** JSON: an object of numbers by text; empty: none. */
  readonly values: string;
  /** JSON: an array of what is sent for no value; empty: none. */
  readonly ignore: string;
}

export interface FaultsForm {
  readonly pointer: string;
  readonly spn: string;
  readonly fmi: string;
  readonly count: string;
  readonly source: string;
}

export interface MappingForm {
  readonly type: string;
  readonly readings: string;
  readonly time: string;
  readonly timeUnit: "" | "ms" | "s" | "iso";
  readonly seq: string;
  readonly fields: readonly FieldForm[];
  readonly faults: FaultsForm;
}

export const NEW_FIELD: FieldForm = {
  ...{ name: "", pointer: "", unit: "", scale: "", offset: "", values: "", ignore: "" },
};

const NO_FAULTS: FaultsForm = { pointer: "", spn: "", fmi: "", count: "", source: "" };

export const EMPTY: MappingForm = {
  ...{ type: "", readings: "", time: "", timeUnit: "", seq: "" },
  fields: [NEW_FIELD],
  faults: NO_FAULTS,
};

const fieldFormOf = ([name, rule]: readonly [string, FieldMapping]): FieldForm => ({
  name,
  pointer: rule.pointer,
  unit: rule.unit ?? "",
  scale: numberText(rule.scale),
  offset: numberText(rule.offset),
  values: rule.values === undefined ? "" : JSON.stringify(rule.values),
  ignore: rule.ignore === undefined ? "" : JSON.stringify(rule.ignore),
});

export function formOf({ asset_type, mapping }: TypeMapping): MappingForm {
  const { readings, time, seq, fields, faults } = mapping;
  return {
    type: asset_type,
    readings: readings ?? "",
    time: time?.pointer ?? "",
    timeUnit: time?.unit ?? "",
    seq: seq?.pointer ?? "",
    fields: Object.entries(fields).map(fieldFormOf),
    faults:
      faults === undefined
        ? NO_FAULTS
        : {
            pointer: faults.pointer,
            spn: faults.spn,
            fmi: faults.fmi,
            count: faults.occurrence_count ?? "",
            source: faults.source ?? "",
          },
  };
}

type Problems = NonNullable<Failure["details"]>;

/** A mapping, and what of the form cannot be said in one. */
export interface TypedMapping {
  readonly mapping: PayloadMapping;
  readonly problems: Problems;
}

/** @param notJson What is said of a text that should be JSON and is not. */
export function mappingOf(form: MappingForm, notJson: string, twice: string): TypedMapping {
  const problems: Problems[number][] = [];
  const { readings, time, timeUnit, seq, faults } = form;
  const fields: Record<string, FieldMapping> = {};
  for (const [i, field] of form.fields.entries()) {
    const name = field.name.trim();
    const json = <T>(key: "values" | "ignore"): T | undefined => {
      const text = field[key].trim();
      if (text === "") return undefined;
      try {
        return JSON.parse(text) as T;
      } catch {
        problems.push({ parameter: `fields.${name}.${key}`, message: notJson });
        return undefined;
      }
    };
    if (Object.hasOwn(fields, name)) problems.push({ parameter: `rows.${i}`, message: twice });
    const [values, ignore] = [
      json<NonNullable<FieldMapping["values"]>>("values"),
      json<NonNullable<FieldMapping["ignore"]>>("ignore"),
    ];
    fields[name] = {
      pointer: field.pointer.trim(),
      ...(field.unit.trim() === "" ? {} : { unit: field.unit.trim() }),
      ...(typedNumber(field.scale) === undefined ? {} : { scale: neededNumber(field.scale) }),
      ...(typedNumber(field.offset) === undefined ? {} : { offset: neededNumber(field.offset) }),
      ...(values === undefined ? {} : { values }),
      ...(ignore === undefined ? {} : { ignore }),
    };
  }
  const mapping: PayloadMapping = {
    ...(readings === "" ? {} : { readings }),
    ...(time === ""
      ? {}
      : { time: { pointer: time, ...(timeUnit === "" ? {} : { unit: timeUnit }) } }),
    ...(seq === "" ? {} : { seq: { pointer: seq } }),
    fields,
    ...(Object.values(faults).every((text) => text === "")
      ? {}
      : {
          faults: {
            pointer: faults.pointer,
            spn: faults.spn,
            fmi: faults.fmi,
            ...(faults.count === "" ? {} : { occurrence_count: faults.count }),
            ...(faults.source === "" ? {} : { source: faults.source }),
          },
        }),
  };
  return { mapping, problems };
}

/** A failure of the dry run as one of the mapping, whose fields it names below `mapping`. */
export const asOfMapping = (failure: Failure): Failure =>
  failure.details === undefined
    ? failure
    : {
        ...failure,
        details: failure.details.map(({ parameter, message }) => ({
          parameter: parameter.replace(/^mapping\./, ""),
          message,
        })),
      };
