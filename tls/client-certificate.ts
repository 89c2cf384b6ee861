/** The certificate that a client proved to hold, for as long as its connection is open. */
export interface ClientCertificate {
  /**
   * The asset ids that it names; `undefined`: certificates do not identify assets
   * (TLS_CLIENT_IDENTITY=none).
   */
  readonly names: readonly string[] | undefined;
  /** Called when the certificate is revoked or its authority goes; the connection is closed in any case. */
  onRevoked: (() => void) | undefined;
}
