import type { ClientRequest } from "node:http";
import { OutboundError } from "./failure.ts";

/**
 * Interim answers (status 1xx) to one request at most; an honest server sends one or two. More would let a
 * server keep a request open with them.
 */
const MAX_INTERIM = 10;

/**
 * Calls `onFailure`, once or more often, when a request fails, also where `node:http` has no error for
 * it. That is an endless row of interim answers, or a connection that ends without an answer, as after
 * an unrequested switch of protocols (101).
 */
export function watchForAnswer(outgoing: ClientRequest, onFailure: (error: Error) => void): void {
  let interim = 0;
  outgoing.on("information", () => {
    interim += 1;
    if (interim > MAX_INTERIM) outgoing.destroy(new OutboundError("not http"));
  });
  // Not `once`: a second error without a listener would end the process.
  outgoing.on("error", onFailure);
  outgoing.once("close", () => onFailure(new OutboundError("connection reset")));
}
