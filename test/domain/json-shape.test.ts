import fc from "fast-check";
import { expect, it } from "vitest";
import { exceededBound } from "../../domain/json-shape.ts";

const exceeded = (json: string, bounds: Parameters<typeof exceededBound>[1]) =>
  exceededBound(Buffer.from(json), bounds);

/** What the scan counts, from the parsed value. */
function shapeOf(value: unknown): { depth: number; keys: number; values: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, keys: 0, values: 0 };
  const inner = Object.values(value).map(shapeOf);
  const sum = (pick: (shape: (typeof inner)[number]) => number) =>
    inner.reduce((total, shape) => total + pick(shape), 0);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    keys: sum(({ keys }) => keys) + (Array.isArray(value) ? 0 : inner.length),
    // A comma less than there are elements, and one for the array or object itself.
    values: sum(({ values }) => values) + 1 + Math.max(0, inner.length - 1),
  };
}

it("the scan of a JSON text counts what the parser finds, whatever the texts in it hold", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (json) => {
      const { depth, keys, values } = shapeOf(JSON.parse(json));
      expect(exceeded(json, { depth, keys, values })).toBeUndefined();
      if (depth > 0) expect(exceeded(json, { depth: depth - 1 })).toBe("depth");
      if (keys > 0) expect(exceeded(json, { depth, keys: keys - 1 })).toBe("keys");
      if (values > 0) expect(exceeded(json, { depth, values: values - 1 })).toBe("values");
    }),
  );
});

it("brackets, commas and colons in texts and after escapes do not count", () => {
  expect(exceeded('["[[{{,,::\\"[[", "\\\\"]', { depth: 1, keys: 0, values: 2 })).toBeUndefined();
});
