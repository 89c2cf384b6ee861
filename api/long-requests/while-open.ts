import type { FastifyReply, FastifyRequest } from "fastify";
import { clientNetwork } from "../../domain/platform/client-network.ts";
import { PRINCIPAL_DECORATOR } from "../auth/guard.ts";
import { callerOf, type Principal } from "../auth/principal.ts";
import { Refusal } from "../errors/refusal.ts";
import type { WaitingClient } from "./turns.ts";

/**
 * Fires when the client has gone: a page that was left no longer wants what it asked for. A client may have gone while
 * the request read its records, before anybody listened: then it has fired already.
 */
export function whileOpen(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(new Refusal(503, "unavailable", "Nobody waits for it"));
  if (reply.raw.closed) leave();
  else reply.raw.once("close", leave);
  return gone.signal;
}

/** Who waits for an answer: a key or session, or where a signed address stands in for them the client's network. */
export function waitingClient(request: FastifyRequest, reply: FastifyReply): WaitingClient {
  const principal = request.getDecorator<Principal | null>(PRINCIPAL_DECORATOR);
  const caller = principal === null ? `network/${clientNetwork(request.ip)}` : callerOf(principal);
  return { caller, signal: whileOpen(reply) };
}
