import { type DerElement, elementsOf, hexOf, readElement, TAG, timeOf } from "./der.ts";

/** A certificate as revocation lists name it: its issuer and its number at that issuer, hexadecimal DER. */
export interface CertificateNumber {
  readonly issuer: string;
  readonly serial: string;
}

/** One certificate revocation list, RFC 5280 section 5.1. */
export interface RevocationList {
  /** Name of the authority, hexadecimal DER. */
  readonly issuer: string;
  readonly serials: ReadonlySet<string>;
  /** When it was issued, ms since the Unix epoch. */
  readonly thisUpdateMs: number;
  /** When a newer list is due, ms since the Unix epoch; `undefined`: the list names no time. */
  readonly nextUpdateMs: number | undefined;
}

/**
 * Reads a list from DER. The signature is not checked here: OpenSSL does that at every handshake.
 *
 * Own code and not a library: asn1js, which the libraries for JavaScript are built on, refuses a list
 * of 20,000 entries ("Maximum ASN.1 node count exceeded").
 * @throws Error when the bytes are not such a list.
 */
export function readRevocationList(der: Uint8Array): RevocationList {
  const [signed] = elementsOf(der, sequenceAt(der, 0));
  if (signed?.tag !== TAG.sequence) throw new Error("not a revocation list");
  const parts = [...elementsOf(der, signed)];
  // TBSCertList: version OPTIONAL, signature, issuer, thisUpdate, nextUpdate OPTIONAL, revoked OPTIONAL, ...
  const issuerAt = parts[0]?.tag === TAG.integer ? 2 : 1;
  const issuer = parts[issuerAt];
  const thisUpdate = parts[issuerAt + 1];
  if (issuer?.tag !== TAG.sequence || thisUpdate === undefined) {
    throw new Error("not a revocation list");
  }
  const thisUpdateMs = timeOf(der, thisUpdate);
  if (thisUpdateMs === undefined) throw new Error("not a revocation list");
  const following = parts[issuerAt + 2];
  const nextUpdateMs = following && timeOf(der, following);
  const revoked = nextUpdateMs === undefined ? following : parts[issuerAt + 3];
  const serials = new Set<string>();
  if (revoked?.tag === TAG.sequence) {
    for (const entry of elementsOf(der, revoked)) {
      const serial = readElement(der, entry.start, entry.end);
      if (serial.tag !== TAG.integer) throw new Error("not a revocation list");
      serials.add(hexOf(der, serial));
    }
  }
  return { issuer: hexOf(der, issuer), serials, thisUpdateMs, nextUpdateMs };
}

/** Issuer and serial number of a certificate in DER. @throws Error when the bytes are not one. */
export function certificateNumber(der: Uint8Array): CertificateNumber {
  const { serial, issuer } = certificateFields(der);
  return { serial: hexOf(der, serial), issuer: hexOf(der, issuer) };
}

/** Name of the certificate's own subject, as {@link RevocationList.issuer}. */
export function subjectName(der: Uint8Array): string {
  return hexOf(der, certificateFields(der).subject);
}

/** Whether one of the lists names the certificate. */
export const isRevoked = (
  { issuer, serial }: CertificateNumber,
  lists: readonly RevocationList[],
): boolean => lists.some((list) => list.issuer === issuer && list.serials.has(serial));

/** TBSCertificate, RFC 5280 section 4.1: version, serialNumber, signature, issuer, validity, subject, ... */
function certificateFields(der: Uint8Array): Record<"serial" | "issuer" | "subject", DerElement> {
  const [signed] = elementsOf(der, sequenceAt(der, 0));
  if (signed?.tag !== TAG.sequence) throw new Error("not a certificate");
  const parts = [...elementsOf(der, signed)];
  const serialAt = parts[0]?.tag === TAG.context0 ? 1 : 0;
  const [serial, , issuer, , subject] = parts.slice(serialAt);
  if (serial === undefined || issuer === undefined || subject === undefined) {
    throw new Error("not a certificate");
  }
  return { serial, issuer, subject };
}

function sequenceAt(der: Uint8Array, at: number): DerElement {
  const element = readElement(der, at);
  if (element.tag !== TAG.sequence) throw new Error("not a DER sequence");
  return element;
}
