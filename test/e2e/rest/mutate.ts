import fc from "fast-check";
import { hostileValue } from "./hostile.ts";
import { isPlaceholder } from "./placeholders.ts";

/** One change of a value: at some place in it, of some kind. */
interface Mutation {
  readonly place: number;
  readonly kind: "replace" | "drop" | "add" | "repeat";
  readonly value: unknown;
  readonly name: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(10_000),
  kind: fc.constantFrom("replace", "replace", "replace", "drop", "add", "repeat"),
  value: hostileValue,
  name: fc.constantFrom(
    "__proto__",
    "constructor",
    "id",
    "extra",
    "toJSON",
    "\u0000",
    "project_id",
  ),
});

/** Values that are almost allowed: one to three places of a valid one are changed. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => mutations.reduce(mutate, value));
}

type Container = Record<string, unknown> | unknown[];

/** Every member of every object and list in a value. */
function places(value: unknown): { readonly holder: Container; readonly name: string }[] {
  if (typeof value !== "object" || value === null || isPlaceholder(value)) return [];
  const holder = value as Container;
  // A list of thousands is one place, or all mutations would fall into it.
  return Object.entries(holder)
    .slice(0, 50)
    .flatMap(([name, inner]) => [{ holder, name }, ...places(inner)]);
}

function mutate(given: unknown, { place, kind, value, name }: Mutation): unknown {
  const copy = structuredClone(given);
  const all = places(copy);
  const chosen = all[place % Math.max(1, all.length)];
  if (chosen === undefined) return value;
  const { holder } = chosen;
  if (kind === "add" && !Array.isArray(holder)) {
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true });
    return copy;
  }
  if (Array.isArray(holder)) {
    const at = Number(chosen.name);
    if (kind === "drop") holder.splice(at, 1);
    else if (kind === "repeat") holder.push(...Array.from({ length: 1_100 }, () => holder[at]));
    else holder[at] = value;
    return copy;
  }
  if (kind === "drop") Reflect.deleteProperty(holder, chosen.name);
  else Object.defineProperty(holder, chosen.name, { value, enumerable: true, configurable: true });
  return copy;
}
