import { type ApiDocument, type DescribedResponse, operationsOf } from "./document.ts";
import { failureHeaders } from "./headers.ts";
import { RESPONSE_NAMES } from "./shared-parts.ts";

/** What every operation that takes a key may answer, whatever it does. */
export const COMMON = ["400", "401", "403", "404", "429", "500"] as const;
/** What every operation that changes something may answer besides. */
export const OF_CHANGES = ["409", "412", "507"] as const;
/** Ends of the names of shared answers: of those that are JSON, and of those that are there as XML, too. */
const FORMS = ["", "Xml"] as const;

/**
 * Writes the failures that all operations have as their `default` answer. Operations of the contract, which
 * `isContract` knows, name each status; all others name those that are not common (503, and 409 of what only reads), or
 * that mean something else there.
 */
export function foldErrors(
  document: ApiDocument,
  isContract: (operationId: string) => boolean,
): void {
  const shared = (document.components["responses"] ?? {}) as Record<string, DescribedResponse>;
  for (const form of FORMS) {
    const reference = (name: string) => `#/components/responses/${name}${form}`;
    const isCommon = (status: string, { $ref }: DescribedResponse = {}) =>
      $ref === reference(RESPONSE_NAMES[status] ?? "");
    let isFolded = false;
    for (const { operationId, responses } of operationsOf(document)) {
      if (isContract(operationId)) continue;
      if (!COMMON.every((status) => isCommon(status, responses[status]))) continue;
      for (const status of COMMON) delete responses[status];
      responses["default"] = { $ref: reference("Error") };
      isFolded = true;
      const ofChange = OF_CHANGES.filter((status) => isCommon(status, responses[status]));
      if (!ofChange.includes("409") || !ofChange.includes("507")) continue;
      for (const status of ofChange) delete responses[status];
      responses["default"] = { $ref: reference("ChangeError") };
    }
    const { content } = shared[`BadRequest${form}`] ?? {};
    if (!isFolded || content === undefined) continue;
    shared[`Error${form}`] = {
      description: `Any of ${COMMON.join(", ")}; \`code\` says which`,
      headers: failureHeaders("default"),
      content: structuredClone(content),
    };
    shared[`ChangeError${form}`] = {
      description: `Any of ${[...COMMON, ...OF_CHANGES].sort().join(", ")}; \`code\` says which`,
      headers: failureHeaders("default"),
      content: structuredClone(content),
    };
  }
  const paths = JSON.stringify(document.paths);
  document.components["responses"] = Object.fromEntries(
    Object.entries(shared).filter(([name]) => paths.includes(`#/components/responses/${name}"`)),
  );
}
