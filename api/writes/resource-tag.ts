import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from "fastify";
import type { RecordStore, RecordTransaction } from "../../storage/ports/record-store.ts";
import { CHANGED, NOT_MODIFIED } from "../errors/error.ts";
import { Refusal } from "../errors/refusal.ts";
import { answerTagged, tagHash } from "../representations/entity-tag.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Answers of success have an entity tag. A GET then answers `If-None-Match`; a PUT, PATCH or DELETE compares
     * `If-Match` in the transaction of its change, by `ifMatching` and the like.
     */
    tagged?: boolean;
  }
}

const STATE_DECORATOR = "storedState";
/** The part that names the state, in a tag of ours that is not weak. */
const STATE = /^"([\w-]+)\.[\w-]+"$/;
const CONDITIONAL = new Set(["PUT", "PATCH", "DELETE"]);

/**
 * Entity tags of single resources: `"<state>.<body>"`, hashes of what is stored of it and of the very bytes of the
 * answer, which may also show what changes by itself, such as a position. `If-None-Match` compares the whole
 * tag, `If-Match` the state: what is not stored cannot be overwritten. Before any route.
 */
export function tagResources(app: FastifyInstance): void {
  app.decorateRequest(STATE_DECORATOR, null);
  app.addHook("onRoute", (route) => {
    const { config = {}, schema = {} } = route;
    const changes = CONDITIONAL.has(String(route.method));
    const isTagged = config.tagged === true;
    if (!isTagged && (!changes || config.contract === true)) return;
    const answer = changes ? CHANGED : NOT_MODIFIED;
    route.schema = { ...schema, response: { ...(schema.response as object), ...answer } };
    if (isTagged) route.onSend = [tagState, ...[route.onSend ?? []].flat()];
    else route.preHandler = [...[route.preHandler ?? []].flat(), refuseCondition];
  });
}

/** Notes what is stored of the resource that the answer shows. */
export function noteState(request: FastifyRequest, state: object): void {
  request.setDecorator<object | null>(STATE_DECORATOR, state);
}

/**
 * A change that is made only of the state that the request's condition asks for. For the `update` of a port, which
 * reads, changes and writes in one transaction: of two requests with one tag, one finds the other's change.
 * @throws Refusal 412
 */
export const ifMatching =
  <Before extends object, After extends object | undefined>(
    request: FastifyRequest,
    change: (before: Before) => After,
  ) =>
  (before: Before): After => {
    requireMatch(request, before);
    const after = change(before);
    if (after !== undefined) noteState(request, after);
    return after;
  };

/**
 * Removes a resource if it is in the state that the request's condition asks for.
 * @param hold  calls `keep` with what is stored, and locks it until the transaction ends
 * @throws Refusal 412
 */
export async function removeMatching<Records extends Pick<RecordStore, "transaction">>(
  request: FastifyRequest,
  records: Records,
  hold: (records: RecordTransaction, keep: <T extends object>(before: T) => T) => Promise<unknown>,
  remove: (records: Records | RecordTransaction) => Promise<unknown>,
): Promise<void> {
  if (!hasCondition(request)) {
    await remove(records);
    return;
  }
  await records.transaction(async (transaction) => {
    await hold(transaction, (before) => {
      requireMatch(request, before);
      return before;
    });
    await remove(transaction);
  });
}

/**
 * Compares the request's condition with what is stored; `undefined`: nothing.
 * @throws Refusal 412 (RFC 9110 sections 13.1.1 and 13.1.2)
 */
export function requireMatch(request: FastifyRequest, stored: object | undefined): void {
  const { "if-match": wanted, "if-none-match": unwanted } = request.headers;
  if (wanted !== undefined && !isNamed(wanted, stored)) {
    throw new Refusal(
      412,
      "precondition_failed",
      stored === undefined
        ? "There is nothing that If-Match could name"
        : "If-Match does not name the present state: read the resource again",
    );
  }
  if (unwanted !== undefined && stored !== undefined && isUnwanted(unwanted, stored)) {
    throw new Refusal(412, "precondition_failed", "If-None-Match names what is there");
  }
}

/** Strong comparison: a weak tag names no state that one may rely on. */
function isNamed(header: string, stored: object | undefined): boolean {
  if (stored === undefined) return false;
  if (header.trim() === "*") return true;
  const state = tagHash(canonical(stored));
  return header.split(",").some((tag) => STATE.exec(tag.trim())?.[1] === state);
}

const isUnwanted = (header: string, stored: object): boolean =>
  header.trim() === "*" || isNamed(header.replaceAll("W/", ""), stored);

const hasCondition = ({ headers }: FastifyRequest): boolean =>
  headers["if-match"] !== undefined || headers["if-none-match"] !== undefined;

/** A route that cannot compare must not act as if it had. */
const refuseCondition: preHandlerHookHandler = (request, _reply, done) => {
  if (request.headers["if-match"] === undefined) return done();
  done(
    new Refusal(
      412,
      "precondition_failed",
      "This method takes no If-Match: there is no entity tag",
    ),
  );
};

async function tagState(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  // What is gone (204) has no tag.
  if (reply.statusCode > 201 || typeof payload !== "string") return payload;
  const state = request.getDecorator<object | null>(STATE_DECORATOR);
  const body = tagHash(payload);
  const etag = state === null ? `"${body}"` : `"${tagHash(canonical(state))}.${body}"`;
  if (!CONDITIONAL.has(request.method)) return answerTagged(request, reply, payload, etag);
  reply.header("etag", etag);
  return payload;
}

/** The same text for the same values, in whatever order a store yields the fields. */
const canonical = (value: object): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
