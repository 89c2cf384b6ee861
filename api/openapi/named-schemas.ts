import { isDeepStrictEqual } from "node:util";
import { type ApiDocument, isObject, type JsonObject } from "./document.ts";

/** The titles that are names of types: one word in CamelCase. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;
/** Keywords that hold values, in which a `title` is somebody's data. */
const VALUES = new Set(["const", "default", "enum", "example", "examples"]);
/** Keywords that hold schemas by names of the user's own. */
const MAPS = new Set(["properties", "patternProperties", "$defs"]);

/**
 * Moves every schema with a title to `components.schemas` under that title, and leaves a `$ref` in its place.
 * @throws Error where two schemas that differ have one title.
 */
export function nameSchemas(document: ApiDocument): void {
  const named: JsonObject = {};

  function name(title: string, schema: JsonObject): JsonObject {
    const known = named[title];
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`two schemas that differ have the title ${title}`);
    }
    named[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  }

  function walk(value: unknown, isMap = false): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (!isObject(value)) return value;
    const { title, ...rest } = value;
    const isNamed = !isMap && typeof title === "string" && NAME.test(title);
    const walked = Object.fromEntries(
      Object.entries(isNamed ? rest : value).map(([key, inner]) => [
        key,
        !isMap && VALUES.has(key) ? inner : walk(inner, !isMap && MAPS.has(key)),
      ]),
    );
    return isNamed ? name(title, walked) : walked;
  }

  for (const [key, schema] of Object.entries(document.components["schemas"] ?? {})) {
    if (isObject(schema)) walk({ ...schema, title: key });
  }
  document.paths = walk(document.paths) as ApiDocument["paths"];
  document.components["schemas"] = Object.fromEntries(
    Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
