import { setImmediate as nextTurn } from "node:timers/promises";
import type { Server, TLSSocket, TlsOptions } from "node:tls";
import type { Logger } from "pino";
import type { Settings } from "../config/settings.ts";
import type { ClientCertificate } from "./client-certificate.ts";
import { clientNames } from "./client-names.ts";
import { expiryWarnings } from "./expiry.ts";
import { certificateFailure, type SecureListener, type TlsFailure } from "./failure.ts";
import { followTlsFiles } from "./followed-files.ts";
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

/** What all TLS listeners of the process share: certificate, authorities and revocation lists. */
export interface Tls {
  /** For `tls.createServer` and `https.createServer`; the server belongs into {@link protect} then. */
  options(listener: SecureListener): TlsOptions;
  /**
   * Takes a server in before it listens. Bounds its handshakes, refuses certificates that are not
   * accepted, gives it new files when they change, and ends its connections whose certificate is revoked.
   */
  protect(server: Server, listener: SecureListener): void;
  /** The certificate behind a connection that was let in; `undefined`: its listener asks for none. */
  certificateOf(socket: TLSSocket): ClientCertificate | undefined;
  /** Called for every handshake that fails, beside the log. Must not throw. */
  onFailure(follower: (failure: TlsFailure) => void): void;
  /** Reads the files now. Never throws: what is wrong is logged and listed in {@link warnings}. */
  reload(): Promise<void>;
  /** What needs an operator's attention and stops nothing yet, one sentence each. */
  warnings(): readonly string[];
  /** The files in use. */
  readonly files: TlsFiles;
  /** Newer files that were taken, and that were refused, since the start. */
  readonly reloads: { readonly applied: number; readonly refused: number };
  /** Ends the polling of files; servers are closed by the code that opened them. */
  close(): Promise<void>;
}

/** `pollMs`, `handshakeMs` and `limits` are for tests. */
export interface TlsRun {
  readonly log: Pick<Logger, "info" | "warn" | "debug">;
  readonly now?: () => number;
  readonly pollMs?: number;
  readonly handshakeMs?: number;
  readonly limits?: TurnLimits;
}

/**
 * Reads the TLS files and follows their changes; `undefined`: the settings name none.
 * @throws DomainError `SETTINGS_INVALID` naming the file that cannot be used.
 */
export async function openTls(settings: TlsSettings, run: TlsRun): Promise<Tls | undefined> {
  if (settings.tlsCertFile === undefined) return undefined;
  const { log, now = Date.now, limits = HANDSHAKE_LIMITS } = run;
  const { tlsClientIdentity: identity } = settings;
  const servers = new Set<Server>();
  const handshakeMs = run.handshakeMs ?? HANDSHAKE_MS;
  const certificates = new Map<TLSSocket, ClientCertificate>();
  /** Handshakes that began before that moment of `performance.now()` may have been checked by older files. */
  let settledAtMs = 0;
  const followers: ((failure: TlsFailure) => void)[] = [];

  const namesOf = (socket: TLSSocket): readonly string[] | undefined =>
    identity === "none" ? undefined : clientNames(socket.getPeerCertificate(), identity);

  const followed = await followTlsFiles({
    settings,
    pollMs: run.pollMs ?? POLL_MS,
    log,
    onChange(files) {
      settledAtMs = performance.now() + handshakeMs;
      for (const server of servers) server.setSecureContext(files.context);
      void endRevoked(files);
    },
  });

  /** Ends connections whose certificate the files do not accept any more, some at a time. */
  async function endRevoked(files: TlsFiles): Promise<void> {
    let ended = 0;
    let checked = 0;
    for (const [socket, certificate] of [...certificates]) {
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
      if (files !== followed.files) break;
    }
    if (ended > 0) log.info({ connections: ended }, "connections ended: certificate revoked");
  }

  function olderFilesFailure(socket: TLSSocket): Pick<TlsFailure, "reason" | "code"> | undefined {
    if (performance.now() > settledAtMs) return undefined;
    const client = socket.getPeerX509Certificate();
    if (client !== undefined && isStillTrusted(client, followed.files)) return undefined;
    return { reason: "certificate_revoked", code: "CERT_REVOKED" };
  }

  function protect(server: Server, listener: SecureListener): void {
    const asks = asksForCertificate(settings, listener);
    servers.add(server);
    // The files may have changed since its options were made.
    server.setSecureContext(followed.files.context);
    server.once("close", () => servers.delete(server));
    guardHandshakes(server, {
      limits,
      check(socket) {
        if (!asks) return undefined;
        const failure = certificateFailure(socket) ?? olderFilesFailure(socket);
        if (failure !== undefined) return failure;
        certificates.set(socket, { names: namesOf(socket), onRevoked: undefined });
        socket.once("close", () => certificates.delete(socket));
        return undefined;
      },
      onFailure(failure, socket) {
        const names = socket === undefined ? [] : (namesOf(socket) ?? []);
        const whole = { atMs: now(), listener, names, ...failure };
        // Scanners of the whole Internet cause most of them: volumes are in the metrics.
        log.debug(whole, "TLS handshake failed");
        for (const follower of followers) follower(whole);
      },
    });
  }

  return {
    options: (listener) => ({
      ...followed.files.context,
      requestCert: asksForCertificate(settings, listener),
      // Refused by the guard, which can still say whose certificate it was.
      rejectUnauthorized: false,
      handshakeTimeout: handshakeMs,
      noDelay: true,
    }),
    protect,
    certificateOf: (socket) => certificates.get(socket),
    onFailure: (follower) => void followers.push(follower),
    reload: () => followed.reload(),
    warnings: () => [
      ...(followed.trouble === undefined
        ? []
        : [`new TLS files are not used: ${followed.trouble}`]),
      ...expiryWarnings(followed.files, now()),
    ],
    get files() {
      return followed.files;
    },
    reloads: followed.counts,
    close: () => followed.stop(),
  };
}

/** Devices always with TLS_CA_FILE; programs and browsers have API keys and are asked where the settings say so. */
function asksForCertificate(settings: TlsSettings, listener: SecureListener): boolean {
  if (settings.tlsCaFile === undefined) return false;
  return listener !== "https" || settings.httpsClientCertificates === "required";
}
