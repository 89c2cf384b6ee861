import type { FastifyInstance, FastifyRequest } from "fastify";
import { nearestName } from "../../domain/nearest-name.ts";
import { headerNames } from "./header-names.ts";
import { ParameterError } from "./validation.ts";

/** The keywords of a body's schema that say which fields it has. */
interface BodySchema {
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly patternProperties?: object;
  readonly additionalProperties?: unknown;
  readonly items?: BodySchema;
  readonly anyOf?: readonly BodySchema[];
  readonly allOf?: readonly BodySchema[];
}

/** A field of a body that its route does not know. */
interface UnknownField {
  /** Inside the body, such as `thresholds.full_percnt`. */
  readonly path: string;
  /** The field that it is probably a misspelling of, where that is absent. */
  readonly nearest: string | undefined;
}

/** Unknown fields that are searched for in one body; those beyond are not named. */
const MAX_UNKNOWN = 20;

/**
 * Names fields that a route does not know: a misspelt one is refused with 400 and the nearest right one, any
 * other is ignored and listed in `X-Ignored-Fields`. The contract's own routes refuse none, because a client
 * of the contract may send what it does not name.
 */
export function checkBodyFields(app: FastifyInstance): void {
  app.addHook("preValidation", (request, reply, done) => {
    const unknown = unknownFields(request);
    if (unknown.length === 0) return done();
    if (!isContract(request)) {
      const misspelt = unknown.filter(({ nearest }) => nearest !== undefined);
      if (misspelt.length > 0) {
        return done(
          new ParameterError(
            misspelt.map(({ path, nearest }) => ({
              parameter: path,
              message: `is not known here; did you mean ${nearest}?`,
            })),
          ),
        );
      }
    }
    reply.header("x-ignored-fields", headerNames(unknown.map(({ path }) => path)));
    done();
  });
}

const isContract = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { readonly contract?: boolean }).contract === true;

function unknownFields(request: FastifyRequest): readonly UnknownField[] {
  const { body } = request;
  if (typeof body !== "object" || body === null) return [];
  const schema = request.routeOptions.schema?.body as BodySchema | undefined;
  if (schema === undefined) return [];
  const found: UnknownField[] = [];
  collect([schema], body, "", found);
  return found;
}

/** `schemas`: the forms that the value may have. */
function collect(
  schemas: readonly BodySchema[],
  value: unknown,
  path: string,
  found: UnknownField[],
): void {
  if (typeof value !== "object" || value === null || found.length >= MAX_UNKNOWN) return;
  const forms = schemas.flatMap(formsOf);
  if (Array.isArray(value)) {
    const items = forms.flatMap((form) => form.items ?? []);
    if (items.length === 0) return;
    for (const [i, item] of value.entries()) collect(items, item, inside(path, String(i)), found);
    return;
  }
  const objects = forms.filter((form) => form.properties !== undefined);
  if (objects.length === 0 || forms.some(takesAnything)) return;
  const known = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  for (const [name, inner] of Object.entries(value)) {
    const at = inside(path, name);
    if (known.has(name)) {
      const next = objects.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
      );
      collect(next, inner, at, found);
    } else if (found.length < MAX_UNKNOWN) {
      const absent = [...known].filter((other) => !Object.hasOwn(value, other));
      found.push({ path: at, nearest: nearestName(name, absent) });
    }
  }
}

/** A schema and all that it is put together of. */
function formsOf(schema: BodySchema): readonly BodySchema[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  return parts.length === 0 ? [schema] : [schema, ...parts.flatMap(formsOf)];
}

/** Fields of the client's own choice belong there. */
const takesAnything = ({ additionalProperties, patternProperties }: BodySchema): boolean =>
  patternProperties !== undefined ||
  (additionalProperties !== undefined && additionalProperties !== false);

const inside = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);
