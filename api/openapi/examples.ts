import {
  type ApiDocument,
  type DescribedContent,
  type DescribedResponse,
  isObject,
  type JsonObject,
  operationsOf,
} from "./document.ts";
import { COMMON, OF_CHANGES } from "./errors.ts";
import { RESPONSE_NAMES } from "./shared-parts.ts";
import { EXAMPLES } from "./stored-examples.ts";

/** The schema's name at the end of a reference to it. */
const SCHEMA = /^#\/components\/schemas\/(\w+)$/;

/**
 * Adds examples: to schemas of answers and of the rows of lists, of which tools put together the example of an
 * answer; and to each failure one for each code.
 */
export function addExamples(document: ApiDocument): void {
  const shared = document.components["responses"] as Record<string, DescribedResponse>;
  const components: JsonObject = {};

  function refer(content: DescribedContent, values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) components[name] = { value };
    const names = Object.keys(values).map((name) => [
      name,
      { $ref: `#/components/examples/${name}` },
    ]);
    content["examples"] = Object.fromEntries(names);
  }

  function addErrors(response: DescribedResponse | undefined, statuses: readonly string[]): void {
    const json = response?.content?.["application/json"];
    if (json === undefined || nameOf(json) !== "Error") return;
    const answers = statuses.flatMap((status) => EXAMPLES.errors[status] ?? []);
    refer(json, Object.fromEntries(answers.map((value) => [value.error.code, value])));
  }

  const inline = operationsOf(document).flatMap(({ responses }) => Object.entries(responses));
  for (const [status, response] of inline) addErrors(response, [status]);
  for (const [status, name] of Object.entries(RESPONSE_NAMES)) addErrors(shared[name], [status]);
  for (const name of ["Error", "ErrorXml"]) addErrors(shared[name], COMMON);
  addErrors(shared["ChangeError"], [...COMMON, ...OF_CHANGES]);

  const schemas = document.components["schemas"] ?? {};
  for (const [name, value] of Object.entries(EXAMPLES.schemas)) {
    const schema = schemas[name];
    if (isObject(schema)) schema["examples"] = [value];
  }
  document.components["examples"] = components;
}

/** The name of an answer's schema. */
const nameOf = ({ schema = {} }: DescribedContent): string | undefined =>
  SCHEMA.exec(String(schema["$ref"]))?.[1];
