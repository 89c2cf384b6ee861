import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import type { IdempotencyRecords, IdempotentAnswer } from "../../storage/ports.ts";
import { principal } from "./guard.ts";
import { jsonText } from "./json-text.ts";
import { Refusal } from "./refusal.ts";
import { invalidParameter } from "./validation.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Takes the secret out of a stored answer; for routes whose answer shows one. */
    withoutSecret?: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>;
    /** A repetition joins the work of a first request that still runs, and need not wait for its answer. */
    joinsItself?: boolean;
  }
}

/** How long a repeated request waits for the first one, and how often it looks, ms (B6: 5 s). */
const WAIT_MS = 5_000;
const LOOK_MS = 100;
const MAX_KEY_LENGTH = 255;
const CLAIM_DECORATOR = "idempotencyClaim";

interface Claim {
  readonly scope: string;
  readonly key: string;
}

/**
 * `Idempotency-Key` on every POST of this instance: the same request again gets the first answer
 * (24 h, per API key and path) with `Idempotent-Replayed: true`; another request under the same key
 * is refused. Answers are stored without the secrets they show, because the database holds secrets
 * as hashes only: a repeated creation says where to get a new one instead. Not for routes with
 * `longBody`: a stream cannot be compared with the first one before it is read.
 */
export function answerOnce(
  app: FastifyInstance,
  records: IdempotencyRecords,
  options: { readonly pepper: Uint8Array; readonly now: () => number },
): void {
  const { pepper, now } = options;
  app.decorateRequest(CLAIM_DECORATOR, null);

  async function claimFirst(request: FastifyRequest, reply: FastifyReply) {
    const key = request.headers["idempotency-key"];
    if (key === undefined || request.routeOptions.config?.longBody === true) return;
    if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH) {
      throw invalidParameter("Idempotency-Key", `must have 1 to ${MAX_KEY_LENGTH} characters`);
    }
    const claim = { scope: `${principal(request).keyId} POST ${pathOf(request)}`, key };
    const hash = hashOf(request, pepper);
    const joins = request.routeOptions.config?.joinsItself === true;
    const earlier = await claimOrWait(records, claim, hash, joins, reply, now);
    if (earlier === "joins") return;
    if (earlier === undefined) {
      request.setDecorator<Claim | null>(CLAIM_DECORATOR, claim);
      return;
    }
    return reply
      .code(earlier.status)
      .header("idempotent-replayed", "true")
      .type("application/json; charset=utf-8")
      .send(earlier.body);
  }

  async function settleLast(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const claim = request.getDecorator<Claim | null>(CLAIM_DECORATOR);
    if (claim === null) return payload;
    // The answer to a failing hook passes here again; each claim is settled once.
    request.setDecorator<Claim | null>(CLAIM_DECORATOR, null);
    try {
      await settle(records, claim, request, reply, payload);
    } catch (error) {
      // The work is done and the client must hear of it; a repetition will be told to wait.
      request.log.error({ err: error, request_id: request.id }, "idempotent answer not stored");
    }
    return payload;
  }

  app.addHook("onRoute", (route) => {
    if (route.method !== "POST") return;
    route.preHandler = claimFirst;
    route.onSend = settleLast;
  });
}

async function claimOrWait(
  records: IdempotencyRecords,
  { scope, key }: Claim,
  requestHash: string,
  joins: boolean,
  reply: FastifyReply,
  now: () => number,
): Promise<IdempotentAnswer["response"] | "joins"> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const earlier = await records.claim(scope, key, requestHash, now());
    if (earlier === undefined) return undefined;
    if (earlier.requestHash !== requestHash) {
      throw new DomainError(
        "IDEMPOTENCY_KEY_REUSED",
        "This Idempotency-Key was used with another request",
      );
    }
    if (earlier.response !== undefined) return earlier.response;
    if (joins) return "joins";
    if (waitedMs >= WAIT_MS) {
      reply.header("retry-after", 1);
      throw new Refusal(429, "rate_limit_exceeded", "The first request with this key still runs");
    }
    await delay(LOOK_MS);
  }
}

async function settle(
  records: IdempotencyRecords,
  { scope, key }: Claim,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  if (reply.statusCode >= 300 || typeof payload !== "string") {
    await records.release(scope, key);
    return;
  }
  const strip = request.routeOptions.config?.withoutSecret;
  const body = strip === undefined ? payload : JSON.stringify(strip(JSON.parse(payload)));
  await records.complete(scope, key, { status: reply.statusCode, body });
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? request.url;
}

/** Keyed: a body may hold a password of another system, which its plain hash would let one guess. */
function hashOf(request: FastifyRequest, pepper: Uint8Array): string {
  return createHmac("sha256", pepper)
    .update(`${request.url}\n${jsonText(request.body ?? null, "body")}`)
    .digest("hex");
}
