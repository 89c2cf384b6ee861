import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { principal } from "../auth/guard.ts";
import type { OwnSite } from "../auth/own-site.ts";
import { Refusal } from "../errors/refusal.ts";
import { ApiReader } from "./api-reader.ts";
import { openAssistantServer } from "./assistant-server.ts";

export interface AssistantRoutesOptions {
  /** What assistants may do. */
  readonly assistants: "read" | "write";
  readonly site: OwnSite;
  /** Origins of others whose pages may call the API, or `*`. */
  readonly corsOrigins: readonly string[];
  readonly publicUrl: string | undefined;
  /** Service clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/**
 * `/mcp`: the Model Context Protocol over streamable HTTP (revision 2025-06-18), for assistants that answer a person's
 * questions with figures of the API. Every request stands alone: no session is kept, any process may answer, and
 * answers are JSON, never a stream.
 */
const assistantRoutes: FastifyPluginAsync<AssistantRoutesOptions> = async (app, options) => {
  const { assistants, site, corsOrigins, publicUrl, now } = options;

  app.post(
    "/mcp",
    { config: { access: "any key" }, schema: { hide: true } },
    async (request, reply) => {
      const authorization = bearerOf(request);
      checkOrigin(request);
      const api = new ApiReader(app, authorization);
      const { WebStandardStreamableHTTPServerTransport } = await import(
        "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
      );
      const server = await openAssistantServer({
        caller: principal(request),
        api,
        mayWrite: assistants === "write",
        baseUrl: publicUrl?.replace(/\/$/, ""),
        now,
      });
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      try {
        await server.connect(transport);
        const answer = await transport.handleRequest(webRequest(request), {
          parsedBody: request.body,
        });
        const type = answer.headers.get("content-type");
        if (type !== null) reply.type(type);
        return await reply.code(answer.status).send(await answer.text());
      } finally {
        await server.close();
      }
    },
  );
  // The protocol's own way to say that there are neither streams nor sessions.
  for (const method of ["GET", "DELETE"] as const) {
    app.route({
      method,
      url: "/mcp",
      config: { access: "any key" },
      schema: { hide: true },
      handler: (_request, reply) => {
        reply.header("allow", "POST");
        throw new Refusal(
          405,
          "invalid_request",
          "/mcp takes POST: it has no streams and no sessions",
        );
      },
    });
  }

  /** The protocol asks for it: a page of others in a browser could reach a service of the local network. */
  function checkOrigin(request: FastifyRequest): void {
    const { origin } = request.headers;
    if (site.sentBy(request) !== "other page") return;
    if (origin !== undefined && (corsOrigins.includes(origin) || corsOrigins.includes("*"))) return;
    throw new Refusal(403, "forbidden", "Origin is that of another page; CORS_ORIGINS may name it");
  }
};

/** The caller's own header: a session's cookie is of the console's pages, which do not ask here. */
function bearerOf(request: FastifyRequest): string {
  const { authorization } = request.headers;
  if (authorization !== undefined && principal(request).sessionId === undefined) {
    return authorization;
  }
  throw new Refusal(401, "unauthorized", "/mcp takes an API key as Authorization: Bearer KEY");
}

/** What the protocol's library reads of a request; the body is given beside it. */
function webRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const name of ["accept", "content-type", "mcp-protocol-version", "last-event-id"]) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Request("http://localhost/mcp", { method: "POST", headers });
}

export default assistantRoutes;
