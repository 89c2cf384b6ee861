import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import { type RevocationList, readRevocationList, subjectName } from "./revocation-list.ts";

export type TlsFileSettings = Pick<
  Settings,
  "tlsCertFile" | "tlsKeyFile" | "tlsCaFile" | "tlsCrlFile"
>;

/** The settings that name files with an end of their validity. */
export type ExpiringFile = "TLS_CERT_FILE" | "TLS_CA_FILE" | "TLS_CRL_FILE";

/** Everything that TLS listeners prove themselves and check clients by, read and checked once. */
export interface TlsFiles {
  /** For `tls.createServer` and `setSecureContext`. */
  readonly context: SecureContextOptions;
  /** The certificate that the listeners present. */
  readonly certificate: X509Certificate;
  /** Of client certificates; empty: clients are asked for none. */
  readonly authorities: readonly X509Certificate[];
  readonly lists: readonly RevocationList[];
  /** Each file's own end: that of the first thing in it to expire. */
  readonly validity: Readonly<Partial<Record<ExpiringFile, Validity>>>;
}

/** From when to when something is valid, ms since the Unix epoch. */
export interface Validity {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The contents of the files, by which a change is noticed. */
export interface PemTexts {
  readonly cert: string;
  readonly key: string;
  readonly ca: string | undefined;
  readonly crl: string | undefined;
}

/**
 * Reads the files that the settings name, certificate and key at least.
 * @throws DomainError `SETTINGS_INVALID` naming the setting whose file cannot be read.
 */
export async function readPemTexts(settings: TlsFileSettings): Promise<PemTexts> {
  const { tlsCertFile = "", tlsKeyFile = "", tlsCaFile, tlsCrlFile } = settings;
  return {
    cert: await readText("TLS_CERT_FILE", tlsCertFile),
    key: await readText("TLS_KEY_FILE", tlsKeyFile),
    ca: tlsCaFile === undefined ? undefined : await readText("TLS_CA_FILE", tlsCaFile),
    crl: tlsCrlFile === undefined ? undefined : await readText("TLS_CRL_FILE", tlsCrlFile),
  };
}

/**
 * Checks that the files hold what they should and fit together. Dates are not checked: what has
 * expired is reported while the service runs, because refusing to start would not help.
 * @throws DomainError `SETTINGS_INVALID` naming the setting that is wrong.
 */
export function parseTlsFiles({ cert, key, ca, crl }: PemTexts): TlsFiles {
  const chain = readCertificates("TLS_CERT_FILE", cert);
  const [certificate] = chain;
  if (certificate === undefined) throw invalid("TLS_CERT_FILE holds no certificate in PEM");
  checkKey(certificate, key);
  const authorities = ca === undefined ? [] : readCertificates("TLS_CA_FILE", ca);
  if (ca !== undefined && authorities.length === 0) {
    throw invalid("TLS_CA_FILE holds no certificate in PEM");
  }
  const listBlocks = crl === undefined ? [] : pemBlocks(crl, "X509 CRL");
  const lists = listBlocks.map(({ der }) =>
    orInvalid("TLS_CRL_FILE holds a list that cannot be read", () => readRevocationList(der)),
  );
  if (crl !== undefined) checkLists(authorities, lists);
  // The blocks that were checked, and no others: OpenSSL misses one that does not begin on a line of its
  // own, and Node takes one list of each text.
  const context: SecureContextOptions = {
    cert: chain.map(String).join("\n"),
    key,
    minVersion: "TLSv1.2",
    ...(ca === undefined ? {} : { ca: authorities.map(String) }),
    ...(crl === undefined ? {} : { crl: listBlocks.map(({ pem }) => pem) }),
  };
  orInvalid("the TLS files are not accepted by OpenSSL", () => createSecureContext(context));
  const periods: Record<ExpiringFile, readonly Validity[]> = {
    TLS_CERT_FILE: chain.map(validityOf),
    TLS_CA_FILE: authorities.map(validityOf),
    TLS_CRL_FILE: lists.flatMap(({ thisUpdateMs: fromMs, nextUpdateMs: untilMs }) =>
      untilMs === undefined ? [] : { fromMs, untilMs },
    ),
  };
  return { context, certificate, authorities, lists, validity: firstToEnd(periods) };
}

function checkKey(certificate: X509Certificate, pem: string): void {
  const message = "TLS_KEY_FILE holds no private key in PEM that is not encrypted";
  const key = orInvalid(message, () => createPrivateKey(pem));
  if (!certificate.checkPrivateKey(key)) {
    throw invalid("TLS_KEY_FILE does not belong to the first certificate in TLS_CERT_FILE");
  }
}

/** OpenSSL refuses every certificate of an authority whose list it lacks. */
function checkLists(
  authorities: readonly X509Certificate[],
  lists: readonly RevocationList[],
): void {
  if (lists.length === 0) throw invalid("TLS_CRL_FILE holds no revocation list in PEM");
  for (const { raw, subject } of authorities) {
    const name = subjectName(raw);
    if (lists.some(({ issuer }) => issuer === name)) continue;
    const shown = subject.replaceAll("\n", ", ");
    throw invalid(`TLS_CRL_FILE holds no list of ${shown}, an authority in TLS_CA_FILE`);
  }
}

function readCertificates(setting: string, text: string): readonly X509Certificate[] {
  return pemBlocks(text, "CERTIFICATE").map(({ pem }) =>
    orInvalid(`${setting} holds a certificate that cannot be read`, () => new X509Certificate(pem)),
  );
}

/** The blocks of a kind, RFC 7468. */
function pemBlocks(text: string, label: string): readonly { pem: string; der: Buffer }[] {
  const pattern = new RegExp(
    `-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]*)-----END ${label}-----`,
    "g",
  );
  return [...text.matchAll(pattern)].map(([pem, base64 = ""]) => ({
    pem,
    der: Buffer.from(base64, "base64"),
  }));
}

const validityOf = ({ validFrom, validTo }: X509Certificate): Validity => ({
  fromMs: Date.parse(validFrom),
  untilMs: Date.parse(validTo),
});

function firstToEnd(periods: Record<ExpiringFile, readonly Validity[]>): TlsFiles["validity"] {
  return Object.fromEntries(
    Object.entries(periods).flatMap(([file, all]) => {
      const [first] = all.toSorted((a, b) => a.untilMs - b.untilMs);
      return first === undefined ? [] : [[file, first]];
    }),
  );
}

async function readText(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new DomainError("SETTINGS_INVALID", `${setting} cannot be read`, { cause });
  }
}

function orInvalid<T>(message: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new DomainError("SETTINGS_INVALID", message, { cause });
  }
}

const invalid = (message: string): DomainError => new DomainError("SETTINGS_INVALID", message);
