import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { PLUMB } from "../http/plumb-mark.ts";
import { DOCS_POLICY } from "../http/security-headers.ts";

/** Headers of an answer that belong to its way here; the app sends its own. */
const HOP_HEADERS = new Set(["connection", "content-length", "date", "keep-alive"]);

/**
 * The pages of the API's description at `/docs`, whose files are all served from here. The plugin that has them is
 * loaded when one is first asked for: few starts are followed by that. It runs in an app of its own behind two
 * routes, whose answers are those of every other route.
 */
export function serveDocumentation(app: FastifyInstance): void {
  let pages: Promise<FastifyInstance> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    pages ??= openPages(app);
    const { headers, url } = request;
    const page = await (await pages).inject({ method: "GET", url, headers });
    if (page.statusCode === 404) return reply.callNotFound();
    reply.code(page.statusCode).header("content-security-policy", DOCS_POLICY);
    for (const [name, value] of Object.entries(page.headers)) {
      if (!HOP_HEADERS.has(name)) reply.header(name, value);
    }
    return reply.send(page.rawPayload.length === 0 ? undefined : page.rawPayload);
  };
  for (const path of ["/docs", "/docs/*"]) {
    // Nothing secret is in them.
    app.get(path, { config: { access: "public" }, schema: { hide: true } }, answer);
  }
}

async function openPages(described: FastifyInstance): Promise<FastifyInstance> {
  const { default: fastifySwaggerUi } = await import("@fastify/swagger-ui");
  const app = fastify();
  // What it takes from that plugin is the app's own.
  const description = async (inner: FastifyInstance) => {
    inner.decorate("swagger", () => described.swagger());
  };
  Object.assign(description, {
    [Symbol.for("skip-override")]: true,
    [Symbol.for("plugin-meta")]: { name: "@fastify/swagger" },
  });
  await app.register(description);
  await app.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    theme: {
      title: "Plumbline API",
      favicon: [
        {
          ...{ filename: "plumb.svg", rel: "icon", type: "image/svg+xml", sizes: "any" },
          content: PLUMB,
        },
      ],
    },
    uiConfig: {
      url: "/openapi.json",
      persistAuthorization: false,
      // Without the bar that has the name of another product and asks for an address.
      layout: "BaseLayout",
      tryItOutEnabled: true,
      displayRequestDuration: true,
      // 250 schemas below the operations make the page slow; each operation shows its own.
      defaultModelsExpandDepth: -1,
    },
  });
  await app.ready();
  return app;
}
