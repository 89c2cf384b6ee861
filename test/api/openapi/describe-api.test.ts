import { expect, it } from "vitest";
import { openTestApp, type TestApp } from "../../support/api-app.ts";
import { inlined } from "../../support/inlined-api.ts";

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: { readonly type?: string; readonly explode?: boolean };
}

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>
  >;
}

const described = async ({ app }: TestApp): Promise<Described> =>
  inlined((await app.inject("/openapi.json")).json() as Described);

it("the OpenAPI description says of every list in a query that commas part it, where OpenAPI wants it said", async () => {
  await using t = await openTestApp();
  const { paths } = await described(t);
  const parameters = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap((operation) => operation.parameters ?? []);
  const lists = parameters.filter(({ schema }) => schema.type === "array");
  expect(lists.map(({ name }) => name)).toContain("fields");
  expect(lists.filter(({ explode }) => explode !== false)).toEqual([]);
  expect(parameters.filter(({ schema }) => schema.explode !== undefined)).toEqual([]);
});

it("the OpenAPI description requires no parameter of the contract that may be left out", async () => {
  await using t = await openTestApp();
  const { paths } = await described(t);
  const required = (path: string) =>
    paths[path]?.["get"]?.parameters?.filter((one) => one.required).map(({ name }) => name);
  expect({
    reports: required("/api/v1/progress/reports"),
    assets: required("/api/v1/equipment/assets"),
    location: required("/api/v1/equipment/assets/{asset_id}/location"),
    stockpiles: required("/api/v1/materials/stockpiles"),
  }).toEqual({
    reports: ["project_id"],
    assets: [],
    location: ["asset_id"],
    stockpiles: ["project_id"],
  });
});

it("every list without duplicates is bounded, because its check costs more than its length", async () => {
  await using t = await openTestApp();
  const sets: object[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("uniqueItems" in value) sets.push(value);
    for (const inner of Object.values(value)) collect(inner);
  };
  collect(await described(t));
  expect(sets.length).toBeGreaterThan(5);
  expect(sets.filter((set) => !("maxItems" in set))).toEqual([]);
});
