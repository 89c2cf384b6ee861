import type { FleetSourceId } from "../../../domain/ids.ts";
import type { SecretSeal } from "../../../ingest/credentials/secret-seal.ts";
import type { FleetSourceAuth } from "../../../storage/ports/equipment/fleet-sources.ts";
import type { FleetSourceDependencies } from "../../dependencies/dependencies.ts";
import { requireSendable } from "../../validation/sendable-text.ts";
import { invalidParameter } from "../../validation/validation.ts";
import type { GivenAuth } from "./fleet-source-schemas.ts";

type Outbound = FleetSourceDependencies["outbound"];

/** Headers that make a request what it is, or that the client sets itself. */
const OWN_HEADERS =
  /^(?:accept|accept-encoding|connection|content-.*|expect|host|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/** @throws ParameterError for a URL that must not be reached. */
export async function requireReachable(
  outbound: Outbound,
  parameter: string,
  url: string,
): Promise<void> {
  const problem = await outbound.check(url);
  if (problem !== undefined) throw invalidParameter(parameter, problem);
}

/**
 * Credentials of a source on their way to the store, their secrets sealed for that source alone.
 * @throws ParameterError naming what no request can be made with.
 */
export async function sealAuth(
  { outbound, seal }: { readonly outbound: Outbound; readonly seal: Pick<SecretSeal, "seal"> },
  id: FleetSourceId,
  auth: GivenAuth,
): Promise<FleetSourceAuth> {
  const sealed = (secret: string) => Buffer.from(seal.seal(id, secret)).toString("base64");
  switch (auth.kind) {
    case "none":
      return { kind: "none" };
    case "basic":
      requireAllSendable(auth, ["username", "password"]);
      // RFC 7617: the first colon ends the user name.
      if (auth.username.includes(":")) {
        throw invalidParameter("auth.username", "must have no colon");
      }
      return { kind: "basic", username: auth.username, sealedPassword: sealed(auth.password) };
    case "bearer":
      return { kind: "bearer", sealedToken: sealed(auth.token) };
    case "oauth2_client_credentials":
      requireAllSendable(auth, ["client_id", "client_secret", "scope"]);
      await requireReachable(outbound, "auth.token_url", auth.token_url);
      return {
        kind: "oauth2_client_credentials",
        tokenUrl: auth.token_url,
        clientId: auth.client_id,
        sealedClientSecret: sealed(auth.client_secret),
        ...(auth.scope === undefined ? {} : { scope: auth.scope }),
      };
    case "oauth2_password":
      requireAllSendable(auth, ["username", "password", "client_id", "client_secret", "scope"]);
      if (auth.client_secret !== undefined && auth.client_id === undefined) {
        throw invalidParameter("auth.client_id", "is missing beside its client_secret");
      }
      await requireReachable(outbound, "auth.token_url", auth.token_url);
      return {
        kind: "oauth2_password",
        tokenUrl: auth.token_url,
        username: auth.username,
        sealedPassword: sealed(auth.password),
        ...(auth.client_id === undefined ? {} : { clientId: auth.client_id }),
        ...(auth.client_secret === undefined
          ? {}
          : { sealedClientSecret: sealed(auth.client_secret) }),
        ...(auth.scope === undefined ? {} : { scope: auth.scope }),
      };
    case "api_key_header":
      if (OWN_HEADERS.test(auth.name)) {
        throw invalidParameter("auth.name", "is a header that requests have of themselves");
      }
      return { kind: "api_key_header", name: auth.name, sealedValue: sealed(auth.value) };
  }
}

/** @throws ParameterError naming the first of these texts that no request can carry. */
function requireAllSendable<Name extends string>(
  auth: Readonly<Partial<Record<Name, string>>>,
  names: readonly Name[],
): void {
  for (const name of names) requireSendable(`auth.${name}`, auth[name]);
}
