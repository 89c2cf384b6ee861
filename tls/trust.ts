import type { X509Certificate } from "node:crypto";
import { certificateNumber, isRevoked, type RevocationList } from "./revocation-list.ts";

/** Longest chain from a client's certificate to an authority; OpenSSL's own default is 100. */
const MAX_CHAIN = 10;

export interface TrustAnchors {
  readonly authorities: readonly X509Certificate[];
  readonly lists: readonly RevocationList[];
}

/**
 * Whether a certificate that was accepted earlier would be accepted by these authorities and lists. No
 * part of its chain may be revoked, and the chain must still end at an authority that signed itself.
 * Dates are not checked: a session outlives its certificate, as with other brokers.
 *
 * OpenSSL decides at the handshake; this is for connections that are open when the files change.
 */
export function isStillTrusted(client: X509Certificate, anchors: TrustAnchors): boolean {
  const { authorities, lists } = anchors;
  // What the client sent: the chain to an authority that is not in the file.
  const sent: X509Certificate[] = [];
  for (let next = client.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    if (sent.length === MAX_CHAIN || sent.at(-1)?.raw.equals(next.raw) === true) break;
    sent.push(next);
  }
  let current = client;
  for (let depth = 0; depth < MAX_CHAIN; depth += 1) {
    if (isRevoked(certificateNumber(current.raw), lists)) return false;
    const issuedBy = (one: X509Certificate): boolean =>
      current.checkIssued(one) && current.verify(one.publicKey);
    const authority = authorities.find(issuedBy);
    if (authority?.checkIssued(authority) === true) return true;
    const issuer = authority ?? sent.find(issuedBy);
    if (issuer === undefined) return false;
    current = issuer;
  }
  return false;
}
