import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ApiDocument,
  type DescribedOperation,
  isObject,
  type JsonObject,
  operationsOf,
} from "../../api/openapi/document.ts";
import { openTestApp, type TestApp } from "../support/api-app.ts";

/** Words of ISO 15143-3 are that standard's. */
const OTHER_STANDARD = /^Iso15143/;
/** The contract's fields that our own words would name otherwise, wherever its things are shown. */
const CONTRACT_FIELDS = ["area_sqm", "accuracy_meters", "progress_percentage"];
/** Answers with rows that are not a list: days of a range, what it is planned to be, and tracks by name. */
const RANGES = ["getAssetUtilization", "getPlannedProgress", "getTracks"];

let t: TestApp;
let document: ApiDocument;
beforeAll(async () => {
  t = await openTestApp();
  document = (await t.app.inject("/openapi.json")).json();
});
afterAll(() => t[Symbol.asyncDispose]());

/** The part of the document that a reference names; anything else is itself. */
function resolved(part: unknown): JsonObject {
  if (!isObject(part)) return {};
  const [kind = "", name = ""] = String(part["$ref"] ?? "")
    .replace("#/components/", "")
    .split("/");
  return name === "" ? part : resolved(document.components[kind]?.[name]);
}

const isContract = ({ tags = [] }: DescribedOperation) => tags.includes("contract");
const queryOf = ({ parameters = [] }: DescribedOperation): ReadonlyMap<string, JsonObject> =>
  new Map(
    parameters
      .map(resolved)
      .filter((one) => one["in"] === "query")
      .map((one) => [String(one["name"]), one]),
  );

/** The schema of the JSON of a success. */
function answerOf({ responses }: DescribedOperation): JsonObject {
  const content = resolved(responses["200"])["content"];
  const json = isObject(content) ? content["application/json"] : undefined;
  return isObject(json) ? resolved(json["schema"]) : {};
}

/** The schema of the `data` of an answer. */
function rowsOf(operation: DescribedOperation): JsonObject {
  const { properties } = answerOf(operation);
  return isObject(properties) ? resolved(properties["data"]) : {};
}

/** Every name of a field, with the schema that has it. */
function fieldNames(): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown, of: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, of);
    if (!isObject(value)) return;
    const { properties } = value;
    if (isObject(properties)) {
      for (const name of Object.keys(properties)) found.push(`${of}.${name}`);
    }
    for (const inner of Object.values(value)) walk(inner, of);
  };
  for (const [name, schema] of Object.entries(document.components["schemas"] ?? {})) {
    if (!OTHER_STANDARD.test(name)) walk(schema, name);
  }
  return found;
}

describe("the words of the API", () => {
  it("every list of ours is `data` and `pagination`, and is read by `limit` with `offset` or `cursor`", () => {
    const lists = operationsOf(document).filter(
      (one) => !isContract(one) && rowsOf(one)["type"] === "array",
    );
    const ours = lists.filter(({ operationId }) => !RANGES.includes(operationId));
    expect(ours.length).toBeGreaterThan(25);
    const described = ours.map((one) => {
      const { required } = answerOf(one) as { required: readonly string[] };
      const query = queryOf(one);
      const { minimum, maximum, default: usual } = resolved(query.get("limit")?.["schema"]);
      return {
        operationId: one.operationId,
        envelope: required.filter((name) => name === "data" || name === "pagination"),
        limit: { minimum, maximum, usual },
        leads: query.has("offset") !== query.has("cursor"),
      };
    });
    const rule = {
      envelope: ["data", "pagination"],
      limit: { minimum: 1, maximum: 1_000, usual: 100 },
      leads: true,
    };
    for (const one of described) expect(one).toMatchObject(rule);
  });

  it("a list that is sorted names its field, and `-` in front of it for descending", () => {
    const sorts = operationsOf(document).flatMap((one) => {
      const sort = queryOf(one).get("sort");
      return sort === undefined ? [] : [resolved(sort["schema"])];
    });
    expect(sorts.length).toBeGreaterThan(20);
    for (const { enum: values, default: usual } of sorts) {
      const field = String(usual).replace(/^-/, "");
      expect([...(values as readonly string[])].sort()).toEqual([`-${field}`, field].sort());
    }
  });

  it("every list of our own that is read by offset can be read from either end, except label requests", () => {
    const unsorted = operationsOf(document).filter((one) => {
      const query = queryOf(one);
      return query.has("offset") && !query.has("sort") && !isContract(one);
    });
    // Each is about another zone, and they come in the order of the zones.
    expect(unsorted.map(({ operationId }) => operationId)).toEqual(["listLabelRequests"]);
  });

  it("a filter of several values is a list with commas, on every route", () => {
    const lists = operationsOf(document).flatMap((one) =>
      [...queryOf(one).values()].filter(
        (parameter) => resolved(parameter["schema"])["type"] === "array",
      ),
    );
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.filter(({ explode }) => explode !== false)).toEqual([]);
  });

  it("fields say their unit by one ending, and what became of a thing is its `status`", () => {
    const wrong = /(_pct|_percentage|_share|_fraction|_ratio|_seconds|_secs|_meters|_sqm|_cbm)$/;
    const names = fieldNames().filter(
      (name) => !CONTRACT_FIELDS.includes(name.split(".").at(-1) ?? ""),
    );
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name) => wrong.test(name) || /[._]state$/.test(name))).toEqual([]);
    const filters = operationsOf(document).flatMap((one) => [...queryOf(one).keys()]);
    expect(filters.filter((name) => name === "state" || wrong.test(name))).toEqual([]);
  });

  it("every interval and every half of one says that it is of 95 %", () => {
    const names = fieldNames().map((name) => name.split(".").at(-1) ?? "");
    const ofFigures = names.filter((name) => /uncertainty|confidence_|interval_\d/.test(name));
    expect(new Set(ofFigures)).toContain("interval_95");
    expect(ofFigures.filter((name) => !/(uncertainty|interval)_95(_|$)/.test(name))).toEqual([]);
  });
});
