import { isDeepStrictEqual } from "node:util";
import { type ApiDocument, isObject, type JsonObject } from "./document.ts";

/** The titles that are names of types: one word in CamelCase. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;
/** Keywords that hold values, in which a `title` is somebody's data. */
const VALUES = new Set(["const", "default", "enum", "example", "examples"]);
/** Keywords that hold schemas by names of the user's own. */
const MAPS = new Set(["properties", "patternProperties", "$defs"]);

/**
 * Moves every schema with a title to `components.schemas` under that title, and leaves a `$ref` in its place, beside
 * which a place may have a description of its own.
 * @throws Error where two schemas that differ have one title.
 */
export function nameSchemas(document: ApiDocument): void {
  const named: Record<string, JsonObject> = {};

  function name(title: string, schema: JsonObject): JsonObject {
    const known = named[title] ?? schema;
    const { description, ...rest } = schema;
    const { description: described, ...knownRest } = known;
    if (!isDeepStrictEqual(knownRest, rest)) {
      throw new Error(`two schemas that differ have the title ${title}`);
    }
    const reference = { $ref: `#/components/schemas/${title}` };
    // The schemas of parameters have none: the plugin takes it out.
    const isDescribed = described !== undefined;
    named[title] = isDescribed ? known : schema;
    return isDescribed && description !== undefined && description !== described
      ? { ...reference, description }
      : reference;
  }

  function walk(value: unknown, isMap = false): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (!isObject(value)) return value;
    const { title, ...rest } = value;
    const isNamed = !isMap && typeof title === "string" && NAME.test(title);
    const walked = Object.fromEntries(
      Object.entries(isNamed ? rest : value).map(([key, inner]) => [
        key,
        !isMap && VALUES.has(key)
          ? inner
          : asAddress(isMap ? key : "", walk(inner, !isMap && MAPS.has(key))),
      ]),
    );
    return isNamed ? name(title, typed(walked)) : nullable(typed(walked));
  }

  for (const [key, schema] of Object.entries(document.components["schemas"] ?? {})) {
    if (isObject(schema)) walk({ ...schema, title: key });
  }
  document.paths = walk(document.paths) as ApiDocument["paths"];
  document.components["schemas"] = Object.fromEntries(
    Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** A plain type or null as JSON Schema writes it shortest: with two types. */
function nullable(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [type, other] = anyOf as [JsonObject, JsonObject];
  const isPlain = typeof type["type"] === "string" && !("enum" in type);
  if (!isPlain || !isDeepStrictEqual(other, { type: "null" })) return schema;
  return { ...type, ...rest, type: [type["type"], "null"] };
}

/** A text whose name says that it is an address is a URI; routes validate it themselves, and name what is wrong. */
function asAddress(name: string, schema: unknown): unknown {
  if (!/(^|_)url$/.test(name) || !isObject(schema) || "format" in schema) return schema;
  const types: readonly unknown[] = [schema["type"]].flat();
  return types.includes("string") ? { ...schema, format: "uri" } : schema;
}

/**
 * What generators need and miss: the type of an `enum`, without which they make nothing of it; and no boolean as a
 * schema, which some refuse and which `maxItems` says as well.
 */
function typed(schema: JsonObject): JsonObject {
  const { items, ...rest } = schema;
  const { enum: values, maxItems, prefixItems } = schema;
  if (items === false && Array.isArray(prefixItems) && prefixItems.length === maxItems) return rest;
  const isText = Array.isArray(values) && values.every((value) => typeof value === "string");
  return isText && schema["type"] === undefined ? { type: "string", ...schema } : schema;
}
