import { readFileSync } from "node:fs";
import {
  type ApiDocument,
  type DescribedContent,
  type DescribedResponse,
  type JsonObject,
  operationsOf,
} from "./document.ts";
import { COMMON, OF_CHANGES } from "./errors.ts";
import { RESPONSE_NAMES } from "./shared-parts.ts";

/** Answers as routes gave them; lists have one row, and links short signatures. */
interface Examples {
  /** By status: one for each code. */
  readonly errors: Readonly<
    Record<string, readonly { readonly error: { readonly code: string } }[]>
  >;
  /** By the name of the answer's schema. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The schema's name at the end of a reference to it. */
const SCHEMA = /^#\/components\/schemas\/(\w+)$/;

/**
 * Adds an example to every answer of JSON: of success by its schema, of failure one for each code. What is an
 * example of several answers is there once.
 */
export function addExamples(document: ApiDocument): void {
  const examples = JSON.parse(
    readFileSync(new URL("./examples.json", import.meta.url), "utf8"),
  ) as Examples;
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
    const answers = statuses.flatMap((status) => examples.errors[status] ?? []);
    refer(json, Object.fromEntries(answers.map((value) => [value.error.code, value])));
  }

  const inline = operationsOf(document).flatMap(({ responses }) => Object.entries(responses));
  for (const [status, response] of inline) addErrors(response, [status]);
  for (const [status, name] of Object.entries(RESPONSE_NAMES)) addErrors(shared[name], [status]);
  for (const name of ["Error", "ErrorXml"]) addErrors(shared[name], COMMON);
  addErrors(shared["ChangeError"], [...COMMON, ...OF_CHANGES]);

  const contents = [...Object.values(shared), ...inline.map(([, response]) => response)].flatMap(
    ({ content }) => {
      const json = content?.["application/json"];
      return json === undefined ? [] : [json];
    },
  );
  for (const [name, value] of Object.entries(examples.answers)) {
    const [first, ...more] = contents.filter((content) => nameOf(content) === name);
    if (first === undefined) continue;
    if (more.length === 0) first["example"] = value;
    else for (const content of [first, ...more]) refer(content, { [name]: value });
  }
  document.components["examples"] = components;
}

/** The name of an answer's schema. */
const nameOf = ({ schema = {} }: DescribedContent): string | undefined =>
  SCHEMA.exec(String(schema["$ref"]))?.[1];
