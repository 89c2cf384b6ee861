import type { onRequestHookHandler } from "fastify";
import type { Scope } from "../../domain/api-key.ts";
import { hasScope } from "../auth/principal.ts";
import { principal } from "./guard.ts";
import { Refusal } from "./refusal.ts";

/** For a route that needs a second scope beside its `access`; runs behind the guard, before all else. */
export function alsoNeeds(scope: Scope): onRequestHookHandler {
  return (request, _reply, done) => {
    if (hasScope(principal(request), scope)) done();
    else done(new Refusal(403, "forbidden", `The API key lacks the scope ${scope}`));
  };
}
