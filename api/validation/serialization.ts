import fastJsonStringify from "fast-json-stringify";
import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import { ErrorBody } from "../errors/error.ts";
import { oncePerSchema } from "./once-per-schema.ts";

const writer = oncePerSchema((schema) =>
  fastJsonStringify(schema, { schema: { Error: ErrorBody } }),
);

/** Writes answers by the routes' schemas, as Fastify does by itself, but compiles each schema once. */
export function serializeAnswers(app: FastifyInstance): void {
  app.setSerializerCompiler<TSchema>(({ schema }) => writer(schema));
}
