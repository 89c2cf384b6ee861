import { basicCredentials } from "../../../../outbound/basic-credentials.ts";
import type { FleetSource } from "../../../../storage/ports/equipment/fleet-sources.ts";
import type { SecretSeal } from "../../../credentials/secret-seal.ts";
import type { Ask } from "./ask.ts";
import { type AccessToken, requestToken, type TokenRequest } from "./token.ts";

/** How one source is logged in to, from request to request. */
export interface FleetLogin {
  /**
   * Headers of the next request; asks for a token where one is needed and none is left.
   * @throws FleetFailure why there is none.
   */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** The server refused the headers; yields whether there may be better ones: a token can end early. */
  refused(): boolean;
}

/** Opens the secrets of a source. @throws Error when they were sealed under another pepper. */
export function createFleetLogin(
  { id, auth }: Pick<FleetSource, "id" | "auth">,
  options: {
    readonly seal: Pick<SecretSeal, "open">;
    readonly ask: Ask;
    /** Server clock, ms since the Unix epoch. */
    readonly now: () => number;
  },
): FleetLogin {
  const { seal, ask, now } = options;
  const open = (sealed: string): string => seal.open(id, Buffer.from(sealed, "base64"));
  switch (auth.kind) {
    case "none":
      return always({});
    case "basic":
      return always({ authorization: basicCredentials(auth.username, open(auth.sealedPassword)) });
    case "bearer":
      return always({ authorization: `Bearer ${open(auth.sealedToken)}` });
    case "api_key_header":
      return always({ [auth.name]: open(auth.sealedValue) });
    case "oauth2_client_credentials": {
      const { tokenUrl, clientId, scope } = auth;
      const client = { id: clientId, secret: open(auth.sealedClientSecret) };
      return byToken({ tokenUrl, client, owner: undefined, scope }, ask, now);
    }
    case "oauth2_password": {
      const { tokenUrl, username, clientId, sealedClientSecret, scope } = auth;
      const secret = sealedClientSecret === undefined ? undefined : open(sealedClientSecret);
      const client = clientId === undefined ? undefined : { id: clientId, secret };
      const owner = { username, password: open(auth.sealedPassword) };
      return byToken({ tokenUrl, client, owner, scope }, ask, now);
    }
  }
}

/** Keeps a token for as long as it is good. */
function byToken(request: TokenRequest, ask: Ask, now: () => number): FleetLogin {
  let token: AccessToken | undefined;
  let uses = 0;
  return {
    async headers(signal) {
      if (token === undefined || token.usableUntilMs <= now()) {
        uses = 0;
        token = await requestToken(request, ask, { now, signal });
      }
      uses += 1;
      return { authorization: `Bearer ${token.text}` };
    },
    refused() {
      token = undefined;
      // One that was refused at once would not be followed by a better one.
      return uses > 1;
    },
  };
}

const always = (headers: Readonly<Record<string, string>>): FleetLogin => ({
  headers: () => Promise.resolve(headers),
  refused: () => false,
});
