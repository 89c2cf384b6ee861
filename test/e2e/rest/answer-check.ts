import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Answer } from "./http-request.ts";
import type { Description, Operation } from "./operations.ts";

/** Headers that clients act on: none is sent where it is not described. */
const DECLARED = ["etag", "location", "retry-after", "www-authenticate"];
/** Statuses without a body. */
const EMPTY = new Set([204, 304]);

/** Returns where an answer differs from the API description; `undefined`: nowhere. */
export type AnswerCheck = (operation: Operation, answer: Answer) => string | undefined;

/** Answers are validated by a library that the service itself does not use. */
export function createAnswerCheck({ document }: Description): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(
    { path, method }: Operation,
    status: string,
    type: string,
  ): ValidateFunction {
    const parts = [
      "paths",
      path,
      method.toLowerCase(),
      "responses",
      status,
      "content",
      type,
      "schema",
    ];
    const pointer = parts
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
    validators.set(pointer, known);
    return known;
  }

  return (operation, { status, headers, body }) => {
    if (status >= 500 && status !== 507) return `status ${status}`;
    for (const name of ["x-request-id", "x-ratelimit-limit", "x-content-type-options"]) {
      if (headers[name] === undefined) return `no header ${name}`;
    }
    const exact = String(status);
    const documented = [exact, `${exact[0]}XX`].find((one) => one in operation.responses);
    if (documented === undefined) return `status ${status} is not documented`;
    const { content = {}, headers: declared = {} } = operation.responses[documented] ?? {};
    const known = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
    const stray = DECLARED.find((name) => headers[name] !== undefined && !known.has(name));
    if (stray !== undefined) return `status ${status} with ${stray}, which is not documented`;
    if (EMPTY.has(status)) return body === "" ? undefined : `a body with status ${status}`;
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    const described = content[type];
    if (described === undefined)
      return `status ${status} with ${type || "no type"} is not documented`;
    if (described.schema === undefined || !type.endsWith("json")) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return `status ${status} with a body that is not JSON`;
    }
    const validate = validatorOf(operation, documented, type);
    if (validate(value)) return undefined;
    const [problem] = validate.errors ?? [];
    return `status ${status}: ${problem?.instancePath ?? ""} ${problem?.message ?? "invalid"}`;
  };
}
