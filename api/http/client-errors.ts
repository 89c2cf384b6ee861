import type { Socket } from "node:net";
import { writeRawAnswer } from "../../ingest/sockets/raw-answer.ts";
import type { Guard } from "../auth/guard.ts";
import { errorBody } from "../errors/error-handler.ts";
import { isDraining } from "./drain-body.ts";
import { securityHeaders } from "./security-headers.ts";

/** Node's code for a header section above its limit of 16 KiB. */
const HEADER_OVERFLOW = "HPE_HEADER_OVERFLOW";

/**
 * Answers bytes that Node's HTTP parser cannot make a request of. There is no key, so the answer is 400 with
 * the address's window; Node's own 431 and 408 are not among the contract's statuses.
 */
export function refuseUnreadable(
  guard: Guard,
  nextRequestId: () => string,
): (error: { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // ECONNRESET: nobody is there to read an answer. A request whose body is being discarded has one already.
    if (!socket.writable || error.code === "ECONNRESET" || isDraining(socket)) {
      socket.destroy();
      return;
    }
    const message =
      error.code === HEADER_OVERFLOW
        ? "The request's headers are larger than 16 KiB"
        : "The request is not valid HTTP";
    const requestId = nextRequestId();
    const body = JSON.stringify(errorBody("invalid_request", message, requestId));
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": requestId,
      "cache-control": "no-store",
      ...securityHeaders(socket),
      ...guard.addressHeaders(socket.remoteAddress),
    };
    writeRawAnswer(socket, 400, headers, body);
  };
}
