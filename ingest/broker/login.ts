import { createHmac, randomBytes } from "node:crypto";
import { type AssetId, isId, randomBase62 } from "../../domain/ids.ts";
import type { ClientCertificate } from "../../tls/client-certificate.ts";
import { createTakeoverGuard, FailedLogins } from "../credentials/login-guard.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";
import type { Intake } from "../intake/intake.ts";
import type { AnsweredRefusal } from "./connection-outcome.ts";
import type { BrokerCounters } from "./counters.ts";
import { printable } from "./frames/printable.ts";

/** User name of readers; their password is an API key. */
export const READER = "apikey";
/** Distinguishes readers' keys in session ids without holding them; another one in each process. */
const SESSION_KEY = randomBytes(32);
const NO_HASH = new Uint8Array(32);

/** What an API key with `events:read` may see. */
export interface ReaderAccess {
  /** The key's id; its kept sessions go by it. */
  readonly keyId: string;
  allows(projectId: string): boolean;
}

/** Who is behind a connection. */
export type Principal =
  | {
      readonly kind: "device";
      readonly assetId: AssetId;
      /** Hash of the secret that was given; `undefined`: a certificate alone proved the identity. */
      readonly secretHash: Uint8Array | undefined;
    }
  | { readonly kind: "reader"; readonly key: string; access: ReaderAccess };

export interface LoginOptions {
  readonly intake: Pick<Intake, "accepting">;
  readonly directory: Pick<AssetDirectory, "find">;
  /** Compares a secret with its HMAC in constant time. */
  readonly verifySecret: (secret: string, hash: Uint8Array) => boolean;
  readonly authenticateReader: (key: string) => Promise<ReaderAccess | undefined>;
  /** Whether a connection with that session id is open now. */
  readonly isTaken: (sessionId: string) => boolean;
  readonly counters: BrokerCounters;
  readonly now: () => number;
  /** Called once for each bar and ban, with what it concerns. */
  readonly onBarred: (what: {
    readonly address?: string;
    readonly username?: string;
    readonly clientId?: string;
  }) => void;
}

/** The fields of a CONNECT that a log-in is decided by. */
export interface LoginRequest {
  readonly address: string;
  /** As in {@link sessionId}. */
  readonly sessionId: string;
  /** Whether the client sent no id that its session could be kept under [MQTT-3.1.3-8]. */
  readonly lacksId: boolean;
  /** As the client sent it, or the only name in its certificate. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Asset ids in the client certificate; `undefined`: the password proves the identity. */
  readonly certificateNames?: readonly string[] | undefined;
}

/** The client that is let in, or why it is refused. */
export type LoginResult = { readonly principal: Principal } | { readonly refusal: AnsweredRefusal };

/**
 * The id of a session inside the broker: bound to the user, and of readers to the API key, so that nobody
 * takes over another's.
 */
export function sessionId({
  username = "",
  password,
  clientId,
}: {
  readonly username?: string | undefined;
  readonly password?: Uint8Array | undefined;
  readonly clientId: string;
}): string {
  const key =
    username === READER && password !== undefined
      ? `${createHmac("sha256", SESSION_KEY).update(password).digest("base64url")}/`
      : "";
  return `${username}/${key}${clientId === "" ? randomBase62(16) : clientId}`;
}

/** What a client is called that sent no user name; `undefined`: it has no certificate, or one with several names. */
export function soleName(certificate: ClientCertificate | undefined): string | undefined {
  const names = certificate?.names ?? [];
  return names.length === 1 ? names[0] : undefined;
}

/**
 * The check of user names and passwords. Whether a password is right is found out before any bar is
 * checked, so that nobody is locked out by what others do behind the same address.
 */
export class Login {
  readonly #options: LoginOptions;
  readonly #failures = new FailedLogins();
  readonly #takeovers = createTakeoverGuard();

  constructor(options: LoginOptions) {
    this.#options = options;
  }

  check(request: LoginRequest): LoginResult | Promise<LoginResult> {
    const { intake, directory, verifySecret, authenticateReader, counters } = this.#options;
    const { username, password = "" } = request;
    if (!intake.accepting) {
      counters.login_degraded += 1;
      return { refusal: "unavailable" };
    }
    if (request.lacksId) {
      counters.login_bad_client_id += 1;
      return { refusal: "client_id" };
    }
    if (username === READER) {
      return authenticateReader(password).then(
        (access) =>
          access === undefined
            ? this.#fail(request, "wrong_password")
            : this.#admit(request, { kind: "reader", key: password, access }),
        // The record store is away: the client did nothing wrong, and no failed log-in is counted.
        () => ({ refusal: "unavailable" }),
      );
    }
    const assetId = (username ?? "") as AssetId;
    const entry = isId(assetId) ? directory.find(assetId) : undefined;
    const { certificateNames } = request;
    if (certificateNames !== undefined) {
      return this.#checkCertificate(request, certificateNames, entry);
    }
    // An unknown asset costs the same time as a wrong secret.
    const isRight = verifySecret(password, entry?.secretHash ?? NO_HASH);
    if (entry === undefined) return this.#fail(request, "unknown_user");
    if (!isRight) return this.#fail(request, "wrong_password");
    return this.#admit(request, { kind: "device", assetId, secretHash: entry.secretHash });
  }

  /** `refusal`: what is wrong, for the log; the client hears the same of both. */
  #fail(
    { address, username }: LoginRequest,
    refusal: "wrong_password" | "unknown_user",
  ): LoginResult {
    const { counters, now, onBarred } = this.#options;
    const { wasBarred, bars } = this.#failures.note(address, username, now());
    if (wasBarred) {
      counters.login_blocked += 1;
      return { refusal: "barred" };
    }
    counters.login_failed += 1;
    if (bars !== undefined) {
      onBarred({ address, ...(bars === "user" ? { username: printable(username ?? "") } : {}) });
    }
    return { refusal };
  }

  /** The last check, for those who are who they say. */
  #admit(request: LoginRequest, principal: Principal): LoginResult {
    const { isTaken, counters, now, onBarred } = this.#options;
    const nowMs = now();
    const banned = this.#takeovers.isBarred(request.sessionId, nowMs);
    // A device that comes back after it left, however often, throws no other out.
    const takesOver = !banned && isTaken(request.sessionId);
    const newlyBanned = takesOver && this.#takeovers.note(request.sessionId, nowMs);
    if (newlyBanned) onBarred({ clientId: printable(request.sessionId) });
    if (banned || newlyBanned) {
      counters.takeover_banned += 1;
      return { refusal: "takeover_banned" };
    }
    counters.logins += 1;
    return { principal };
  }

  /** A password is not needed beside a certificate, but one that is sent must be right. */
  #checkCertificate(
    request: LoginRequest,
    names: readonly string[],
    entry: AssetEntry | undefined,
  ): LoginResult {
    const { verifySecret, counters } = this.#options;
    const { username, password = "" } = request;
    if (username === undefined || !names.includes(username)) {
      // Nothing was guessed, so that nothing is barred.
      counters.login_wrong_certificate += 1;
      return { refusal: "wrong_certificate" };
    }
    if (entry === undefined) return this.#fail(request, "unknown_user");
    if (password !== "" && !verifySecret(password, entry.secretHash)) {
      return this.#fail(request, "wrong_password");
    }
    const secretHash = password === "" ? undefined : entry.secretHash;
    return this.#admit(request, { kind: "device", assetId: entry.asset.id, secretHash });
  }
}
