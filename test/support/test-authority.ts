import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonGeneralNames,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
  X509CrlGenerator,
} from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

/** A certificate with its private key, both PEM. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
  /** Hexadecimal, as Node shows it. */
  readonly serialNumber: string;
}

interface Subject {
  /** X.500 name such as `CN=digger-1,O=Acme`. */
  readonly subject: string;
  readonly names?: JsonGeneralNames;
  /** Default: a client. */
  readonly usage?: "server" | "client";
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A certificate authority of a test's own. */
export interface TestAuthority {
  readonly cert: string;
  issue(subject: Subject): Promise<Credentials>;
  /** A revocation list of those certificates; `nextUpdate` one day from now by default. */
  revoke(revoked: readonly Credentials[], nextUpdate?: Date): Promise<string>;
  /** An authority whose certificate this one signs. */
  intermediate(name: string): Promise<TestAuthority>;
}

/** Makes an authority that signed itself. */
export async function createAuthority(name = "CN=Devices CA,O=Acme"): Promise<TestAuthority> {
  const keys = await makeKeys();
  const cert = await X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name,
    ...period(),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: await authorityExtensions(keys.publicKey),
  });
  return authorityOf(cert, keys.privateKey);
}

function authorityOf(cert: X509Certificate, signingKey: webcrypto.CryptoKey): TestAuthority {
  const sign = async (
    { subject, notBefore, notAfter }: Subject,
    extensions: readonly Extension[],
    publicKey: webcrypto.CryptoKey,
  ): Promise<X509Certificate> =>
    X509CertificateGenerator.create({
      serialNumber: randomSerial(),
      subject,
      issuer: cert.subject,
      ...period(notBefore, notAfter),
      publicKey,
      signingKey,
      signingAlgorithm: ALGORITHM,
      extensions: [await AuthorityKeyIdentifierExtension.create(cert), ...extensions],
    });
  return {
    cert: cert.toString("pem"),
    async issue(subject) {
      const { names = [], usage = "client" } = subject;
      const keys = await makeKeys();
      const purpose =
        usage === "server" ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth;
      const extensions = [
        new ExtendedKeyUsageExtension([purpose]),
        ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)]),
      ];
      const made = await sign(subject, extensions, keys.publicKey);
      const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
      return {
        cert: made.toString("pem"),
        key: PemConverter.encode(pkcs8, "PRIVATE KEY"),
        serialNumber: made.serialNumber.toUpperCase(),
      };
    },
    async revoke(revoked, nextUpdate = new Date(Date.now() + DAY_MS)) {
      const list = await X509CrlGenerator.create({
        issuer: cert.subject,
        thisUpdate: new Date(Date.now() - 30 * DAY_MS),
        nextUpdate,
        entries: revoked.map(({ serialNumber }) => ({ serialNumber, revocationDate: new Date() })),
        signingKey,
        signingAlgorithm: ALGORITHM,
      });
      return PemConverter.encode(list.rawData, "X509 CRL");
    },
    async intermediate(name) {
      const keys = await makeKeys();
      const extensions = await authorityExtensions(keys.publicKey);
      const made = await sign({ subject: name }, extensions, keys.publicKey);
      return authorityOf(made, keys.privateKey);
    },
  };
}

/** PEM files in a folder of their own. */
export interface PemFolder {
  path(name: string): string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

export async function createPemFolder(
  files: Readonly<Record<string, string>> = {},
): Promise<PemFolder> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-tls-"));
  const folder: PemFolder = {
    path: (name) => join(dir, name),
    async write(more) {
      for (const [name, text] of Object.entries(more)) await writeFile(join(dir, name), text);
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
  await folder.write(files);
  return folder;
}

/** Of a server on this machine. */
export const issueServer = (authority: TestAuthority, more: Partial<Subject> = {}) =>
  authority.issue({
    subject: "CN=plumbline.test",
    usage: "server",
    names: [
      { type: "dns", value: "localhost" },
      { type: "ip", value: "127.0.0.1" },
    ],
    ...more,
  });

const makeKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);

const authorityExtensions = async (publicKey: webcrypto.CryptoKey): Promise<Extension[]> => [
  new BasicConstraintsExtension(true, undefined, true),
  new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  await SubjectKeyIdentifierExtension.create(publicKey),
];

/** From yesterday on for 90 days. */
const period = (
  notBefore = new Date(Date.now() - DAY_MS),
  notAfter = new Date(Date.now() + 90 * DAY_MS),
) => ({ notBefore, notAfter });

/** 15 bytes behind one that keeps the number positive and without a zero in front. */
const randomSerial = (): string =>
  `4a${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString("hex")}`;
