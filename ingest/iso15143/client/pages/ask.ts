import type { OutboundClient } from "../../../../outbound/client.ts";
import type { OutboundAnswer } from "../../../../outbound/exchange.ts";
import type { OutboundRequest } from "../../../../outbound/request.ts";
import { readRetryAfter } from "../../../../outbound/retry-after.ts";
import { FleetFailure } from "./failure.ts";
import { REQUEST_MS } from "./limits.ts";

/** Sends one request for a body. @throws FleetFailure when no answer came. */
export type Ask = (request: Omit<OutboundRequest, "totalMs">) => Promise<OutboundAnswer>;

export function createAsk(outbound: Pick<OutboundClient, "send">): Ask {
  return async (request) => {
    const outcome = await outbound.send({ ...request, totalMs: REQUEST_MS });
    if ("failure" in outcome) throw new FleetFailure(outcome.failure);
    return outcome;
  };
}

/** Why an answer of that status cannot be used. */
export function statusFailure(
  { status, retryAfter }: Pick<OutboundAnswer, "status" | "retryAfter">,
  nowMs: number,
): FleetFailure {
  const isRefusal = status === 401 || status === 403;
  const problem = isRefusal
    ? `answered ${status}: the credentials were refused`
    : `answered ${status}`;
  const retryAfterMs = readRetryAfter(retryAfter, nowMs);
  return new FleetFailure(problem, { httpStatus: status, retryAfterMs, isRefusal });
}
