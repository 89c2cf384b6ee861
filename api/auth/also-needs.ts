import type { onRequestHookHandler } from "fastify";
import type { Scope } from "../../domain/platform/api-key.ts";
import { Refusal } from "../errors/refusal.ts";
import { principal } from "./guard.ts";
import { hasScope } from "./principal.ts";

/** For a route that needs a second scope beside its `access`; runs behind the guard, before all else. */
export function alsoNeeds(scope: Scope): onRequestHookHandler {
  return (request, _reply, done) => {
    if (hasScope(principal(request), scope)) done();
    else done(new Refusal(403, "forbidden", `The API key lacks the scope ${scope}`));
  };
}
