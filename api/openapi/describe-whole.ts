import type { FastifyContextConfig } from "fastify";
import {
  type ApiDocument,
  type DescribedOperation,
  type JsonObject,
  operationsOf,
} from "./document.ts";
import { foldErrors } from "./errors.ts";
import { addExamples } from "./examples.ts";
import { extendSchemas } from "./extended-schemas.ts";
import { describeHeaders, HEADER_COMPONENTS, HEADER_PARAMETERS } from "./headers.ts";
import { nameSchemas } from "./named-schemas.ts";
import { addRequestExamples } from "./request-examples.ts";
import { shareParts } from "./shared-parts.ts";

/**
 * The plugin's description of the routes as other tools read it best: what the routes do beyond their schemas is
 * said, and what is there many times has a name and is there once. `configs` are the routes' by `operationId`.
 * Routes, validation and answers are not changed by it.
 */
export function describeWhole<T extends object>(
  description: T,
  configs: ReadonlyMap<string, FastifyContextConfig>,
): T {
  const document = description as T & ApiDocument;
  nameSchemas(document);
  extendSchemas(document);
  document.components["headers"] = { ...HEADER_COMPONENTS };
  document.components["parameters"] = { ...HEADER_PARAMETERS };
  for (const operation of operationsOf(document)) {
    describeAnswers(operation);
    describeFiles(operation);
    const config = configs.get(operation.operationId) ?? {};
    operation.parameters?.forEach(describeParameter);
    describeHeaders(operation, config);
    // One tag each: generators make a class of every tag, and write an operation with two of them twice.
    if (config.contract === true) operation.tags = ["contract"];
  }
  shareParts(document);
  foldErrors(document, (id) => configs.get(id)?.contract === true);
  addExamples(document);
  addRequestExamples(document);
  return document;
}

/** What the plugin calls an answer whose schema has no description. */
const UNDESCRIBED = "Default Response";
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: "Done",
  201: "Created",
  202: "Accepted",
  503: "Not ready",
};

function describeAnswers({ responses }: DescribedOperation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (response.description !== UNDESCRIBED) continue;
    response.description = DESCRIPTIONS[status] ?? "Done";
  }
}

/** A body that is a file is no JSON of the schema that the plugin writes for every type of a route's bodies. */
function describeFiles({ requestBody }: DescribedOperation): void {
  for (const [type, content] of Object.entries(requestBody?.content ?? {})) {
    if (type.endsWith("json") || type.startsWith("multipart/")) continue;
    content.schema = { type: "string", format: "binary" };
  }
}

interface Parameter extends JsonObject {
  readonly schema?: JsonObject & { readonly default?: unknown };
}

/**
 * Puts a list's `explode: false` where OpenAPI has it, beside the parameter's schema and not inside, and lets
 * what has a default be left out: the plugin takes every property that is there after validation for required.
 */
function describeParameter(parameter: Parameter): void {
  const { schema } = parameter;
  if (schema?.default !== undefined || parameter["required"] === false)
    delete parameter["required"];
  if (schema?.["explode"] === undefined) return;
  parameter["explode"] = schema["explode"];
  delete schema["explode"];
}
