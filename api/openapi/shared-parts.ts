import {
  type ApiDocument,
  type DescribedResponse,
  type JsonObject,
  operationsOf,
} from "./document.ts";

/** Names of answers that many operations share; those of iso15143-3 are there as XML, too. */
export const RESPONSE_NAMES: Readonly<Record<string, string>> = {
  204: "Removed",
  304: "NotModified",
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  412: "PreconditionFailed",
  429: "TooManyRequests",
  500: "InternalError",
  503: "Unavailable",
  507: "InsufficientStorage",
};

/** Moves answers and parameters that several operations have in the same words to `components`. */
export function shareParts(document: ApiDocument): void {
  const operations = operationsOf(document);
  share(
    document,
    "responses",
    operations.flatMap(({ responses }) =>
      Object.entries(responses).map(([status, response]) => ({
        name: responseName(status, response),
        part: response,
        replace: (reference: JsonObject) => {
          responses[status] = reference as DescribedResponse;
        },
      })),
    ),
  );
  const inPaths = new Set(
    operations
      .flatMap(({ parameters = [] }) => parameters.filter((one) => one["in"] === "path"))
      .map(({ name }) => name),
  );
  share(
    document,
    "parameters",
    operations.flatMap(({ parameters = [] }) =>
      parameters.map((part, i) => ({
        name: parameterName(part, inPaths),
        part,
        replace: (reference: JsonObject) => {
          parameters[i] = reference;
        },
      })),
    ),
  );
}

interface Use {
  /** Where it goes to; `undefined`: it stays where it is. */
  readonly name: string | undefined;
  readonly part: JsonObject;
  readonly replace: (reference: JsonObject) => void;
}

/**
 * Each name is taken by what is used most often under it, if that is twice. Other parameters of that name that are
 * used as often get it with a number; all else stays where it is.
 */
function share(document: ApiDocument, kind: string, uses: readonly Use[]): void {
  const byName = new Map<string, Map<string, Use[]>>();
  for (const use of uses) {
    if (use.name === undefined) continue;
    const variants = byName.get(use.name) ?? new Map<string, Use[]>();
    byName.set(use.name, variants);
    const text = JSON.stringify(use.part);
    variants.set(text, [...(variants.get(text) ?? []), use]);
  }
  const shared = { ...document.components[kind] };
  for (const [name, variants] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const often = [...variants.values()].filter((uses) => uses.length >= 2);
    often.sort((a, b) => b.length - a.length);
    const named = kind === "parameters" ? often : often.slice(0, 1);
    for (const [i, uses] of named.entries()) {
      const numbered = i === 0 ? name : `${name}${i + 1}`;
      for (const { part, replace } of uses) {
        shared[numbered] = part;
        replace({ $ref: `#/components/${kind}/${numbered}` });
      }
    }
  }
  document.components[kind] = shared;
}

/** Answers of 200 are called as what they are made of. */
function responseName(status: string, { content = {} }: DescribedResponse): string | undefined {
  const name = RESPONSE_NAMES[status];
  if (name !== undefined) return "application/xml" in content ? `${name}Xml` : name;
  const reference = content["application/json"]?.schema?.["$ref"];
  if (status !== "200" || typeof reference !== "string") return undefined;
  return reference.split("/").at(-1);
}

/**
 * `asset_id` in a path is AssetId, in a query AssetIdQuery, and RequiredAssetIdQuery where it has to be given; what
 * is never in a path needs no ending.
 */
function parameterName(
  { name, in: place, required }: JsonObject,
  inPaths: ReadonlySet<unknown>,
): string | undefined {
  if (typeof name !== "string" || typeof place !== "string") return undefined;
  const start = place !== "path" && required === true ? "required_" : "";
  const end = place !== "path" && inPaths.has(name) ? `_${place}` : "";
  const words = `${start}${name}${end}`.split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}
