import type { FastifyReply, FastifyRequest } from "fastify";
import type { JobId } from "../../domain/ids.ts";
import type {
  IdempotencyClaim,
  IdempotentAnswer,
} from "../../storage/ports/platform/idempotency.ts";
import type { JobOutline, JobRecords } from "../../storage/ports/platform/jobs.ts";
import type { RecordStore, RecordTransaction } from "../../storage/ports/record-store.ts";
import { Refusal } from "../errors/refusal.ts";

/**
 * How the work of a POST is done once for each `Idempotency-Key`, also when the process is killed:
 * - `transaction`: by `once`. The work and its answer are stored in one transaction.
 * - `begun`: by `begin`. The id of what was begun (a job, a message) is stored in the transaction that
 *   begins it; a repetition goes on with that one.
 * - `repeatable`: doing it again changes nothing, because it only reads, or names what it stores by
 *   its content.
 */
export type OncePolicy = "transaction" | "begun" | "repeatable";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Required on every POST. */
    once?: OncePolicy;
    /** Takes the secret out of a stored answer; for routes whose answer shows one. */
    withoutSecret?: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  }
}

export const KEYED_DECORATOR = "keyedWork";

/** How far the work of a request is; one without an `Idempotency-Key` has no claim. */
export interface KeyedWork {
  readonly claim: IdempotencyClaim | undefined;
  /** What the same request began before. */
  readonly begun: string | undefined;
  /** Work was stored by `once`. */
  isStored: boolean;
}

const UNKEYED = { claim: undefined, begun: undefined };

/** What `request` has done; every request has its own. */
export function keyedWork(request: FastifyRequest): KeyedWork {
  const known = request.getDecorator<KeyedWork | null>(KEYED_DECORATOR);
  if (known !== null) return known;
  const work: KeyedWork = { ...UNKEYED, isStored: false };
  request.setDecorator<KeyedWork | null>(KEYED_DECORATOR, work);
  return work;
}

/**
 * Does the work of a POST in one transaction and stores the answer in it, so that after a crash both
 * are there or neither is. Yields what `work` yields: the body of the answer, for which the status
 * must be set on `reply` before. See `RecordStore.transaction` for what `work` may do.
 * @throws Refusal with 429 when another process took the key over; then nothing is stored.
 */
export async function once<Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  records: Pick<RecordStore, "transaction">,
  work: (transaction: RecordTransaction) => Promise<Body>,
): Promise<Body> {
  const keyed = keyedWork(request);
  const { claim } = keyed;
  const body = await records.transaction(async (transaction) => {
    const made = await work(transaction);
    if (claim !== undefined) {
      const answer = {
        status: reply.statusCode,
        body: storedBody(request, serialized(reply, made)),
      };
      if (!(await transaction.idempotency.complete(claim, answer))) throw stillRuns(reply);
    }
    return made;
  });
  keyed.isStored = true;
  return body;
}

/**
 * Begins work that outlives the request and yields its id, which is stored in the same transaction. A
 * repetition of the request finds it by `begunBefore`.
 * @throws Refusal as `once`.
 */
export async function begin<Begun extends { readonly id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  records: Pick<RecordStore, "transaction">,
  work: (transaction: RecordTransaction) => Promise<Begun>,
): Promise<Begun> {
  const { claim } = keyedWork(request);
  return await records.transaction(async (transaction) => {
    const begun = await work(transaction);
    if (claim !== undefined && !(await transaction.idempotency.begin(claim, begun.id))) {
      throw stillRuns(reply);
    }
    return begun;
  });
}

/** The id of what the same request began before. */
export const begunBefore = (request: FastifyRequest): string | undefined =>
  keyedWork(request).begun;

/** The job that the same request began before, unless it failed or was canceled. */
export async function resumableJob(
  request: FastifyRequest,
  jobs: Pick<JobRecords, "outlines">,
): Promise<JobOutline | undefined> {
  const begun = begunBefore(request);
  const known = begun === undefined ? [] : await jobs.outlines([begun as JobId]);
  return known.find(({ state }) => state !== "failed" && state !== "canceled");
}

/** The answer as it is stored: our database holds no secret in clear. */
export function storedBody(request: FastifyRequest, body: string): IdempotentAnswer["body"] {
  const strip = request.routeOptions.config?.withoutSecret;
  return strip === undefined ? body : JSON.stringify(strip(JSON.parse(body)));
}

/** A refusal of a request whose key another one holds. */
export function stillRuns(reply: FastifyReply): Refusal {
  reply.header("retry-after", 1);
  return new Refusal(429, "rate_limit_exceeded", "The first request with this key still runs");
}

function serialized(reply: FastifyReply, body: unknown): string {
  const text: unknown = reply.serialize(body);
  if (typeof text !== "string") throw new TypeError("the answer to a POST must be JSON");
  return text;
}
