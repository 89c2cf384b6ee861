import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** Nothing is run, framed, sent or fetched but what is named beside it. */
const STRICT = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page for a browser, or a drawing. */
export interface Page {
  readonly type: string;
  readonly body: string | Readable;
  /** What it may load, as directives of a Content-Security-Policy; nothing else. */
  readonly allowed: string;
}

/** Answers with a page that runs nothing and loads what it names alone. */
export function sendPage(reply: FastifyReply, { type, body, allowed }: Page): FastifyReply {
  return reply
    .headers({
      "content-security-policy": `${STRICT}; ${allowed}`,
      "cache-control": "private, no-cache",
    })
    .type(type)
    .send(body);
}

/** The directives of an HTML page with inline style and pictures from these addresses. */
export function htmlAllowing(pictureUrls: Iterable<string>): string {
  const origins = new Set(Array.from(pictureUrls, (url) => new URL(url).origin));
  return `img-src ${["data:", ...origins].join(" ")}; style-src 'unsafe-inline'`;
}
