import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { clientNetwork } from "../../../domain/platform/client-network.ts";
import { forgedLogIn } from "../../auth/forged-requests.ts";
import type { Keyring } from "../../auth/keyring.ts";
import type { OwnSite } from "../../auth/own-site.ts";
import type { Principal } from "../../auth/principal.ts";
import { sessionToken, setSessionCookie } from "../../auth/session-cookie.ts";
import type { Sessions } from "../../auth/sessions.ts";
import { FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { createMinuteWindow, windowEndS } from "../../rate-limit/minute-window.ts";
import { NewSession } from "./session-schemas.ts";

export interface LogInOptions {
  readonly keyring: Pick<Keyring, "authenticate">;
  readonly sessions: Sessions;
  readonly site: OwnSite;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/**
 * Wrong keys of one address in a minute that are answered 401. More is no help to people, fewer meets a crew behind one
 * address. A right key is let in all the same (decision 32): keys have 178 random bits, and a bar would lock out others.
 */
const WRONG_PER_MINUTE = 10;
/**
 * Log-ins with one key in a minute. Each begins a count of requests of its own, so more would multiply what a plan
 * allows; fewer meets a crew that starts its shift.
 */
const LOG_INS_PER_MINUTE = 30;
/** Addresses and keys that are counted apart; further ones share a count. 10,000 are about 2 MB. */
const MAX_COUNTED = 10_000;

/** `POST /session`, mounted at `/api/v1`. Outside of what keeps answers to an `Idempotency-Key`: the answer is a secret. */
const logIn: FastifyPluginAsyncTypebox<LogInOptions> = async (app, options) => {
  const { keyring, sessions, site, now } = options;
  const wrong = createMinuteWindow(MAX_COUNTED);
  const right = createMinuteWindow(MAX_COUNTED);

  function refuse(reply: FastifyReply, nowMs: number, message: string): Refusal {
    reply.header("retry-after", Math.max(1, Math.ceil(windowEndS(nowMs) - nowMs / 1_000)));
    return new Refusal(429, "rate_limit_exceeded", message);
  }

  async function identify(
    { body, ip }: FastifyRequest<{ Body: { readonly key: string } }>,
    reply: FastifyReply,
  ): Promise<Principal> {
    const found = await keyring.authenticate(body.key);
    const nowMs = now();
    if (found === undefined) {
      if (wrong.take(clientNetwork(ip), nowMs) > WRONG_PER_MINUTE) {
        throw refuse(reply, nowMs, "Too many wrong keys from this address in this minute");
      }
      throw new Refusal(401, "unauthorized", "Invalid API key");
    }
    if (right.take(found.keyId, nowMs) > LOG_INS_PER_MINUTE) {
      throw refuse(reply, nowMs, "Too many log-ins with this key in this minute");
    }
    return found;
  }

  app.post(
    "/session",
    {
      // The body has the credential, and the route checks it.
      config: { access: "public" },
      schema: {
        operationId: "createSession",
        tags: ["platform"],
        summary: "Log a browser in with an API key",
        description:
          "Answers with a cookie that requests without `Authorization` may have instead of the key. Requests with the cookie that are not GET or HEAD are taken from pages of this service alone: `Sec-Fetch-Site: same-origin`, or else its own `Origin`, and with a body that is not JSON the header `X-Plumbline-Console: 1`. At most 10 wrong keys per address and 30 log-ins per key in a minute; a key has 50 sessions at most, of which the least recently used ends first",
        security: [],
        body: NewSession,
        response: { 204: Type.Null({ description: "Logged in; see Set-Cookie" }), ...FAILURES },
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      const forged = forgedLogIn(request, site);
      if (forged !== undefined) throw forged;
      const { keyId } = await identify(request, reply);
      const isSecure = site.isSecure(request);
      const former = sessionToken(request, isSecure);
      const { key } = request.body;
      const userAgent = request.headers["user-agent"] ?? "";
      const token = await sessions.open({ key, keyId, address: request.ip, userAgent });
      // The browser forgets the cookie that it had; nobody else should go on with it.
      if (former !== undefined) await sessions.endOfToken(former);
      setSessionCookie(reply, token, isSecure);
      return reply.code(204).send(null);
    },
  );
};

export default logIn;
