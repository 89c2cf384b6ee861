import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/** How long a client may go on sending what nobody wants, ms: an answer has arrived by then. Chosen. */
const LINGER_MS = 5_000;

/**
 * Reads what is left of a body that was refused, and forgets it: a client reads the answer when it has sent
 * its part, and a connection whose data waits is never seen to be closed. Ends one that goes on and on.
 */
export function drainBody(raw: IncomingMessage): void {
  if (raw.complete) return;
  const timer = setTimeout(() => raw.destroy(), LINGER_MS);
  const clear = () => clearTimeout(timer);
  raw.once("end", clear);
  raw.once("close", clear);
  // An iterator that has just ended still counts as the reader.
  setImmediate(() => raw.resume());
}

/**
 * Lets a client that sends a body above the limit read why it is refused. Fastify answers at once and closes
 * the connection; that resets it under a client who still sends, and the answer is lost with it.
 */
export function drainLargeBodies(app: FastifyInstance): void {
  app.addHook("onError", (request, reply, error, done) => {
    if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
      reply.removeHeader("connection");
      drainBody(request.raw);
    }
    done();
  });
}
