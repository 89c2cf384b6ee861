import type { onRequestHookHandler } from "fastify";
import type { Scope } from "../../domain/platform/api-key.ts";
import { Refusal } from "../errors/refusal.ts";
import { principal } from "./guard.ts";
import { hasScope } from "./principal.ts";

/** For a route of several areas, whose `access` is "any key"; runs behind the guard, before all else. */
export function needsOneOf(...scopes: readonly Scope[]): onRequestHookHandler {
  return (request, _reply, done) => {
    if (scopes.some((scope) => hasScope(principal(request), scope))) done();
    else done(new Refusal(403, "forbidden", `The API key lacks the scope ${scopes.join(" or ")}`));
  };
}
