import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SECURITY_HEADERS } from "../../domain/platform/security-headers.ts";

/**
 * Over TLS alone, as RFC 6797 section 7.2 demands: 180 days, and not for subdomains, which may be other
 * people's servers.
 */
const HSTS = `max-age=${180 * 86_400}`;

/** What the pages at `/docs` load: their own files, inline styles and drawings, and this API. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of an answer on this connection. */
export function securityHeaders(socket: Socket): Readonly<Record<string, string>> {
  if (!(socket instanceof TLSSocket)) return SECURITY_HEADERS;
  return { ...SECURITY_HEADERS, "strict-transport-security": HSTS };
}

/** Sets the headers on answers that hooks do not reach; hooks set them on all others. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders(request.raw.socket));
}

/** Adds the headers to every answer. Register before any hook that refuses requests. */
export function secureAnswers(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    setSecurityHeaders(request, reply);
    done();
  });
}
