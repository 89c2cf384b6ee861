import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync } from "fastify";
import type { BuiltConsole } from "./built-console.ts";
import type { ConsolePages } from "./console-pages.ts";

export interface ConsoleFilesOptions {
  readonly built: BuiltConsole;
  readonly pages: ConsolePages;
  readonly headers: Readonly<Record<string, string>>;
}

/** Names with a hash of their content: another content has another name. */
const HASHED = /^assets\/.+[-.][A-Za-z0-9_-]{8,}\.[A-Za-z0-9]+$/;
/** The longest that RFC 9111 section 1.2.2 has a use for is about 68 years; caches understand a year. */
const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * The files of the console, mounted at `/`: a route for each that was there at the start, so that no path leads anywhere
 * else. Compressed copies (`.br`, `.gz`) are sent to browsers that take them.
 */
const consoleFiles: FastifyPluginAsync<ConsoleFilesOptions> = async (app, options) => {
  const { built, pages, headers } = options;
  await app.register(fastifyStatic, {
    root: built.dir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: "deny",
  });
  const route = { config: { access: "public" as const }, schema: { hide: true } };
  app.get("/", route, (request, reply) => pages.send(request, reply));
  for (const file of built.files) {
    const age = HASHED.test(file) ? FOR_EVER : "no-cache";
    app.get(`/${file}`, route, (_request, reply) =>
      reply.headers({ ...headers, "cache-control": age, vary: "Accept-Encoding" }).sendFile(file),
    );
  }
};

export default consoleFiles;
