import { type Static, Type } from "typebox";
import { conversionTo, unitsOf } from "./field-units.ts";
import { MAX_POINTER_LENGTH, parsePointer } from "./json-pointer.ts";
import { FIELD_NAME, MAX_FIELDS } from "./reading.ts";

/**
 * Largest mapping as JSON, bytes. Every process holds all mappings; a smaller bound would refuse large
 * translation tables.
 */
const MAX_MAPPING_BYTES = 64 * 1024;
/** Most entries of `values` and of `ignore`, and the longest text of one. They bound what one message costs. */
const MAX_VALUES = 100;
const MAX_IGNORED = 32;
const MAX_TEXT = 100;
/** Most problems that are listed at once; the schema's own check stops there as well. */
const MAX_PROBLEMS = 8;

const STRICT = { additionalProperties: false } as const;

const Pointer = Type.String({
  maxLength: MAX_POINTER_LENGTH,
  title: "JsonPointer",
  description:
    'JSON Pointer (RFC 6901) from the reading, such as "/gps/lat" or "/location/coordinates/0"; with "#" before it, from the whole message',
  examples: ["/gps/lat", "#/header/time"],
});

const FieldMapping = Type.Object(
  {
    pointer: Pointer,
    unit: Type.Optional(
      Type.String({
        maxLength: 16,
        description: "Unit of the device's number; default: that of the field's name",
        examples: ["m/s", "degF", "psi"],
      }),
    ),
    scale: Type.Optional(
      Type.Number({ description: "number = what the device sent x scale + offset, in `unit`" }),
    ),
    offset: Type.Optional(Type.Number()),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description: "Numbers that texts, codes, true and false mean, before scale and offset",
        examples: [{ on: 1, off: 0 }],
      }),
    ),
    ignore: Type.Optional(
      Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: MAX_TEXT })]), {
        maxItems: MAX_IGNORED,
        description: "What the device sends when it has no value",
        examples: [[-1, 65535, "n/a"]],
      }),
    ),
  },
  { title: "FieldMapping", ...STRICT },
);
export type FieldMapping = Static<typeof FieldMapping>;

/** How a time is written; `undefined`: epoch ms, or ISO 8601. */
const TIME_UNITS = ["ms", "s", "iso"] as const;

/**
 * How the JSON payloads of a type of asset become readings, for devices that no decoder foresaw. Sound when
 * {@link mappingProblems} finds nothing.
 */
export const PayloadMapping = Type.Object(
  {
    readings: Type.Optional(
      Type.String({
        maxLength: MAX_POINTER_LENGTH,
        description:
          "JSON Pointer to the array of readings, or to the one reading; default: the whole message",
      }),
    ),
    time: Type.Optional(
      Type.Object(
        {
          pointer: Pointer,
          unit: Type.Optional(
            Type.Enum([...TIME_UNITS], {
              description: "Default: epoch ms as number or digits, or ISO 8601",
            }),
          ),
        },
        STRICT,
      ),
    ),
    seq: Type.Optional(
      Type.Object({ pointer: Pointer }, { description: "A counter of readings", ...STRICT }),
    ),
    fields: Type.Record(Type.String(), FieldMapping, {
      description: "By the name that the number is stored under",
    }),
    faults: Type.Optional(
      Type.Object(
        {
          pointer: Pointer,
          spn: Pointer,
          fmi: Pointer,
          occurrence_count: Type.Optional(Pointer),
          source: Type.Optional(Pointer),
        },
        {
          description: "An array of J1939 fault codes; the other pointers begin at each of them",
          ...STRICT,
        },
      ),
    ),
  },
  { title: "PayloadMapping", ...STRICT },
);
export type PayloadMapping = Static<typeof PayloadMapping>;

/** What is wrong with a mapping; `parameter` is the path inside it, "" for the whole. */
interface MappingProblem {
  readonly parameter: string;
  readonly message: string;
}

/** Names that are something else of a reading. */
const NOT_FIELDS: ReadonlyMap<string, string> = new Map([
  ["timestamp", "time"],
  ["seq", "seq"],
  ["fault_codes", "faults"],
]);

/**
 * The rules of a mapping that its schema cannot say: everything that can be known without a payload. Empty
 * for a sound mapping; at most the first eight.
 */
export function mappingProblems(mapping: PayloadMapping): readonly MappingProblem[] {
  const { readings, time, seq, faults, fields } = mapping;
  const names = Object.keys(fields);
  const bytes = Buffer.byteLength(JSON.stringify(mapping));
  const problems = [
    ...(bytes > MAX_MAPPING_BYTES
      ? [{ parameter: "", message: `has ${bytes} bytes; ${MAX_MAPPING_BYTES} are allowed` }]
      : []),
    ...(readings === undefined ? [] : pointerProblems("readings", readings)),
    ...pointersOf("time", time),
    ...pointersOf("seq", seq),
    ...pointersOf("faults", faults),
    ...(names.length > MAX_FIELDS || (names.length === 0 && faults === undefined)
      ? [
          {
            parameter: "fields",
            message: `has ${names.length} fields; 1 to ${MAX_FIELDS} are allowed`,
          },
        ]
      : []),
    ...names.slice(0, MAX_FIELDS).flatMap((name) => fieldProblems(name, fields[name])),
    ...halfPosition(names),
  ];
  return problems.slice(0, MAX_PROBLEMS);
}

function pointersOf(
  place: string,
  pointers: Readonly<Record<string, string>> | undefined,
): readonly MappingProblem[] {
  return Object.entries(pointers ?? {})
    .filter(([name]) => name !== "unit")
    .flatMap(([name, pointer]) => pointerProblems(`${place}.${name}`, pointer));
}

function pointerProblems(parameter: string, text: string): readonly MappingProblem[] {
  const parsed = parsePointer(text);
  return "problem" in parsed ? [{ parameter, message: parsed.problem }] : [];
}

function fieldProblems(name: string, field: FieldMapping | undefined): readonly MappingProblem[] {
  const parameter = `fields.${name.slice(0, 64)}`;
  const place = NOT_FIELDS.get(name);
  if (place !== undefined) return [{ parameter, message: `is not a number; use "${place}"` }];
  // `constructor` is a well-formed name too, and every object answers to it.
  if (!FIELD_NAME.test(name) || name in Object.prototype || field === undefined) {
    const message = "must be a letter followed by up to 63 letters, digits and _";
    return [{ parameter, message }];
  }
  return [
    ...pointerProblems(`${parameter}.pointer`, field.pointer),
    ...(name === "engine_on"
      ? engineProblems(parameter, field)
      : unitProblems(parameter, name, field)),
    ...(field.scale === 0 ? [{ parameter: `${parameter}.scale`, message: "must not be 0" }] : []),
    ...valueProblems(`${parameter}.values`, field.values ?? {}),
  ];
}

function unitProblems(
  parameter: string,
  name: string,
  { unit }: FieldMapping,
): readonly MappingProblem[] {
  if (unit === undefined || conversionTo(name, unit) !== undefined) return [];
  const units = unitsOf(name);
  const message =
    units === undefined
      ? "cannot be given, because the field's name says no unit; use scale and offset"
      : `must be one of ${Object.keys(units).join(", ")}`;
  return [{ parameter: `${parameter}.unit`, message }];
}

/** Whether the engine runs is yes or no: nothing to convert. */
function engineProblems(parameter: string, field: FieldMapping): readonly MappingProblem[] {
  const given = (["unit", "scale", "offset"] as const).filter((key) => field[key] !== undefined);
  return [
    ...given.map((key) => ({
      parameter: `${parameter}.${key}`,
      message: "cannot be given, because engine_on is 0 or 1; use values",
    })),
    ...Object.entries(field.values ?? {})
      .filter(([, number]) => number !== 0 && number !== 1)
      .map(([text]) => ({
        parameter: `${parameter}.values.${text.slice(0, MAX_TEXT)}`,
        message: "must be 0 or 1",
      })),
  ];
}

function valueProblems(
  parameter: string,
  values: Readonly<Record<string, number>>,
): readonly MappingProblem[] {
  const texts = Object.keys(values);
  if (texts.length > MAX_VALUES) {
    return [{ parameter, message: `has ${texts.length} entries; ${MAX_VALUES} are allowed` }];
  }
  // The schema's check of what a text means passes over texts with line ends.
  const odd = texts.some((text) => text.length > MAX_TEXT || /\p{Cc}/u.test(text));
  const message = `must have texts of at most ${MAX_TEXT} characters without control characters`;
  return odd ? [{ parameter, message }] : [];
}

function halfPosition(names: readonly string[]): readonly MappingProblem[] {
  const missing = ["latitude", "longitude"].filter((name) => !names.includes(name));
  if (missing.length !== 1) return [];
  const message = "is required: latitude and longitude go together";
  return [{ parameter: `fields.${missing[0]}`, message }];
}
