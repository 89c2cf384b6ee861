import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { hasBody } from "./body-time.ts";

/** Longest silence of a client whose request is answered already, ms. A longer one would occupy a socket. */
const SILENCE_MS = 1_000;
/** Longest time to read what is left of a body, ms: nginx's default `lingering_time`. */
const DRAIN_MS = 30_000;
/** Most bytes to read of it: more than any body but images may have. */
const DRAIN_BYTES = 64 * 1024 ** 2;
/** How often these limits are checked, ms. */
const CHECK_MS = 250;

/** Connections whose last request is answered, while the rest of its body is discarded. */
const draining = new WeakSet<Socket>();

/** Whether the request that a connection brings has its answer already: a second one would answer nothing. */
export function isDraining(socket: Socket): boolean {
  return draining.has(socket);
}

/**
 * Reads and discards what is left of a body after its answer, on every route: most clients read the answer only
 * when they have sent everything, and unread bytes block the next request of the connection. A client that
 * falls silent, or sends without end, loses the connection. Register before any hook that refuses requests.
 */
export function drainBodies(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    const { socket } = raw;
    // Injected requests have no socket.
    if (socket instanceof Socket && hasBody(raw.headers)) {
      reply.raw.once("finish", () => drain(raw, socket));
    }
    done();
  });
  app.addHook("onError", (_request, reply, _error, done) => {
    // Fastify closes the connection when it refuses a body. That resets it under a client that still sends,
    // and the answer is lost.
    if (!isClosing) reply.removeHeader("connection");
    done();
  });
}

function drain(raw: IncomingMessage, socket: Socket): void {
  if (raw.complete || socket.destroyed) return;
  // Nothing can be read from a request that its route destroyed. The next request could not be either.
  if (raw.destroyed) {
    socket.destroySoon();
    return;
  }
  draining.add(socket);
  raw.once("end", () => draining.delete(socket));
  const startBytes = socket.bytesRead;
  const startMs = performance.now();
  let seenBytes = startBytes;
  let seenMs = startMs;
  const timer = setInterval(() => {
    if (raw.complete) {
      stop();
      return;
    }
    const nowMs = performance.now();
    if (socket.bytesRead > seenBytes) {
      seenBytes = socket.bytesRead;
      seenMs = nowMs;
    }
    const isSilent = nowMs - seenMs >= SILENCE_MS;
    const isEndless = nowMs - startMs >= DRAIN_MS || seenBytes - startBytes > DRAIN_BYTES;
    if (isSilent || isEndless) socket.destroy();
  }, CHECK_MS);
  const stop = (): void => {
    clearInterval(timer);
    socket.off("close", stop);
  };
  socket.once("close", stop);
  // A reader that stopped in the middle of a form is still attached.
  raw.unpipe();
  raw.resume();
}
