import type { FastifyReply, FastifyRequest } from "fastify";
import { principal } from "../auth/guard.ts";
import { Refusal } from "../errors/refusal.ts";

/** Limits the requests of one kind that are under way. */
export interface WorkSlots {
  /**
   * Takes a place; the returned function gives it back.
   * @throws Refusal 429 with `Retry-After` while the key, or the process, has as many as it may.
   */
  enter(request: FastifyRequest, reply: FastifyReply): () => void;
  /**
   * The same for a request without a key, such as one with a signed address.
   * @param owner whom the place counts for, as a project's id
   */
  enterFor(owner: string, reply: FastifyReply): () => void;
}

/**
 * Places for each owner, an API key where nothing else is said, and for all together. With places for all
 * alone, one client that sends slowly would hold all of them.
 */
export function createWorkSlots(limits: {
  /** In the plural, as `uploads`. */
  readonly what: string;
  /** What an owner is called in refusals. */
  readonly owner?: "key" | "project";
  readonly perOwner: number;
  readonly inAll: number;
  readonly retryAfterS: number;
}): WorkSlots {
  const { what, owner: kind = "key", perOwner, inAll, retryAfterS } = limits;
  const takenByOwner = new Map<string, number>();
  let taken = 0;

  function enterFor(owner: string, reply: FastifyReply): () => void {
    const own = takenByOwner.get(owner) ?? 0;
    if (own >= perOwner || taken >= inAll) {
      reply.header("retry-after", retryAfterS);
      const bound = own >= perOwner ? `${perOwner} ${what} of a ${kind}` : `${inAll} ${what}`;
      throw new Refusal(429, "rate_limit_exceeded", `At most ${bound} are taken at a time`);
    }
    takenByOwner.set(owner, own + 1);
    taken += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      taken -= 1;
      const left = (takenByOwner.get(owner) ?? 1) - 1;
      if (left === 0) takenByOwner.delete(owner);
      else takenByOwner.set(owner, left);
    };
  }

  return {
    enter: (request, reply) => enterFor(principal(request).keyId, reply),
    enterFor,
  };
}
