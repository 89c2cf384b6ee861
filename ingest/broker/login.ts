import type { Settings } from "../../config/settings.ts";
import { type AssetId, isId, randomBase62 } from "../../domain/ids.ts";
import type { AssetDirectory } from "../asset-directory.ts";
import type { Intake } from "../intake/intake.ts";
import type { BrokerCounters } from "./counters.ts";
import { createAddressGuard, createTakeoverGuard } from "./login-guard.ts";

/** User name of readers; their password is an API key. */
const READER = "apikey";
/** CONNACK return codes, MQTT 3.1.1 table 3.1. */
const REFUSED = { clientId: 2, unavailable: 3, badLogin: 4, notAuthorized: 5 } as const;
const NO_HASH = new Uint8Array(32);

export type BrokerSettings = Pick<
  Settings,
  "mqttHost" | "mqttPort" | "mqttWsPort" | "mqttsPort" | "tlsCertFile" | "tlsKeyFile" | "tlsCaFile"
>;

/** What an API key with `events:read` may see. */
export interface ReaderAccess {
  allows(projectId: string): boolean;
}

/** Who is behind a connection. */
export type Principal =
  | { readonly kind: "device"; readonly assetId: AssetId; readonly secretHash: Uint8Array }
  | { readonly kind: "reader"; readonly key: string; access: ReaderAccess };

export interface LoginOptions {
  readonly intake: Pick<Intake, "accepting" | "isRefused">;
  readonly directory: Pick<AssetDirectory, "find">;
  /** Compares a secret with its HMAC in constant time. */
  readonly verifySecret: (secret: string, hash: Uint8Array) => boolean;
  readonly authenticateReader: (key: string) => Promise<ReaderAccess | undefined>;
  /** Whether a connection with that session id is open now. */
  readonly isTaken: (sessionId: string) => boolean;
  readonly counters: BrokerCounters;
  readonly now: () => number;
  readonly onBarred: (what: { readonly address?: string; readonly clientId?: string }) => void;
}

/** The words of a CONNECT that a log-in is judged by. */
export interface LoginRequest {
  readonly address: string;
  /** As in {@link sessionId}. */
  readonly sessionId: string;
  /** Whether the client sent no id although it asked for a kept session [MQTT-3.1.3-8]. */
  readonly lacksId: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** Either somebody, or the CONNACK return code to refuse with. */
export type LoginResult =
  | { readonly principal: Principal }
  | { readonly returnCode: (typeof REFUSED)[keyof typeof REFUSED] };

/** The id of a session inside the broker: bound to the user, so that nobody takes over another's. */
export function sessionId(username: string | undefined, clientId: string): string {
  return `${username ?? ""}/${clientId === "" ? randomBase62(16) : clientId}`;
}

/** Builds the check of user names and passwords, with its blocks and bans. */
export function createLogin(
  options: LoginOptions,
): (request: LoginRequest) => LoginResult | Promise<LoginResult> {
  const { intake, directory, verifySecret, authenticateReader, isTaken } = options;
  const { counters, now, onBarred } = options;
  const addresses = createAddressGuard();
  const takeovers = createTakeoverGuard();

  function fail(address: string): LoginResult {
    counters.login_failed += 1;
    if (addresses.note(address, now())) onBarred({ address });
    return { returnCode: REFUSED.badLogin };
  }

  /** The last hurdle, for those who are who they say. */
  function admit(request: LoginRequest, principal: Principal): LoginResult {
    const nowMs = now();
    if (principal.kind === "device" && intake.isRefused(principal.assetId)) {
      counters.login_blocked += 1;
      return { returnCode: REFUSED.notAuthorized };
    }
    const barred = takeovers.isBarred(request.sessionId, nowMs);
    // A device that comes back after it left, however often, throws nobody out.
    const takesOver = !barred && isTaken(request.sessionId);
    const newlyBarred = takesOver && takeovers.note(request.sessionId, nowMs);
    if (newlyBarred) onBarred({ clientId: request.sessionId });
    if (barred || newlyBarred) {
      counters.takeover_banned += 1;
      return { returnCode: REFUSED.notAuthorized };
    }
    counters.logins += 1;
    return { principal };
  }

  return (request) => {
    const { address, username, password = "" } = request;
    if (addresses.isBarred(address, now())) {
      counters.login_blocked += 1;
      return { returnCode: REFUSED.notAuthorized };
    }
    if (!intake.accepting) {
      counters.login_degraded += 1;
      return { returnCode: REFUSED.unavailable };
    }
    if (request.lacksId) {
      counters.login_bad_client_id += 1;
      return { returnCode: REFUSED.clientId };
    }
    if (username === READER) {
      return authenticateReader(password).then(
        (access) =>
          access === undefined
            ? fail(address)
            : admit(request, { kind: "reader", key: password, access }),
        // The record store is away: nobody's fault, and no failed log-in.
        () => ({ returnCode: REFUSED.unavailable }),
      );
    }
    const assetId = (username ?? "") as AssetId;
    const entry = isId(assetId) ? directory.find(assetId) : undefined;
    // An unknown asset costs the same time as a wrong secret.
    const isRight = verifySecret(password, entry?.secretHash ?? NO_HASH);
    if (entry === undefined || !isRight) return fail(address);
    return admit(request, { kind: "device", assetId, secretHash: entry.secretHash });
  };
}
