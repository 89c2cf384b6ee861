const METHODS = ["get", "put", "post", "patch", "delete"];

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * An OpenAPI description with everything written out where it is referred to, parts of `allOf` as one schema, and a
 * `default` answer as the statuses that it stands for.
 */
export function inlined<T extends object>(document: T): T {
  const known = new Map<string, unknown>();

  function target(reference: string): unknown {
    const found = known.get(reference);
    if (found !== undefined) return found;
    let value: unknown = document;
    for (const part of reference.split("/").slice(1)) {
      value = isObject(value) ? value[part] : undefined;
    }
    if (value === undefined) throw new Error(`${reference} leads nowhere`);
    const whole = inline(value);
    known.set(reference, whole);
    return whole;
  }

  function inline(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(inline);
    if (!isObject(value)) return value;
    const { $ref, ...rest } = value;
    if (typeof $ref === "string") return { ...(target($ref) as Json), ...rest };
    const whole = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inline(one)]));
    return Array.isArray(whole["allOf"]) ? merged(whole["allOf"] as Json[]) : whole;
  }

  const whole = inline(document) as { paths: Record<string, Record<string, { responses: Json }>> };
  for (const operations of Object.values(whole.paths)) {
    for (const method of METHODS) {
      const responses = operations[method]?.responses;
      if (responses === undefined || !("default" in responses)) continue;
      for (const status of statusesOf(responses["default"])) {
        responses[status] ??= responses["default"];
      }
      delete responses["default"];
    }
  }
  return whole as unknown as T;
}

/** Statuses that the answer `default` stands for, which its description names (`api/openapi/errors.ts`). */
const statusesOf = (answer: unknown): readonly string[] =>
  (isObject(answer) ? String(answer["description"]) : "").match(/\b[45]\d\d\b/g) ?? [];

function merged(parts: readonly Json[]): Json {
  const of = (key: string) => parts.map((part) => part[key]).filter((one) => one !== undefined);
  return {
    ...parts.at(-1),
    properties: Object.assign({}, ...of("properties")),
    required: of("required").flat(),
  };
}
