import type { PeerCertificate } from "node:tls";
import type { Settings } from "../config/settings.ts";
import { isId } from "../domain/ids.ts";

/** Prefix of a URI that names an asset, for authorities that issue no DNS names without a dot. */
const ASSET_URN = "urn:plumbline:asset:";
/** A URI name as it is, and a DNS name: both may be the plain id. */
const NAME_KINDS = /^(?:DNS|URI):(.*)$/;

/**
 * The asset ids that a checked client certificate carries where `identity` says; none: it names no
 * asset. A certificate of a gateway may name several.
 *
 * Node writes all names of subjectAltName into one line and quotes those that hold characters of its own
 * syntax (CVE-2021-44532). No asset id needs quotes, so a line with a quote names no asset.
 */
export function clientNames(
  certificate: Pick<PeerCertificate, "subject" | "subjectaltname">,
  identity: Exclude<Settings["tlsClientIdentity"], "none">,
): readonly string[] {
  const names = identity === "cn" ? commonNames(certificate) : alternativeNames(certificate);
  return [...new Set(names.filter(isId))];
}

function commonNames({ subject }: Pick<PeerCertificate, "subject">): readonly string[] {
  // An array where the subject has several; Node's types know of one only.
  const given: unknown = subject?.CN;
  return [given].flat().filter((name) => typeof name === "string");
}

function alternativeNames({
  subjectaltname: line = "",
}: Pick<PeerCertificate, "subjectaltname">): readonly string[] {
  if (line.includes('"')) return [];
  return line.split(", ").flatMap((entry) => {
    const name = NAME_KINDS.exec(entry)?.[1] ?? "";
    return name.startsWith(ASSET_URN) ? name.slice(ASSET_URN.length) : name;
  });
}
