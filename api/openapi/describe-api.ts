import fastifySwagger from "@fastify/swagger";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import { ErrorBody } from "../errors/error.ts";
import { describeWhole } from "./describe-whole.ts";
import { serveDocumentation } from "./documentation-pages.ts";

/** The interface's version; additive inside v1 (docs/rules.md#keys-and-requests). */
export const API_VERSION = "1.0.0";

const DESCRIPTION = `Where the machines of a construction site are, how much material lies there, and how far the work has come.

Every request under \`/api/v1\` and \`/iso15143-3\` needs an API key: \`Authorization: Bearer <API_KEY>\`; the latter takes it as the password of basic authentication, too. \`/api/v1/ingest\` takes an asset's id and secret instead, \`/api/v1/keys/self\` either. \`/health/*\`, \`/metrics\`, \`/openapi.json\` and \`/docs\` need none.
Requests are counted per key and clock minute: see the \`X-RateLimit-*\` headers, which every answer carries; \`X-RateLimit-Reset\` is the Unix time in seconds at which the minute ends.
Unknown query parameters are ignored and named in \`X-Ignored-Parameters\`, unknown body fields in \`X-Ignored-Fields\`; beyond the contract's own routes, a body field that is nearly a known one is refused with 400 and the name that is probably meant. A POST may carry an \`Idempotency-Key\` (24 h).`;

/**
 * OpenAPI 3.1 from the routes' schemas at `/openapi.json`, and its pages at `/docs`, whose files are
 * all served from here. Register before the routes.
 */
export async function describeApi(app: FastifyInstance): Promise<void> {
  app.addSchema(ErrorBody);
  const configs = new Map<string, FastifyContextConfig>();
  app.addHook("onRoute", (route) => {
    const { operationId } = route.schema ?? {};
    if (operationId !== undefined) configs.set(operationId, route.config ?? {});
  });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Plumbline",
        version: API_VERSION,
        description: DESCRIPTION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      tags: [
        {
          name: "contract",
          description:
            "The eight operations of the interface that this service is built to; all others, by area, come in addition",
        },
        {
          name: "equipment",
          description: "Assets, their positions, readings and use; geofences, visits, alerts",
        },
        {
          name: "progress",
          description:
            "Images of the site, captures that analyse them, and reports of progress against the schedule, zone by zone",
        },
        { name: "surveys", description: "Flights and their products, as maps" },
        { name: "materials", description: "Stockpiles and their measured volumes" },
        { name: "platform", description: "Projects, API keys and events" },
        { name: "operations", description: "Health, metrics and this description" },
      ],
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "An API key" },
          session: {
            type: "apiKey",
            in: "cookie",
            name: "plumbline",
            description:
              "The cookie of `POST /api/v1/session`, in place of a key; over https its name is `__Host-plumbline`",
          },
          basic: {
            type: "http",
            scheme: "basic",
            description: "An API key as password, any user name; for ISO 15143-3 alone",
          },
          device: {
            type: "http",
            scheme: "basic",
            description: "Id and secret of an asset; for `/api/v1/ingest` and `/api/v1/keys/self`",
          },
          deviceToken: {
            type: "http",
            scheme: "bearer",
            description:
              "`<id>.<secret>` of an asset; for `/api/v1/ingest` and `/api/v1/keys/self`",
          },
        },
      },
      security: [{ bearer: [] }, { session: [] }],
    },
    transformObject: (description) =>
      "openapiObject" in description ? describeWhole(description.openapiObject, configs) : {},
    // Shared schemas keep their own names instead of def-0, def-1, ...
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json["$id"] === "string" ? json["$id"] : `def-${i}`,
    },
  });
  serveDocumentation(app);
  app.get(
    "/openapi.json",
    {
      config: { access: "public" },
      // Tools load it, and it is 300 KB.
      compress: {},
      schema: {
        operationId: "getOpenApi",
        tags: ["operations"],
        summary: "This description, OpenAPI 3.1",
        security: [],
        response: {
          200: {
            description: "The OpenAPI document",
            content: {
              "application/json": {
                schema: { title: "OpenApiDocument", type: "object", additionalProperties: true },
              },
            },
          },
        },
      },
    },
    () => app.swagger(),
  );
}
