import type { FastifyInstance } from "fastify";

/**
 * Reads JSON bodies. An empty one is no body: clients that set `Content-Type: application/json` on
 * every request also send it with a POST that has nothing to say.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, String(body), done);
  });
}
