import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Takes large bodies, and watches over the time itself; those of JSON are never large. */
    longBody?: boolean;
  }
}

/**
 * Ends requests whose body takes longer than `limitMs`: slower clients would occupy a socket. Node's own
 * limit holds for all routes, so it has to be that of the longest upload.
 */
export function limitBodyTime(
  app: FastifyInstance,
  limitMs: number,
  refuse: (error: { readonly code?: string }, socket: Socket) => void,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    // Requests that tests inject have no socket, and no client who could be slow.
    const isFromClient = raw.socket instanceof Socket;
    if (
      isFromClient &&
      !raw.complete &&
      (request.routeOptions.config?.longBody !== true || isJson(raw.headers)) &&
      hasBody(raw.headers)
    ) {
      const timer = setTimeout(() => {
        // A route may leave a body that came in time unread, or be sending its answer, which a second one breaks.
        if (!raw.complete && !reply.raw.headersSent) refuse({}, raw.socket);
      }, limitMs);
      const clear = () => clearTimeout(timer);
      raw.once("end", clear);
      raw.once("close", clear);
      // From here on the time to discard the rest counts (drain-body).
      reply.raw.once("finish", clear);
    }
    done();
  });
}

/** Whether headers announce a body of one byte or more. */
export function hasBody(headers: NodeJS.Dict<string | string[]>): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

const isJson = (headers: NodeJS.Dict<string | string[]>): boolean =>
  /^application\/json\b/i.test(String(headers["content-type"]));
