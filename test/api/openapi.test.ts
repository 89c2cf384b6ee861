import { expect, it } from "vitest";
import { openTestApp } from "../support/api-app.ts";

interface Parameter {
  readonly name: string;
  readonly explode?: boolean;
  readonly schema: { readonly type?: string; readonly explode?: boolean };
}

it("says of every list in a query that commas part it, where OpenAPI wants it said", async () => {
  await using t = await openTestApp();
  const { paths } = (await t.app.inject("/openapi.json")).json() as {
    paths: Record<string, Record<string, { parameters?: readonly Parameter[] }>>;
  };
  const parameters = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => operation.parameters ?? []);
  const lists = parameters.filter(({ schema }) => schema.type === "array");
  expect(lists.map(({ name }) => name)).toContain("fields");
  expect(lists.filter(({ explode }) => explode !== false)).toEqual([]);
  expect(parameters.filter(({ schema }) => schema.explode !== undefined)).toEqual([]);
});
