import type { TSchema } from "typebox";

/**
 * `compile`, which runs once for each schema object whatever the number of routes that name it, and of
 * apps in the process, and only when a request needs it: compiling every schema was a third of the time in
 * which an app came up. Every route is called by a test, so that none fails to compile unseen.
 */
export function oncePerSchema<Given, Made>(
  compile: (schema: TSchema) => (given: Given) => Made,
): (schema: TSchema) => (given: Given) => Made {
  const known = new WeakMap<TSchema, (given: Given) => Made>();
  return (schema) => {
    const found = known.get(schema);
    if (found !== undefined) return found;
    let compiled: ((given: Given) => Made) | undefined;
    const lazy = (given: Given): Made => {
      compiled ??= compile(schema);
      return compiled(given);
    };
    known.set(schema, lazy);
    return lazy;
  };
}
