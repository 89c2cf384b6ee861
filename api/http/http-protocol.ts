import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../errors/refusal.ts";

/**
 * Takes over what Node's HTTP server would answer by itself, without body, rate headers or request
 * id, and with statuses beyond the contract: an unknown `Expect` (417), a request without `Host` (the
 * server has to be made with `requireHostHeader: false`), and CONNECT (silence).
 */
export function answerForNode(
  app: FastifyInstance,
  refuseConnection: (socket: Socket) => void,
): void {
  // RFC 9110 section 10.1.1: an expectation that is not understood may be passed over.
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit("request", request, response);
  });
  app.server.on("connect", (_request: IncomingMessage, socket: Socket) => refuseConnection(socket));
  app.addHook("onRequest", (request, _reply, done) => {
    // RFC 9112 section 3.2: HTTP/1.1 needs it.
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === "1.1";
    done(lacksHost ? new Refusal(400, "invalid_request", "The Host header is missing") : undefined);
  });
}
