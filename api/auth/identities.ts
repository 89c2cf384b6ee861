import type { FastifyRequest } from "fastify";
import { basicPassword } from "./basic-password.ts";
import { bearerToken } from "./bearer-token.ts";
import type { Keyring } from "./keyring.ts";
import type { OwnSite } from "./own-site.ts";
import type { Principal } from "./principal.ts";
import { sessionToken } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";

/** What a request proves its sender by: an API key in `Authorization`, or the cookie of a session. */
export type Credential =
  | { readonly kind: "key"; readonly secret: string }
  | { readonly kind: "session"; readonly secret: string };

/** Turns the credentials of requests into principals. */
export class Identities {
  readonly #keyring: Pick<Keyring, "recall" | "authenticate">;
  readonly #sessions: Pick<Sessions, "recall" | "authenticate">;
  readonly #site: OwnSite;

  constructor(
    keyring: Pick<Keyring, "recall" | "authenticate">,
    sessions: Pick<Sessions, "recall" | "authenticate">,
    site: OwnSite,
  ) {
    this.#keyring = keyring;
    this.#sessions = sessions;
    this.#site = site;
  }

  /**
   * The credential of a request, in the form that its route takes. A request with `Authorization` is judged by that
   * alone: a wrong key does not fall back to the cookie.
   */
  credentialOf(request: FastifyRequest): Credential | undefined {
    const { authorization } = request.headers;
    if (authorization === undefined) {
      const secret = sessionToken(request, this.#site.isSecure(request));
      return secret === undefined ? undefined : { kind: "session", secret };
    }
    const token = bearerToken(authorization);
    const secret =
      token === undefined && takesBasic(request) ? basicPassword(authorization) : token;
    return secret === undefined ? undefined : { kind: "key", secret };
  }

  /** The principal of a credential that was looked up within the last 4 s; never waits. */
  recall({ kind, secret }: Credential): Principal | undefined {
    return this.#of(kind).recall(secret);
  }

  /**
   * The principal of a valid credential.
   * @throws DomainError `STORE_UNAVAILABLE` when it cannot be decided.
   */
  authenticate({ kind, secret }: Credential): Promise<Principal | undefined> {
    return this.#of(kind).authenticate(secret);
  }

  #of(kind: Credential["kind"]): Pick<Keyring, "recall" | "authenticate"> {
    return kind === "key" ? this.#keyring : this.#sessions;
  }
}

/** Whether the route of a request takes the key as the password of basic authentication, too. */
export const takesBasic = (request: FastifyRequest): boolean =>
  request.routeOptions.config?.basic === true;
