import type { TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { certificateFailure, failureOf } from "../../tls/failure.ts";

it.each([
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", "old_protocol"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "not_tls"],
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "refused_by_client"],
  ["ERR_TLS_HANDSHAKE_TIMEOUT", "timeout"],
  ["ERR_SSL_BAD_SIGNATURE", "other"],
])("the error %s of a handshake is counted as %s", (code, reason) => {
  expect(failureOf(Object.assign(new Error(), { code }))).toEqual({ code, reason });
});

it("an authorized session without a certificate is refused: Node says so of resumed TLS 1.3 sessions", () => {
  const socket = { authorized: true, getPeerX509Certificate: () => undefined };
  expect(certificateFailure(socket as unknown as TLSSocket)?.reason).toBe("no_certificate");
});
