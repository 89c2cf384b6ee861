import { type ApiDocument, type JsonObject, operationsOf } from "./document.ts";
import { EXAMPLES } from "./stored-examples.ts";

/** Values of shared parameters, as the demo has them (docs/api-tour.md). */
const PARAMETERS: Readonly<Record<string, string>> = {
  ProjectId: "site-a",
  ProjectIdQuery: "site-a",
  RequiredProjectIdQuery: "site-a",
  AssetId: "site-a-excavator-01",
};
/** The types of which a body is shown, the first one that an operation takes; other files are not text to write. */
const SHOWN = ["application/geo+json", "application/json", "text/csv"] as const;

/**
 * Adds examples of what is sent, so that a page which sends requests has something to send: the body of each write is
 * accepted as it is, where there is what it names.
 */
export function addRequestExamples(document: ApiDocument): void {
  const parameters = document.components["parameters"] ?? {};
  for (const [name, example] of Object.entries(PARAMETERS)) {
    const parameter = parameters[name];
    if (parameter !== undefined) (parameter as JsonObject)["example"] = example;
  }
  for (const { operationId, requestBody } of operationsOf(document)) {
    const type = SHOWN.find((one) => requestBody?.content[one] !== undefined);
    const content = type && requestBody?.content[type];
    const example = EXAMPLES.requests[operationId];
    if (content !== undefined && example !== undefined) content["example"] = example;
  }
}
