import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { DetailedError } from "../errors/detailed-error.ts";
import type { ErrorDetail } from "../errors/error.ts";
import { headerNames } from "./header-names.ts";
import { oncePerSchema } from "./once-per-schema.ts";

/** A request that names a wrong parameter or body field. */
export class ParameterError extends DetailedError {
  constructor(details: readonly ErrorDetail[]) {
    const [first] = details;
    const message = first === undefined ? "Invalid" : `${first.parameter} ${first.message}`;
    super("PARAMETER_INVALID", message, details);
  }
}

/** Shorthand for one wrong parameter. */
export function invalidParameter(parameter: string, message: string): ParameterError {
  return new ParameterError([{ parameter, message }]);
}

/** The keywords of a query parameter's schema that say how its text is read. */
interface ParameterSchema {
  readonly type?: string;
  readonly default?: unknown;
}

const WHOLE_NUMBER = /^-?\d{1,15}$/;
const DECIMAL_NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;
const TRUTH = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Reads one query parameter as its schema asks for; text that does not fit is a problem, never a guess. */
function read(schema: ParameterSchema, text: string): unknown {
  if (schema.type === "integer") return WHOLE_NUMBER.test(text) ? Number(text) : undefined;
  if (schema.type === "number") return DECIMAL_NUMBER.test(text) ? Number(text) : undefined;
  if (schema.type === "boolean") return TRUTH.get(text.toLowerCase());
  if (schema.type === "array") return text.split(",");
  return text;
}

function compileQuery(schema: TSchema): (query: unknown) => { value: unknown } | { error: Error } {
  const validator = Compile(schema);
  const parameters = Object.entries(parametersOf(schema));
  return (query) => {
    const given = query as Readonly<Record<string, string | readonly string[]>>;
    const value: Record<string, unknown> = {};
    for (const [name, parameter] of parameters) {
      const text = given[name];
      if (text === undefined) {
        if (parameter.default !== undefined) value[name] = parameter.default;
        continue;
      }
      if (typeof text !== "string") {
        return { error: invalidParameter(name, "must be given once") };
      }
      const parsed = read(parameter, text);
      if (parsed === undefined) {
        return { error: invalidParameter(name, `must be ${parameter.type ?? "valid"}`) };
      }
      value[name] = parsed;
    }
    return validator.Check(value) ? { value } : { error: problemsOf(validator.Errors(value)) };
  };
}

function compileBody(schema: TSchema): (body: unknown) => { value: unknown } | { error: Error } {
  const validator = Compile(schema);
  return (body) => {
    if (validator.Check(body)) return { value: body };
    return { error: overlongSet(schema, body) ?? problemsOf(validator.Errors(body)) };
  };
}

/** The keywords that lead to lists without duplicates. */
interface SetSchema {
  readonly uniqueItems?: boolean;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, SetSchema>>;
  readonly anyOf?: readonly SetSchema[];
}

/**
 * The first list without duplicates that is too long. TypeBox copies the list of duplicates for each of them:
 * half a million in a body of 1 MiB blocked the process for more than ten minutes.
 */
function overlongSet(schema: SetSchema, value: unknown, path = ""): ParameterError | undefined {
  const { uniqueItems, maxItems = Number.POSITIVE_INFINITY, properties = {}, anyOf = [] } = schema;
  if (uniqueItems === true && Array.isArray(value) && value.length > maxItems) {
    return invalidParameter(path, `must not have more than ${maxItems} items`);
  }
  for (const variant of anyOf) {
    const found = overlongSet(variant, value, path);
    if (found !== undefined) return found;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    const found = overlongSet(property, inner, path === "" ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const queryReader = oncePerSchema(compileQuery);
const bodyReader = oncePerSchema(compileBody);

/** What TypeBox finds; `params` by the keyword. */
interface SchemaProblem {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/** TypeBox stops at its eighth error, so hostile bodies do not make long answers. */
function problemsOf(errors: readonly SchemaProblem[]): ParameterError {
  return new ParameterError(
    withoutEchoes(errors).flatMap(({ keyword, instancePath, message, params }) => {
      const path = instancePath.slice(1, 200).replaceAll("/", ".");
      if (keyword === "required" && "requiredProperties" in params) {
        // Each by its own name: they are the schema's, and so few.
        return (params.requiredProperties as readonly string[]).map((name) => ({
          parameter: path === "" ? name : `${path}.${name}`,
          message: "is required",
        }));
      }
      // Each unknown key is reported by itself: its schema is `false`.
      if (keyword === "additionalProperties") return [];
      if (keyword === "boolean") return [{ parameter: path, message: "is not known here" }];
      const parameter = path === "" ? "body" : path;
      if (keyword === "enum" && "allowedValues" in params) {
        const allowed = params.allowedValues as readonly string[];
        const choice = allowed.length === 1 ? "must be" : "must be one of";
        return [{ parameter, message: `${choice} ${allowed.join(", ")}` }];
      }
      return [{ parameter, message }];
    }),
  );
}

/** Without errors that only repeat that none of several forms fits: what each form requires comes before them. */
function withoutEchoes(errors: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const rest = errors.filter(({ keyword }) => keyword !== "anyOf");
  return rest.length === 0 ? errors : rest;
}

function parametersOf(schema: TSchema): Readonly<Record<string, ParameterSchema>> {
  return "properties" in schema ? (schema.properties as Record<string, ParameterSchema>) : {};
}

/**
 * Path parameters are not validated: an id that is not well-formed names nothing, which the look-up
 * answers with 404, after every 400.
 */
const compile: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === "params") return (params: unknown) => ({ value: params });
  return httpPart === "querystring" ? queryReader(schema) : bodyReader(schema);
};

/**
 * The app's validation for a route whose body is checked by another schema than the one described. Such a
 * route checks a part of it itself, to report errors more precisely.
 */
export function withBody(schema: TSchema): FastifySchemaCompiler<TSchema> {
  return (route) => (route.httpPart === "body" ? bodyReader(schema) : compile(route));
}

/** Validates with the TypeBox schemas, and names unknown query parameters in X-Ignored-Parameters. */
export function validateRequests(app: FastifyInstance): void {
  app.setValidatorCompiler(compile);
  app.addHook("preValidation", (request, reply, done) => {
    const ignored = ignoredParameters(request);
    if (ignored !== "") reply.header("x-ignored-parameters", ignored);
    done();
  });
}

function ignoredParameters(request: FastifyRequest): string {
  const names = Object.keys(request.query as object);
  if (names.length === 0) return "";
  const schema = request.routeOptions.schema?.querystring as TSchema | undefined;
  const known = schema === undefined ? {} : parametersOf(schema);
  return headerNames(names.filter((name) => !Object.hasOwn(known, name)));
}
