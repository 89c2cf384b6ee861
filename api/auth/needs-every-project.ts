import type { onRequestHookHandler } from "fastify";
import { Refusal } from "../errors/refusal.ts";
import { principal } from "./guard.ts";

/** For writes to what belongs to no one project; runs behind the guard, before all else. */
export const needsEveryProject: onRequestHookHandler = (request, _reply, done) => {
  if (principal(request).projectIds === undefined) done();
  else done(new Refusal(403, "forbidden", "This needs an API key that sees every project"));
};
