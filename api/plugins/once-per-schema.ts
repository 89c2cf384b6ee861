import type { TSchema } from "typebox";

/**
 * `compile`, which runs once for each schema object whatever the number of routes that name it, and of
 * apps in the process: every route answers failures by the same few schemas, and compiling them anew
 * was most of the time in which an app came up.
 */
export function oncePerSchema<T>(compile: (schema: TSchema) => T): (schema: TSchema) => T {
  const compiled = new WeakMap<TSchema, T>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const made = compile(schema);
    compiled.set(schema, made);
    return made;
  };
}
