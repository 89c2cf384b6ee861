import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import type {
  ClaimOutcome,
  IdempotencyRecords,
  KeyedRequest,
} from "../../storage/ports/platform/idempotency.ts";
import { principal } from "../auth/guard.ts";
import { invalidParameter } from "../validation/validation.ts";
import { createClaimKeeper } from "./claim-keeper.ts";
import { KEYED_DECORATOR, type KeyedWork, keyedWork, stillRuns, storedBody } from "./once.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A repetition joins the work of a first request that still runs, and need not wait for its answer. */
    joinsItself?: boolean;
  }
}

/** How long a repeated request waits for the first one, and how often it polls, ms (B6: 5 s). */
const WAIT_MS = 5_000;
const POLL_MS = 100;
const MAX_KEY_LENGTH = 255;

/**
 * `Idempotency-Key` on every POST of this instance: the same request again gets the first answer
 * (24 h, per API key and path) with `Idempotent-Replayed: true`; another request under the same key
 * is refused. Answers are stored without the secrets they show, because the database holds secrets
 * as hashes only: a repeated creation says where to get a new one instead. Not for routes with
 * `longBody`: a stream cannot be compared with the first one before it is read.
 *
 * A route that does not declare its `OncePolicy` cannot be registered, and an answer of a route
 * with the policy `transaction` that did its work outside `once` is an error.
 */
export function answerOnce(
  app: FastifyInstance,
  records: IdempotencyRecords,
  options: { readonly pepper: Uint8Array; readonly now: () => number },
): void {
  const { pepper, now } = options;
  const keeper = createClaimKeeper(records);
  app.decorateRequest(KEYED_DECORATOR, null);
  app.addHook("onClose", async () => keeper.stop());

  async function claimFirst(request: FastifyRequest, reply: FastifyReply) {
    const key = request.headers["idempotency-key"];
    const { longBody, joinsItself = false } = request.routeOptions.config ?? {};
    if (key === undefined || longBody === true) return;
    if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH) {
      throw invalidParameter("Idempotency-Key", `must have 1 to ${MAX_KEY_LENGTH} characters`);
    }
    const scope = `${principal(request).keyId} POST ${pathOf(request)}`;
    const keyed = { scope, key, requestHash: hashOf(request, pepper) };
    const outcome = await claimOrWait(keyed, joinsItself, reply);
    if ("claim" in outcome) keeper.keep(outcome.claim);
    const answer = "claim" in outcome ? undefined : outcome.earlier.answer;
    const { begun } = "claim" in outcome ? outcome : outcome.earlier;
    const work: KeyedWork = {
      claim: "claim" in outcome ? outcome.claim : undefined,
      begun,
      isStored: answer !== undefined,
    };
    request.setDecorator<KeyedWork | null>(KEYED_DECORATOR, work);
    if (answer === undefined) return;
    return reply
      .code(answer.status)
      .header("idempotent-replayed", "true")
      .type("application/json; charset=utf-8")
      .send(answer.body);
  }

  async function claimOrWait(
    keyed: KeyedRequest,
    joins: boolean,
    reply: FastifyReply,
  ): Promise<ClaimOutcome> {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const outcome = await records.claim(keyed, now(), keeper.leaseMs);
      if ("claim" in outcome) return outcome;
      const { requestHash, answer } = outcome.earlier;
      if (requestHash !== keyed.requestHash) {
        throw new DomainError(
          "IDEMPOTENCY_KEY_REUSED",
          "This Idempotency-Key was used with another request",
        );
      }
      if (answer !== undefined || joins) return outcome;
      if (waitedMs >= WAIT_MS) throw stillRuns(reply);
      await delay(POLL_MS);
    }
  }

  async function settleLast(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const work = keyedWork(request);
    const isDone = reply.statusCode < 300;
    if (isDone && !work.isStored && request.routeOptions.config?.once === "transaction") {
      throw new Error(`${request.routeOptions.url ?? "a route"} answers outside its transaction`);
    }
    const { claim } = work;
    // The answer to a failing hook passes here again; each claim is settled once.
    if (claim === undefined || !keeper.drop(claim)) return payload;
    try {
      if (!isDone || typeof payload !== "string") await records.release(claim);
      else if (!work.isStored) {
        await records.complete(claim, {
          status: reply.statusCode,
          body: storedBody(request, payload),
        });
      }
    } catch (error) {
      // The work is done and the client must get the answer; a repetition finds what it began.
      request.log.error({ err: error, request_id: request.id }, "idempotent answer not stored");
    }
    return payload;
  }

  app.addHook("onRoute", (route) => {
    if (route.method !== "POST") return;
    if (route.config?.once === undefined) {
      throw new Error(`POST ${route.url} does not declare how it is done once`);
    }
    route.preHandler = claimFirst;
    // Before the answer is compressed: what is stored is its text.
    route.onSend = [settleLast, ...[route.onSend ?? []].flat()];
  });
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? request.url;
}

/** Keyed: a body may hold a password of another system, which its plain hash would let one guess. */
function hashOf(request: FastifyRequest, pepper: Uint8Array): string {
  return createHmac("sha256", pepper)
    .update(`${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest("hex");
}
