import type { TLSSocket } from "node:tls";

/** The listeners that speak TLS. */
export type SecureListener = "mqtts" | "wss" | "https";

/**
 * Why a TLS handshake failed.
 * - `no_certificate`, `certificate_revoked`, `certificate_expired`, `certificate_not_trusted` (any other
 *   fault of the client's certificate): we refused the client.
 * - `revocation_list_expired`: TLS_CRL_FILE is too old, so that no client is accepted.
 * - `refused_by_client`: the client sent an alert, usually because it does not trust our certificate.
 * - `old_protocol`: the client speaks less than TLS 1.2. `no_common_cipher`. `not_tls`: it does not
 *   speak TLS.
 * - `timeout`, `cut`: the client stopped, or left. `too_many`: too many other handshakes are under way.
 */
export type TlsFailureReason =
  | "no_certificate"
  | "certificate_revoked"
  | "certificate_expired"
  | "certificate_not_trusted"
  | "revocation_list_expired"
  | "refused_by_client"
  | "old_protocol"
  | "no_common_cipher"
  | "not_tls"
  | "timeout"
  | "cut"
  | "too_many"
  | "other";

/** One handshake that failed. */
export interface TlsFailure {
  /** Server clock, ms since the Unix epoch. */
  readonly atMs: number;
  /** IP address of the peer; IPv4 in its own notation. */
  readonly address: string;
  readonly listener: SecureListener;
  readonly reason: TlsFailureReason;
  /** The error code of Node or OpenSSL, such as CERT_REVOKED or ERR_SSL_TLSV1_ALERT_UNKNOWN_CA. */
  readonly code: string;
  /** Asset ids in the certificate that was refused: unproven. Empty without TLS_CLIENT_IDENTITY. */
  readonly names: readonly string[];
}

const BY_CODE: Readonly<Record<string, TlsFailureReason>> = {
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: "no_certificate",
  CERT_REVOKED: "certificate_revoked",
  CERT_HAS_EXPIRED: "certificate_expired",
  CRL_HAS_EXPIRED: "revocation_list_expired",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "old_protocol",
  ERR_SSL_VERSION_TOO_LOW: "old_protocol",
  ERR_SSL_NO_SHARED_CIPHER: "no_common_cipher",
  ERR_SSL_WRONG_VERSION_NUMBER: "not_tls",
  ERR_SSL_HTTP_REQUEST: "not_tls",
  ERR_SSL_HTTPS_PROXY_REQUEST: "not_tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "not_tls",
  ERR_TLS_HANDSHAKE_TIMEOUT: "timeout",
  ECONNRESET: "cut",
  EPIPE: "cut",
};

/** What `tlsClientError` says, in our words. */
export function failureOf(
  error: Error & { readonly code?: unknown },
): Pick<TlsFailure, "reason" | "code"> {
  const code = typeof error.code === "string" ? error.code : "unknown";
  const isAlert = code.includes("_ALERT_");
  return { code, reason: BY_CODE[code] ?? (isAlert ? "refused_by_client" : "other") };
}

/**
 * What is wrong with the client certificate of a finished handshake; `undefined`: nothing. The certificate
 * itself is asked for as well, because Node calls a resumed TLS 1.3 session without one authorized.
 */
export function certificateFailure(
  socket: TLSSocket,
): Pick<TlsFailure, "reason" | "code"> | undefined {
  if (socket.getPeerX509Certificate() === undefined) {
    return { reason: "no_certificate", code: "ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE" };
  }
  if (socket.authorized) return undefined;
  // A code of OpenSSL; Node's types say Error.
  const code = String(socket.authorizationError);
  return { code, reason: BY_CODE[code] ?? "certificate_not_trusted" };
}
