import { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { JobId } from "../../domain/ids.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { JobWatch } from "../../processing/queue/job-watch.ts";
import type { Job } from "../../storage/ports/platform/jobs.ts";
import { Refusal } from "../errors/refusal.ts";

/**
 * Longest wait of one request, ms: 10 min in the queue, and a large survey itself. Whoever asks again waits
 * again. Longer holds sockets that may be dead; shorter makes clients of large surveys ask more often.
 */
const LONGEST_MS = 15 * MINUTE_MS;
/**
 * Silence after which the system asks whether the other side is there, ms: shorter than routers forget. Less
 * is only more packets.
 */
const PROBE_MS = 30_000;
/**
 * When a client that was refused may retry, s: sooner may meet a service that is still starting, later only
 * delays the result.
 */
const COME_AGAIN_S = 10;

const AGAIN = "send the same request again to get its result";
const stoppingText = (work: string): string =>
  `The service is stopping. The ${work} is kept and goes on when the service is back: ${AGAIN}`;
const lateText = (work: string): string =>
  `The ${work} is not done after ${LONGEST_MS / 60_000} min. It goes on: ${AGAIN}`;

/** Requests that wait for jobs. */
export interface JobWaits {
  /**
   * The job once it is over. The job goes on when the wait ends before.
   * @throws Refusal with 500 when it takes too long or the service stops, and when the client has left.
   */
  untilOver(id: JobId, request: FastifyRequest, reply: FastifyReply): Promise<Job>;
}

/**
 * Waits that end with their client, and with the app: nobody is left without an answer when it closes.
 * `work` is what clients call the jobs.
 */
export function createJobWaits(
  app: FastifyInstance,
  watch: JobWatch,
  work: string,
  longestMs = LONGEST_MS,
): JobWaits {
  const waiting = new Set<AbortController>();
  let isClosing = false;
  const stopping = () => new Refusal(500, "internal_error", stoppingText(work));

  app.addHook("preClose", (done) => {
    isClosing = true;
    for (const wait of waiting) wait.abort(stopping());
    done();
  });

  return {
    async untilOver(id, request, reply) {
      if (isClosing) throw stopping();
      const wait = new AbortController();
      // Nobody reads this one; it settles what else waits for the end of the request.
      const leave = () => wait.abort(new Refusal(400, "invalid_request", "The client has left"));
      const timer = setTimeout(
        () => wait.abort(new Refusal(500, "internal_error", lateText(work))),
        longestMs,
      );
      const { socket } = request.raw;
      if (socket instanceof Socket) socket.setKeepAlive(true, PROBE_MS);
      reply.raw.once("close", leave);
      waiting.add(wait);
      try {
        return await watch.untilOver(id, wait.signal);
      } catch (error) {
        if (error instanceof Refusal && error.statusCode === 500) {
          reply.header("retry-after", COME_AGAIN_S);
        }
        // Else an idle connection would keep the app from closing.
        if (isClosing) reply.header("connection", "close");
        throw error;
      } finally {
        waiting.delete(wait);
        reply.raw.off("close", leave);
        clearTimeout(timer);
      }
    },
  };
}
