import type { FastifyReply, FastifyRequest } from "fastify";
import type { FallbackPage } from "../errors/error-handler.ts";
import { matchesTag } from "../representations/entity-tag.ts";
import type { BuiltConsole } from "./built-console.ts";

/** Paths below which nothing is an address of the console: they keep their 401 and 404. */
const RESERVED = [
  ...["/api", "/docs", "/files", "/health", "/metrics", "/iso15143-3", "/openapi.json"],
  ...["/maps", "/assets"],
];
/** A navigation asks for this; scripts, pictures and clients of the API do not. */
const HTML = /(?:^|,)\s*text\/html\s*(?:;|,|$)/i;

/** The page of the console, at `/` and at every address that it makes up itself. */
export class ConsolePages implements FallbackPage {
  readonly #built: BuiltConsole;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(built: BuiltConsole, headers: Readonly<Record<string, string>>) {
    this.#built = built;
    this.#headers = headers;
  }

  takes({ is404, method, url, headers }: FastifyRequest): boolean {
    if (!is404 || (method !== "GET" && method !== "HEAD")) return false;
    const [path = ""] = url.split("?", 1);
    // What is encoded could be one of them to somebody in front of us.
    if (path.includes("%") || path.includes("//")) return false;
    if (RESERVED.some((one) => path === one || path.startsWith(`${one}/`))) return false;
    return HTML.test(headers.accept ?? "");
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { index, tag } = this.#built;
    reply.headers({ ...this.#headers, "cache-control": "no-cache", etag: tag, vary: "Accept" });
    if (matchesTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
    reply.code(200).type("text/html; charset=utf-8");
    if (request.method !== "HEAD") return reply.send(index);
    return reply.header("content-length", Buffer.byteLength(index)).send();
  }
}
