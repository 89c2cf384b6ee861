import fc from "fast-check";
import { EXAMPLES } from "./examples.ts";
import { hostileJson, hostileText, hostileValue } from "./hostile.ts";
import { mutated } from "./mutate.ts";
import type { Operation, Schema } from "./operations.ts";
import { type KnowsIds, validValue } from "./schema-values.ts";
import { type PlannedBody, uploadBody } from "./upload-bodies.ts";

/** A request before its ids are known. */
export interface RequestPlan {
  /** `any`: of a customer, with every scope but admin. */
  readonly caller: "any" | "admin" | "narrow" | "wrong key" | "nobody";
  /** Which of the two customers it is about. */
  readonly tenant: 0 | 1;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [name: string, value: unknown])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PlannedBody | undefined;
}

/** Pieces of a query that no client library writes. */
const RAW_QUERY = [
  "%",
  "%zz",
  "%ff",
  "%ED%A0%80",
  "a[b]=c",
  "__proto__=1",
  "x=%00",
  "&&&===",
  "limit",
];

/** Operations that keys of single projects may not use. */
const FOR_ADMINS =
  /\/(keys|mqtt|backup|fleet-sources|mappings)\b|^(POST|PATCH|DELETE) \/api\/v1\/projects(\/\{project_id\})?$/;

/** Requests of one operation: valid ones, almost valid ones and hostile ones. */
export function requestPlan(operation: Operation, knows: KnowsIds): fc.Arbitrary<RequestPlan> {
  const inPath = operation.parameters.filter((one) => one.in === "path");
  const isForAdmins = FOR_ADMINS.test(`${operation.method} ${operation.path}`);
  const inQuery = operation.parameters.filter((one) => one.in === "query");
  return fc.record({
    caller: fc.oneof(
      { weight: isForAdmins ? 3 : 14, arbitrary: fc.constant("any" as const) },
      { weight: isForAdmins ? 14 : 3, arbitrary: fc.constant("admin" as const) },
      { weight: 1, arbitrary: fc.constant("narrow" as const) },
      { weight: 1, arbitrary: fc.constantFrom("wrong key" as const, "nobody" as const) },
    ),
    tenant: fc.constantFrom(0 as const, 1 as const),
    path: fc.record(
      Object.fromEntries(inPath.map(({ name, schema }) => [name, pathValue(schema, name, knows)])),
    ),
    query: fc
      .tuple(
        ...inQuery.map(({ name, schema, required = false }) =>
          queryValue(schema, name, required, knows),
        ),
        fc.option(fc.constantFrom(...RAW_QUERY), { freq: 12, nil: undefined }),
      )
      .map((entries) =>
        entries
          .map((value, i) => [inQuery[i]?.name ?? "", value] as const)
          .filter(([, value]) => value !== undefined),
      ),
    headers: headersOf(operation),
    body: bodyOf(operation, knows),
  });
}

function pathValue(schema: Schema, name: string, knows: KnowsIds): fc.Arbitrary<unknown> {
  const number = fc.nat(1_000);
  const known =
    knows(name) && schema.enum === undefined
      ? number.map((pick) => ({ $id: name, pick, whose: "own" }))
      : validValue(schema, name, knows);
  return fc.oneof(
    { weight: 16, arbitrary: known },
    { weight: 3, arbitrary: number.map((pick) => ({ $id: name, pick, whose: "foreign" })) },
    { weight: 1, arbitrary: hostileText },
  );
}

function queryValue(
  schema: Schema,
  name: string,
  isRequired: boolean,
  knows: KnowsIds,
): fc.Arbitrary<unknown> {
  const valid = validValue(schema, name, knows);
  return fc.oneof(
    { weight: isRequired ? 1 : 12, arbitrary: fc.constant(undefined) },
    { weight: isRequired ? 16 : 6, arbitrary: valid },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.tuple(valid, valid).map((twice) => ({ twice })) },
  );
}

/**
 * Headers of tus 1.0.0, which the description has in words: mostly those of a first part of three bytes. `cHcuanBn` is
 * "pw.jpg".
 */
const TUS_HEADERS = fc.record({
  "tus-resumable": fc.constantFrom("1.0.0", "1.0.0", "1.0.0", "0.2.2"),
  "upload-length": fc.constantFrom("3", "3", "3", "-1", "99999999999"),
  "upload-offset": fc.constantFrom("0", "0", "0", "3", "x"),
  "upload-metadata": fc.constantFrom("filename cHcuanBn", "filename cHcuanBn", "filename ../x"),
});

function headersOf(operation: Operation): fc.Arbitrary<Readonly<Record<string, string>>> {
  const usual = usualHeadersOf(operation);
  if (!/\/uploads(\/|$)/.test(operation.path)) return usual;
  return fc.tuple(usual, TUS_HEADERS).map(([some, tus]) => ({ ...some, ...tus }));
}

function usualHeadersOf({ method }: Operation): fc.Arbitrary<Readonly<Record<string, string>>> {
  const accept = fc.constantFrom(
    "*/*",
    "application/json",
    "text/csv",
    "application/geo+json",
    "text/html",
    "application/xml",
    "text/csv;q=0.1, application/json;q=0",
    ";;q=x,/",
  );
  const headers: Record<string, fc.Arbitrary<string>> = {
    accept,
    "if-none-match": fc.constantFrom("*", 'W/"x"', "\xff", ","),
    "last-event-id": fc.constantFrom("0", "1", "latest", "-1", "9".repeat(40), "x"),
    "x-request-id": fc.constantFrom("a", "b c"),
    ...(method === "POST"
      ? { "idempotency-key": fc.integer({ min: 1, max: 400 }).map((n) => `key-${n}`) }
      : { "if-match": fc.constantFrom("*", 'W/"x"', '"x.y"', '"', ",") }),
  };
  // Each of them in one request of ten.
  return fc
    .tuple(fc.record(headers), fc.array(fc.nat(9), { minLength: 5, maxLength: 5 }))
    .map(([all, draws]) =>
      Object.fromEntries(Object.entries(all).filter((_, i) => draws[i] === 0)),
    );
}

function bodyOf(operation: Operation, knows: KnowsIds): fc.Arbitrary<PlannedBody | undefined> {
  const { bodies } = operation;
  const types = Object.keys(bodies);
  if (types.length === 0) {
    const stray = hostileValue.map((value): PlannedBody => ({ kind: "json", value }));
    return fc.option(stray, { freq: 20, nil: undefined });
  }
  const json = bodies["application/json"]?.schema;
  const choices: fc.WeightedArbitrary<PlannedBody | undefined>[] = [
    { weight: 1, arbitrary: fc.constant(undefined) },
    {
      weight: 2,
      arbitrary: hostileJson.map((text) => ({
        kind: "bytes",
        type: "application/json",
        bytes: Buffer.from(text),
      })),
    },
  ];
  if (json !== undefined) {
    const made = validValue(json, "", knows);
    const examples = EXAMPLES[operation.id];
    const valid = examples === undefined ? made : fc.oneof(made, fc.constantFrom(...examples));
    const asJson = (value: unknown): PlannedBody => ({ kind: "json", value });
    choices.push({ weight: 16, arbitrary: valid.map(asJson) });
    choices.push({ weight: 12, arbitrary: mutated(valid).map(asJson) });
  }
  for (const type of types.filter((one) => one !== "application/json")) {
    choices.push({ weight: 6, arbitrary: uploadBody(type) });
  }
  return fc.oneof(...choices);
}
