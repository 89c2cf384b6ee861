import type { FastifyReply, FastifyRequest } from "fastify";
import { principal } from "./guard.ts";
import { Refusal } from "./refusal.ts";

/** Limits the requests of one kind that are under way. */
export interface WorkSlots {
  /**
   * Takes a place; what it yields gives it back.
   * @throws Refusal 429 with `Retry-After` while the key, or the process, has as many as it may.
   */
  enter(request: FastifyRequest, reply: FastifyReply): () => void;
}

/**
 * Places for each API key and for all keys together. With places for all alone, one client that sends
 * slowly would hold all of them.
 */
export function createWorkSlots(limits: {
  /** In the plural, as `uploads`. */
  readonly what: string;
  readonly perKey: number;
  readonly inAll: number;
  readonly retryAfterS: number;
}): WorkSlots {
  const { what, perKey, inAll, retryAfterS } = limits;
  const takenByKey = new Map<string, number>();
  let taken = 0;

  return {
    enter(request, reply) {
      const { keyId } = principal(request);
      const own = takenByKey.get(keyId) ?? 0;
      if (own >= perKey || taken >= inAll) {
        reply.header("retry-after", retryAfterS);
        const bound = own >= perKey ? `${perKey} ${what} of a key` : `${inAll} ${what}`;
        throw new Refusal(429, "rate_limit_exceeded", `At most ${bound} are taken at a time`);
      }
      takenByKey.set(keyId, own + 1);
      taken += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        taken -= 1;
        const left = (takenByKey.get(keyId) ?? 1) - 1;
        if (left === 0) takenByKey.delete(keyId);
        else takenByKey.set(keyId, left);
      };
    },
  };
}
