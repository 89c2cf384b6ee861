/**
 * Why a request got no answer. Words for logs and for the API: they never name an address, because
 * that would reveal our network to a client.
 */
export const OUTBOUND_FAILURES = [
  "blocked",
  "host not found",
  "connection refused",
  "connection reset",
  "host unreachable",
  "timeout",
  "tls",
  "not http",
  "too large",
  "too many redirects",
  "insecure redirect",
  "stopped",
  "network error",
] as const;
export type OutboundFailure = (typeof OUTBOUND_FAILURES)[number];

/** Ends a request for a reason of ours; the reason is what the caller gets. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure) {
    super(failure);
    this.failure = failure;
  }
}

const FAILURE_BY_CODE: Readonly<Record<string, OutboundFailure>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection reset",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "host unreachable",
  EADDRNOTAVAIL: "host unreachable",
  ETIMEDOUT: "timeout",
  EPROTO: "tls",
  ABORT_ERR: "stopped",
};
/** Codes of OpenSSL's checks of certificates, such as DEPTH_ZERO_SELF_SIGNED_CERT. */
const TLS_CODE = /^ERR_(SSL|TLS)_|CERT|^UNABLE_TO_|_CRL_/;

/** The failure behind an error of `node:http`, of a socket or of ours. */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundError) return error.failure;
  const code = codeOf(error);
  const known = FAILURE_BY_CODE[code];
  if (known !== undefined) return known;
  if (code.startsWith("HPE_")) return "not http";
  return TLS_CODE.test(code) ? "tls" : "network error";
}

/** The `code` of a Node error, "" without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
