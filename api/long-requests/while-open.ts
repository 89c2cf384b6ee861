import type { FastifyReply } from "fastify";
import { Refusal } from "../errors/refusal.ts";

/** Fires when the client has gone: a page that was left no longer wants what it asked for. */
export function whileOpen(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort(new Refusal(503, "unavailable", "Nobody waits for it")));
  return gone.signal;
}
