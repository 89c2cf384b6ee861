import { TLSSocket } from "node:tls";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * What every answer tells a browser: JSON is not a page, runs nothing, and stays out of frames. Routes with
 * pages, pictures and the documentation replace single lines. They are listed here and not taken from a library
 * because the same lines go into answers that no hook sees (bytes that are not HTTP).
 */
export const SECURITY_HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/**
 * Over TLS alone, as RFC 6797 section 7.2 demands: 180 days, and not for subdomains, which may be other
 * people's servers.
 */
const HSTS = `max-age=${180 * 86_400}`;

/** What the pages at `/docs` load: their own files, inline styles and drawings, and this API. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sets the headers on answers that hooks do not reach; hooks set them on all others. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS);
  if (request.raw.socket instanceof TLSSocket) reply.header("strict-transport-security", HSTS);
}

/** Adds the headers to every answer. Register before any hook that refuses requests. */
export function secureAnswers(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    setSecurityHeaders(request, reply);
    done();
  });
}
