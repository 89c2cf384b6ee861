import openapiTypescript, { astToString } from "openapi-typescript";

const HEAD = "// Made of openapi.json by `npm run docs`; not to be edited.\n\n";
/** What the description has none of. */
const EMPTY = /^export type (webhooks|\$defs) = Record<string, never>;\n/gm;
/** Examples would be most of the types' text. */
const LEFT_OUT = new Set(["example", "examples"]);

/** The types of the client as TypeScript, of the description of the API. */
export async function clientTypes(document: object): Promise<string> {
  const types = astToString(await openapiTypescript(JSON.stringify(withoutExamples(document))));
  return HEAD + types.replace(EMPTY, "");
}

/** `isMap`: the keys are names of somebody's own, and no keywords. */
function withoutExamples(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isMap || !LEFT_OUT.has(key))
      .map(([key, inner]) => [key, withoutExamples(inner, key === "properties" && !isMap)]),
  );
}
