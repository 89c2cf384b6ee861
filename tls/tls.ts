import { setImmediate as nextTurn } from "node:timers/promises";
import type { Server, TLSSocket, TlsOptions } from "node:tls";
import type { Logger } from "pino";
import type { Settings } from "../config/settings.ts";
import type { ClientCertificate } from "./client-certificate.ts";
import { clientNames } from "./client-names.ts";
import { expiryWarnings } from "./expiry.ts";
import { certificateFailure, type SecureListener, type TlsFailure } from "./failure.ts";
import { type FollowedFiles, followTlsFiles } from "./followed-files.ts";
import { guardHandshakes, HANDSHAKE_LIMITS } from "./guarded-server.ts";
import type { TlsFileSettings, TlsFiles } from "./pem-files.ts";
import { isStillTrusted } from "./trust.ts";
import type { TurnLimits } from "./turns.ts";

export type TlsSettings = TlsFileSettings &
  Pick<Settings, "tlsClientIdentity" | "httpsClientCertificates">;

/** Time for a handshake, ms; the same as for a CONNECT. */
const HANDSHAKE_MS = 10_000;
/** How soon changed files are noticed, ms; each poll reads some KB that the system has in memory. */
const POLL_MS = 2_000;
/** Open connections that are checked against new files before others get their turn: some 5 ms. */
const CHECKED_AT_ONCE = 50;

/** `pollMs`, `handshakeMs` and `limits` are for tests. */
export interface TlsRun {
  readonly log: Pick<Logger, "info" | "warn" | "debug">;
  readonly now?: () => number;
  readonly pollMs?: number;
  readonly handshakeMs?: number;
  readonly limits?: TurnLimits;
}

/** What all TLS listeners of the process share: certificate, authorities and revocation lists. */
export class Tls {
  /** Newer files that were taken, and that were refused, since the start. */
  readonly reloads: { readonly applied: number; readonly refused: number };
  readonly #settings: TlsSettings;
  readonly #followed: FollowedFiles;
  readonly #log: TlsRun["log"];
  readonly #now: () => number;
  readonly #limits: TurnLimits;
  readonly #handshakeMs: number;
  readonly #servers = new Set<Server>();
  readonly #certificates = new Map<TLSSocket, ClientCertificate>();
  readonly #followers: ((failure: TlsFailure) => void)[] = [];
  /** Handshakes that began before that moment of `performance.now()` may have been checked by older files. */
  #settledAtMs = 0;

  constructor(settings: TlsSettings, followed: FollowedFiles, run: TlsRun) {
    this.reloads = followed.counts;
    this.#settings = settings;
    this.#followed = followed;
    this.#log = run.log;
    this.#now = run.now ?? Date.now;
    this.#limits = run.limits ?? HANDSHAKE_LIMITS;
    this.#handshakeMs = run.handshakeMs ?? HANDSHAKE_MS;
  }

  /** The files in use. */
  get files(): TlsFiles {
    return this.#followed.files;
  }

  /** For `tls.createServer` and `https.createServer`; the server belongs into {@link protect} then. */
  options(listener: SecureListener): TlsOptions {
    return {
      ...this.files.context,
      requestCert: asksForCertificate(this.#settings, listener),
      // Refused by the guard, which can still say whose certificate it was.
      rejectUnauthorized: false,
      handshakeTimeout: this.#handshakeMs,
      noDelay: true,
    };
  }

  /**
   * Takes a server in before it listens. Bounds its handshakes, refuses certificates that are not
   * accepted, gives it new files when they change, and ends its connections whose certificate is revoked.
   */
  protect(server: Server, listener: SecureListener): void {
    const asks = asksForCertificate(this.#settings, listener);
    this.#servers.add(server);
    // The files may have changed since its options were made.
    server.setSecureContext(this.files.context);
    server.once("close", () => this.#servers.delete(server));
    guardHandshakes(server, {
      limits: this.#limits,
      check: (socket) => {
        if (!asks) return undefined;
        const failure = certificateFailure(socket) ?? this.#olderFilesFailure(socket);
        if (failure !== undefined) return failure;
        this.#certificates.set(socket, { names: this.#namesOf(socket), onRevoked: undefined });
        socket.once("close", () => this.#certificates.delete(socket));
        return undefined;
      },
      onFailure: (failure, socket) => {
        const names = socket === undefined ? [] : (this.#namesOf(socket) ?? []);
        const whole = { atMs: this.#now(), listener, names, ...failure };
        // Scanners of the whole Internet cause most of them: volumes are in the metrics.
        this.#log.debug(whole, "TLS handshake failed");
        for (const follower of this.#followers) follower(whole);
      },
    });
  }

  /** The certificate behind a connection that was let in; `undefined`: its listener asks for none. */
  certificateOf(socket: TLSSocket): ClientCertificate | undefined {
    return this.#certificates.get(socket);
  }

  /** Called for every handshake that fails, beside the log. Must not throw. */
  onFailure(follower: (failure: TlsFailure) => void): void {
    this.#followers.push(follower);
  }

  /** Reads the files now. Never throws: what is wrong is logged and listed in {@link warnings}. */
  reload(): Promise<void> {
    return this.#followed.reload();
  }

  /** What needs an operator's attention and stops nothing yet, one sentence each. */
  warnings(): readonly string[] {
    const { trouble } = this.#followed;
    return [
      ...(trouble === undefined ? [] : [`new TLS files are not used: ${trouble}`]),
      ...expiryWarnings(this.files, this.#now()),
    ];
  }

  /** Ends the polling of files; servers are closed by the code that opened them. */
  close(): Promise<void> {
    return this.#followed.stop();
  }

  /** Gives all servers the files that have just come into use. */
  applyFiles(files: TlsFiles): void {
    this.#settledAtMs = performance.now() + this.#handshakeMs;
    for (const server of this.#servers) server.setSecureContext(files.context);
    void this.#endRevoked(files);
  }

  /** Ends connections whose certificate the files do not accept any more, some at a time. */
  async #endRevoked(files: TlsFiles): Promise<void> {
    let ended = 0;
    let checked = 0;
    for (const [socket, certificate] of [...this.#certificates]) {
      const client = socket.destroyed ? undefined : socket.getPeerX509Certificate();
      if (client !== undefined && !isStillTrusted(client, files)) {
        ended += 1;
        certificate.onRevoked?.();
        // Whatever was to be said has been written by now.
        socket.destroySoon();
      }
      checked += 1;
      if (checked % CHECKED_AT_ONCE === 0) await nextTurn();
      // Newer files have begun a check of their own.
      if (files !== this.files) break;
    }
    if (ended > 0) this.#log.info({ connections: ended }, "connections ended: certificate revoked");
  }

  #olderFilesFailure(socket: TLSSocket): Pick<TlsFailure, "reason" | "code"> | undefined {
    if (performance.now() > this.#settledAtMs) return undefined;
    const client = socket.getPeerX509Certificate();
    if (client !== undefined && isStillTrusted(client, this.files)) return undefined;
    return { reason: "certificate_revoked", code: "CERT_REVOKED" };
  }

  #namesOf(socket: TLSSocket): readonly string[] | undefined {
    const { tlsClientIdentity: identity } = this.#settings;
    return identity === "none" ? undefined : clientNames(socket.getPeerCertificate(), identity);
  }
}

/**
 * Reads the TLS files and follows their changes; `undefined`: the settings name none.
 * @throws DomainError `SETTINGS_INVALID` naming the file that cannot be used.
 */
export async function openTls(settings: TlsSettings, run: TlsRun): Promise<Tls | undefined> {
  if (settings.tlsCertFile === undefined) return undefined;
  const { log, pollMs = POLL_MS } = run;
  const followed = await followTlsFiles({
    settings,
    pollMs,
    log,
    onChange: (files) => tls.applyFiles(files),
  });
  const tls = new Tls(settings, followed, run);
  return tls;
}

/** Devices always with TLS_CA_FILE; programs and browsers have API keys and are asked where the settings say so. */
function asksForCertificate(settings: TlsSettings, listener: SecureListener): boolean {
  if (settings.tlsCaFile === undefined) return false;
  return listener !== "https" || settings.httpsClientCertificates === "required";
}
