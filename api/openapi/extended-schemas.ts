import { isDeepStrictEqual } from "node:util";
import { type ApiDocument, isObject, type JsonObject } from "./document.ts";

/** A schema that is shorter, characters of JSON, is written out: two fields may be the same by chance. */
const LEAST_LENGTH = 450;
/** What an object's schema may have besides, if it is to be one of two parts. */
const PARTS = new Set(["type", "properties", "required", "description"]);

/** Schemas of several kinds of one thing, by the name that the fields which all of them have are given. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  GeofenceRules: ["NewGeofence", "NewCircleGeofence", "NewCorridorGeofence"],
  PreviewRules: ["PreviewPolygon", "PreviewCircle", "PreviewCorridor"],
  ProgressReportHead: ["ListedProgressReport", "ProgressReport"],
  StockpileFields: ["NewStockpile", "Stockpile"],
};

interface Fields {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

/**
 * Writes a named schema that has all fields of another one as that one and the fields that come in addition, which
 * most generators make a type that extends the other.
 */
export function extendSchemas(document: ApiDocument): void {
  const schemas = document.components["schemas"] ?? {};
  const fieldsByName = new Map(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const fields = fieldsOf(schema);
      return fields === undefined ? [] : [[name, fields] as const];
    }),
  );
  const bases = [...fieldsByName]
    .filter(([name]) => JSON.stringify(schemas[name]).length >= LEAST_LENGTH)
    .sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
  const extendedSchemas = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const fields = fieldsByName.get(name);
      return [name, fields === undefined ? schema : extended(schema, fields, bases)];
    }),
  );
  for (const [name, kinds] of Object.entries(KINDS)) share(extendedSchemas, name, kinds);
  document.components["schemas"] = Object.fromEntries(
    Object.entries(extendedSchemas).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Moves the fields that the schemas of `kinds` have alike to one called `name`, which each of them then extends. */
function share(schemas: JsonObject, name: string, kinds: readonly string[]): void {
  const all = kinds.flatMap((kind) => fieldsOf(schemas[kind]) ?? []);
  const [first, ...others] = all;
  if (first === undefined || all.length < kinds.length) return;
  const isShared = ([field, property]: [string, unknown]) =>
    others.every(
      ({ properties, required }) =>
        isDeepStrictEqual(properties[field], property) &&
        required.includes(field) === first.required.includes(field),
    );
  const properties = Object.fromEntries(Object.entries(first.properties).filter(isShared));
  const required = first.required.filter((field) => field in properties);
  for (const [i, kind] of kinds.entries()) {
    const fields = all[i];
    if (fields !== undefined) schemas[kind] = derived(schemas[kind], fields, name, properties);
  }
  schemas[name] = { type: "object", required, properties };
}

function fieldsOf(schema: unknown): Fields | undefined {
  if (!isObject(schema) || schema["type"] !== "object") return undefined;
  const { properties, required = [] } = schema;
  if (!isObject(properties) || !Object.keys(schema).every((key) => PARTS.has(key)))
    return undefined;
  return { properties, required: required as readonly string[] };
}

const sizeOf = ({ properties }: Fields) => Object.keys(properties).length;

function hasAll(fields: Fields, other: Fields): boolean {
  return (
    Object.entries(other.properties).every(([name, property]) =>
      isDeepStrictEqual(fields.properties[name], property),
    ) &&
    isDeepStrictEqual(
      new Set(fields.required.filter((name) => name in other.properties)),
      new Set(other.required),
    )
  );
}

/** The schema as the largest of `bases` that it has all fields of, and its own; itself where there is none. */
function extended(
  schema: unknown,
  fields: Fields,
  bases: readonly (readonly [name: string, Fields])[],
): unknown {
  const base = bases.find(([, other]) => sizeOf(other) < sizeOf(fields) && hasAll(fields, other));
  if (base === undefined) return schema;
  const [name, { properties }] = base;
  return derived(schema, fields, name, properties);
}

/** The schema as the one called `name`, of which it has the fields `inherited`, and what it has in addition. */
function derived(schema: unknown, fields: Fields, name: string, inherited: JsonObject): JsonObject {
  const { type, description } = isObject(schema) ? schema : {};
  const isOwn = (field: string) => !(field in inherited);
  const required = fields.required.filter(isOwn);
  const own = {
    type,
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(
      Object.entries(fields.properties).filter(([field]) => isOwn(field)),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
  return { allOf: [{ $ref: `#/components/schemas/${name}` }, own] };
}
