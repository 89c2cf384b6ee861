import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WIRE_CODES } from "../../../api/errors/error.ts";
import {
  type ApiDocument,
  type DescribedContent,
  type DescribedResponse,
  isObject,
  type JsonObject,
} from "../../../api/openapi/document.ts";
import { nameSchemas } from "../../../api/openapi/named-schemas.ts";
import { FLEET_DEFAULTS } from "../../../simulators/fleet/options.ts";
import { planAssets } from "../../../simulators/fleet/world/world.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { startMeasuring } from "../../support/measuring.ts";
import { POST_ROUTES, preparePostSite } from "../../support/post-routes.ts";
import { runPostTask } from "../../support/post-tasks.ts";

/**
 * Largest description as it is served, bytes an operation: at 118 operations, with 300 kB, tools loaded it at once
 * and people found their way.
 */
const MOST_BYTES = 300_000 / 118;
/** What a generated client calls the things of the API. */
const NAMES = [
  ...[
    "Alert",
    "ApiKey",
    "Asset",
    "AssetLocation",
    "Camera",
    "Capture",
    "Command",
    "Error",
    "Event",
  ],
  ...["FleetSource", "Forwarder", "Geofence", "Location", "Measurement", "Pagination"],
  ...["ProgressReport", "Project", "Stockpile", "Visit", "Webhook", "WorkZone"],
];
const SHARED_ANSWERS = [
  ...["BadRequest", "Unauthorized", "Forbidden", "NotFound", "Conflict", "TooManyRequests"],
  ...["InternalError", "Error", "ChangeError"],
];
const CONTRACT = [
  ...["listReports", "getReport", "createCapture", "listAssets", "getAssetLocation"],
  ...["createGeofence", "listStockpiles", "measureStockpile"],
];

let t: TestApp;
let text: string;
let document: ApiDocument;
beforeAll(async () => {
  t = await openTestApp({
    runTask: runPostTask,
  });
  text = (await t.app.inject("/openapi.json")).body;
  document = JSON.parse(text);
});
afterAll(() => t[Symbol.asyncDispose]());

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** The answer itself where a reference stands for it. */
function resolved(response: DescribedResponse): DescribedResponse {
  const name = String(response["$ref"] ?? "").replace("#/components/responses/", "");
  return name === "" ? response : (document.components["responses"]?.[name] as DescribedResponse);
}

/**
 * The example of a schema, as tools find it: its own, or of a list and of a page those of its parts. `undefined`:
 * there is none.
 */
function sampleOf(schema: JsonObject): unknown {
  const { $ref, examples, type, properties, items } = schema;
  if (typeof $ref === "string") {
    const name = $ref.replace("#/components/schemas/", "");
    return sampleOf(document.components["schemas"]?.[name] as JsonObject);
  }
  if (Array.isArray(examples)) return examples[0];
  if (type === "array") {
    const row = sampleOf(items as JsonObject);
    return row === undefined ? undefined : [row];
  }
  if (!isObject(properties)) return undefined;
  const fields = Object.entries(properties).map(
    ([name, property]) => [name, sampleOf(property as JsonObject)] as const,
  );
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
}

/** Every example of an answer of JSON, with its schema. */
function examplesOf({ example, examples }: DescribedContent): readonly unknown[] {
  const named = Object.values(
    (examples ?? {}) as Record<string, { $ref?: string; value: unknown }>,
  );
  return [
    ...(example === undefined ? [] : [example]),
    ...named.map(({ $ref, value }) => {
      const name = ($ref ?? "").replace("#/components/examples/", "");
      const shared = document.components["examples"] as Record<string, { value: unknown }>;
      return name === "" ? value : shared[name]?.value;
    }),
  ];
}

/** What generators call the objects inside of a schema that have no name: by its name and the property's. */
function namesInside(name: string, schema: JsonObject): readonly string[] {
  const parts = [schema, ...((schema["allOf"] ?? []) as readonly JsonObject[])];
  return parts
    .flatMap(({ properties }) => Object.entries((properties ?? {}) as Record<string, JsonObject>))
    .flatMap(([property, inner]) => {
      const own = `${name}${property.replace(/(?:^|_)([a-z0-9])/g, (_, first) => first.toUpperCase())}`;
      const items = isObject(inner["items"]) ? namesInside(`${own}Item`, inner["items"]) : [];
      const isNamed = inner["properties"] === undefined && inner["enum"] === undefined;
      return [...(isNamed ? [] : [own]), ...namesInside(own, inner), ...items];
    });
}

describe("the description of the API", () => {
  it("is served without spaces, in 2.5 kB an operation at most", () => {
    expect(text).toBe(JSON.stringify(document));
    expect(Buffer.byteLength(text) / operations().length).toBeLessThanOrEqual(MOST_BYTES);
  });

  it("has 412 for every change outside of the contract: each compares If-Match, or refuses it", () => {
    const changes = Object.values(document.paths)
      .flatMap((operations) => Object.entries(operations))
      .filter(([method]) => ["put", "patch", "delete"].includes(method))
      .map(([, operation]) => operation)
      .filter(({ tags }) => !tags?.includes("contract"));
    const silent = changes.filter(({ responses }) => {
      const { $ref } = responses["default"] ?? {};
      return responses["412"] === undefined && $ref !== "#/components/responses/ChangeError";
    });
    expect(changes.length).toBeGreaterThan(30);
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("names its schemas, and the answers that operations share", () => {
    expect(Object.keys(document.components["schemas"] ?? {})).toEqual(
      expect.arrayContaining(NAMES),
    );
    expect(Object.keys(document.components["responses"] ?? {})).toEqual(
      expect.arrayContaining(SHARED_ANSWERS),
    );
    const nested = operations().flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap((response) => {
        const schema = resolved(response).content?.["application/json"]?.schema;
        return schema === undefined || "$ref" in schema ? [] : [operationId];
      }),
    );
    expect(nested).toEqual([]);
  });

  it("has no object without a name that generators would call as another schema", () => {
    const schemas = document.components["schemas"] as Record<string, JsonObject>;
    const taken = Object.entries(schemas).flatMap(([name, schema]) =>
      namesInside(name, schema).filter((inner) => inner in schemas),
    );
    expect(taken).toEqual([]);
  });

  it("refers to nothing that is not there, and has nothing that is not referred to", () => {
    const references = new Set(text.match(/#\/components\/[a-zA-Z]+\/[\w-]+/g));
    const there = Object.entries(document.components).flatMap(([kind, parts]) =>
      kind === "securitySchemes"
        ? []
        : Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references].filter((reference) => !there.includes(reference))).toEqual([]);
    expect(there.filter((reference) => !references.has(reference))).toEqual([]);
  });

  it("marks the contract's eight operations, which name each of their statuses", () => {
    const marked = operations().filter(({ tags }) => tags?.includes("contract"));
    expect(marked.map(({ operationId }) => operationId).sort()).toEqual(CONTRACT.toSorted());
    const failures = ["400", "401", "403", "404", "429", "500"];
    for (const { responses } of marked) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(failures));
      expect(responses).not.toHaveProperty("default");
    }
  });

  it("refuses two schemas that differ under one title", () => {
    const answer = (type: string) => ({
      200: { content: { "application/json": { schema: { title: "Thing", type } } } },
    });
    const wrong = {
      components: {},
      paths: {
        "/a": { get: { operationId: "a", responses: answer("string") } },
        "/b": { get: { operationId: "b", responses: answer("number") } },
      },
    };
    expect(() => nameSchemas(wrong)).toThrow("two schemas that differ have the title Thing");
  });
});

describe("examples", () => {
  it("are there for every success answer of JSON, and fit its schema", () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    formats.default(ajv);
    ajv.addSchema({ ...document, $id: "openapi" });
    let count = 0;
    for (const { operationId, responses } of operations()) {
      for (const [status, response] of Object.entries(responses)) {
        const json = resolved(response).content?.["application/json"];
        if (json === undefined || !status.startsWith("2")) continue;
        const example = sampleOf(json.schema ?? {});
        expect([operationId, status, example === undefined]).toEqual([operationId, status, false]);
        const validate = ajv.compile({ $ref: `openapi${String(json.schema?.["$ref"])}` });
        expect([operationId, validate(example), validate.errors]).toEqual([
          operationId,
          true,
          null,
        ]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it("are there for every code of an error, and fit its schema", () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    formats.default(ajv);
    ajv.addSchema({ ...document, $id: "openapi" });
    const validate = ajv.compile({ $ref: "openapi#/components/schemas/Error" });
    const answers = [
      ...Object.values(document.components["responses"] ?? {}),
      ...operations().flatMap(({ responses }) => Object.values(responses)),
    ] as DescribedResponse[];
    const ofErrors = answers.flatMap(({ content = {} }) => {
      const json = content["application/json"];
      return json?.schema?.["$ref"] === "#/components/schemas/Error" ? [json] : [];
    });
    const empty = ofErrors.filter(
      ({ examples }) => Object.keys(examples ?? { none: 0 }).length === 0,
    );
    expect(empty).toEqual([]);
    const examples = ofErrors.flatMap(examplesOf) as { error: { code: string } }[];
    expect(examples.filter((example) => !validate(example))).toEqual([]);
    const codes = new Set(examples.map(({ error }) => error.code));
    expect([...codes].sort()).toEqual([...WIRE_CODES].sort());
  });
});

describe("examples of requests", () => {
  it("name the project and a machine that the demo makes", () => {
    const parameters = document.components["parameters"] as Record<string, { example?: string }>;
    const { projectId } = FLEET_DEFAULTS;
    expect(parameters["RequiredProjectIdQuery"]?.example).toBe(projectId);
    const machines = planAssets([projectId], 20).map(({ id }) => id);
    expect(machines).toContain(parameters["AssetId"]?.example);
  });
});

describe("headers", () => {
  it("of a creation are those that it is described with, Location above all", async () => {
    await preparePostSite(t);
    await using _worker = startMeasuring(t);
    const located: string[] = [];
    for (const { operationId, writes, prepare } of POST_ROUTES) {
      // Labels of images need a worker of their own, and their answer has no header.
      if (operationId === "createCalibration" && writes.includes("jobs.add")) continue;
      const { url, body } = await prepare(t);
      const answer = await t.send("POST", url, ADMIN_KEY, body);
      const operation = operations().find((one) => one.operationId === operationId);
      const described = resolved(operation?.responses[answer.statusCode] ?? {}).headers ?? {};
      const isSent = answer.headers["location"] !== undefined;
      expect([operationId, isSent]).toEqual([operationId, "Location" in described]);
      if (isSent) located.push(operationId);
    }
    expect(located.length).toBeGreaterThan(10);
  });

  it("of a request say which POSTs take an Idempotency-Key, and which reads an entity tag", () => {
    const taking = (name: string) =>
      operations()
        .filter(({ parameters = [] }) =>
          parameters.some(({ $ref }) => $ref === `#/components/parameters/${name}`),
        )
        .map(({ operationId }) => operationId);
    expect(new Set(taking("IdempotencyKey"))).toEqual(
      new Set([...POST_ROUTES.map(({ operationId }) => operationId), "ingestMessages"]),
    );
    const reads = ["getProject", "getWebhook", "getForwarder", "getAsset", "getGeofence"];
    expect(taking("IfNoneMatch")).toEqual(
      expect.arrayContaining([...reads, "getReport", "getIsoFleet", "getIsoEquipment"]),
    );
    const changes = ["updateProject", "deleteProject", "updateAsset", "putMapping", "deleteZone"];
    expect(taking("IfMatch")).toEqual(expect.arrayContaining(changes));
    // The contract's own eight have nothing that a client could overwrite.
    expect(taking("IfMatch").filter((id) => CONTRACT.includes(id))).toEqual([]);
  });

  it("of every failure are the rate, and when to come again where it is a matter of time", () => {
    const shared = document.components["responses"] as Record<string, DescribedResponse>;
    for (const name of SHARED_ANSWERS) {
      expect(Object.keys(shared[name]?.headers ?? {})).toEqual(
        expect.arrayContaining(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]),
      );
    }
    for (const name of ["TooManyRequests", "Error", "ChangeError"]) {
      expect(shared[name]?.headers).toHaveProperty("Retry-After");
    }
  });
});
