import { type ApiDocument, type JsonObject, operationsOf } from "./document.ts";

/** Values of shared parameters, as the demo has them (docs/api-tour.md). */
const PARAMETERS: Readonly<Record<string, string>> = {
  ProjectId: "site-a",
  ProjectIdQuery: "site-a",
  RequiredProjectIdQuery: "site-a",
  AssetId: "site-a-excavator-01",
};
const PHOTOGRAPHS = Array.from({ length: 5 }, (_, i) => `https://example.com/flight/${i + 1}.jpg`);

/** Bodies of the contract's operations, which are accepted as they are where there is the project. */
const BODIES: Readonly<Record<string, unknown>> = {
  createGeofence: {
    name: "Fuel yard",
    project_id: "site-a",
    polygon: [
      [53.5, 9.9],
      [53.501, 9.9],
      [53.501, 9.901],
    ],
    alert_on: ["both"],
  },
  createCapture: { project_id: "site-a", capture_type: "drone", images: PHOTOGRAPHS },
  measureStockpile: { images: PHOTOGRAPHS },
};

/** Adds examples of what is sent, so that a page which sends requests has something to send. */
export function addRequestExamples(document: ApiDocument): void {
  const parameters = document.components["parameters"] ?? {};
  for (const [name, example] of Object.entries(PARAMETERS)) {
    const parameter = parameters[name];
    if (parameter !== undefined) (parameter as JsonObject)["example"] = example;
  }
  for (const { operationId, requestBody } of operationsOf(document)) {
    const content = requestBody?.content["application/json"];
    if (content !== undefined && operationId in BODIES) content["example"] = BODIES[operationId];
  }
}
