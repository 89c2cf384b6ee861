import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { SECURITY_HEADERS } from "../../domain/platform/security-headers.ts";
import { writeRawAnswer } from "./raw-answer.ts";

/** Most bytes of a refused body to read: four times the largest message. More is not a device's. */
const MAX_DISCARDED_BYTES = 1024 * 1024;
/** Longest silence of a sender whose request is answered already, ms: as for the API. A longer one wastes a socket. */
const SILENCE_MS = 1_000;

/** Node's code for a request, or its headers, that took too long. */
const TOO_SLOW = "ERR_HTTP_REQUEST_TIMEOUT";
const NOT_HTTP = "not valid HTTP";

/**
 * Answers with a short text for the person who reads a log of the sender. No HSTS, also over TLS: it would bind
 * the whole host, whose API need not have TLS, for a browser that a person pointed at a device's port.
 */
export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const body = text === "" ? "" : `${text}\n`;
  response.writeHead(status, { ...headersOf(body), ...more });
  response.end(body);
}

/** The same on a connection that is not one of Node's HTTP server, or no longer; ends it. */
export function answerOnSocket(
  socket: Duplex,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const body = `${text}\n`;
  // Node takes its own listener away from a connection that asks for an upgrade.
  socket.on("error", () => undefined);
  writeRawAnswer(socket, status, { ...headersOf(body), ...more }, body);
  // A peer that does not close in turn would hold the socket.
  socket.once("finish", () => socket.destroy());
}

/**
 * Takes over what Node's HTTP server answers by itself and without headers. That is bytes that are not HTTP, a header
 * section that is too long, a request that takes too long, CONNECT and an unknown `Expect`. Also HTTP/1.1 without
 * `Host` (the server has to be made with `requireHostHeader: false`). Every other request goes to `listener`.
 */
export function serveDevices(server: Server, listener: RequestListener): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const take: RequestListener = (request, response) => {
    latest.set(request.socket, response);
    // RFC 9112 section 3.2: HTTP/1.1 needs it.
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      if (!request.complete) discardBody(request);
      answerText(response, 400, "the Host header is missing");
      return;
    }
    listener(request, response);
  };
  server.on("request", take);
  // RFC 9110 section 10.1.1: an expectation that is not understood may be passed over.
  server.on("checkExpectation", take);
  server.on("clientError", (error: Error & { readonly code?: string }, socket) => {
    const last = latest.get(socket);
    const isAnswered = last?.headersSent === true && !last.req.complete;
    // Other errors are of a socket that is gone, or of a TLS handshake that failed. A request whose body is being
    // discarded has its answer already.
    const isOfHttp = error.code === TOO_SLOW || error.code?.startsWith("HPE_") === true;
    if (!socket.writable || !isOfHttp || isAnswered) {
      socket.destroy();
      return;
    }
    if (error.code === "HPE_HEADER_OVERFLOW") answerOnSocket(socket, 431, "headers are too long");
    else if (error.code === TOO_SLOW) answerOnSocket(socket, 408, "too slow");
    else answerOnSocket(socket, 400, NOT_HTTP);
  });
  // A tunnel to somewhere, which Node would close in silence.
  server.on("connect", (_request, socket) => answerOnSocket(socket, 400, NOT_HTTP));
}

/**
 * Reads what is left of a body without keeping it, so that the answer gets through. A sender that goes on for long
 * or falls silent is cut off.
 */
export function discardBody(request: IncomingMessage): void {
  let bytes = 0;
  const silence = setTimeout(() => request.destroy(), SILENCE_MS);
  request.once("close", () => clearTimeout(silence));
  request.on("error", () => undefined);
  request.on("data", (chunk: Buffer) => {
    silence.refresh();
    bytes += chunk.byteLength;
    if (bytes > MAX_DISCARDED_BYTES) request.destroy();
  });
}

const headersOf = (body: string): Record<string, string> => ({
  "content-type": "text/plain; charset=utf-8",
  "content-length": String(Buffer.byteLength(body)),
  ...SECURITY_HEADERS,
});
