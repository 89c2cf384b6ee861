import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Answers `Expect: 100-continue` (RFC 9110 section 10.1.1): asks for the body only after the checks that need
 * none of it, so that a client without a key does not send 20 MB to be refused. Node's own server asks for
 * every body at once. A final answer without `100 Continue` ends the connection, because whether the client
 * sends the body all the same cannot be known.
 */
export function answerExpectations(app: FastifyInstance): void {
  /** Requests whose client waits to be asked for the body: hardly any. */
  const waiting = new WeakSet<IncomingMessage>();
  app.server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    app.server.emit("request", request, response);
  });
  app.addHook("preParsing", (request, reply, payload, done) => {
    const { raw } = request;
    if (waiting.has(raw) && !request.is404 && !isTooLong(request)) {
      waiting.delete(raw);
      reply.raw.writeContinue();
    }
    done(null, payload);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (waiting.has(request.raw)) reply.header("connection", "close");
    done(null, payload);
  });
}

/** Whether the body that a request announces will be refused for its length. */
function isTooLong({ headers, routeOptions }: FastifyRequest): boolean {
  const { bodyLimit = Number.POSITIVE_INFINITY, config } = routeOptions;
  return config?.longBody !== true && Number(headers["content-length"]) > bodyLimit;
}
