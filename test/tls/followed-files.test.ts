import { mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Tls, TlsSettings } from "../../tls/tls.ts";
import { PATIENT_MS } from "../support/patience.ts";
import {
  createAuthority,
  createPemFolder,
  issueServer,
  type PemFolder,
} from "../support/test-authority.ts";
import { openFolderTls } from "../support/tls-folder.ts";
import { until } from "../support/until.ts";

const DAY_MS = 86_400_000;
const POLL_MS = 10;

let folder: PemFolder;
let tls: Tls | undefined;
afterEach(async () => {
  await tls?.close();
  tls = undefined;
  await folder.remove();
});

async function open(files: Readonly<Record<string, string>>, more: Partial<TlsSettings> = {}) {
  folder = await createPemFolder(files);
  return await follow(more);
}

async function follow(more: Partial<TlsSettings> = {}, now = Date.now): Promise<Tls> {
  tls = await openFolderTls(folder, more, { pollMs: POLL_MS, now });
  return tls;
}

const serial = (of: Tls): string => of.files.certificate.serialNumber;

describe("TLS files that change", () => {
  it("TLS files that change are used, also when Kubernetes swaps a symbolic link two folders up", async () => {
    const authority = await createAuthority();
    const [first, second] = await Promise.all([issueServer(authority), issueServer(authority)]);
    folder = await createPemFolder();
    for (const [name, { cert, key }] of Object.entries({ first, second })) {
      await mkdir(folder.path(`..${name}`));
      await folder.write({ [`..${name}/cert.pem`]: cert, [`..${name}/key.pem`]: key });
    }
    await symlink("..first", folder.path("..data"));
    for (const file of ["cert.pem", "key.pem"]) {
      await symlink(join("..data", file), folder.path(file));
    }
    const followed = await follow();
    expect(serial(followed)).toBe(first.serialNumber);
    await symlink("..second", folder.path("..data_tmp"));
    await rename(folder.path("..data_tmp"), folder.path("..data"));
    await until("it is used", () => serial(followed) === second.serialNumber, PATIENT_MS);

    expect(followed.reloads).toEqual({ applied: 1, refused: 0 });
  });

  it("TLS files that change and cannot be used leave the old ones in use, are reported, and may be taken back", async () => {
    const authority = await createAuthority();
    const [old, other] = await Promise.all([issueServer(authority), issueServer(authority)]);
    const followed = await open({ "cert.pem": old.cert, "key.pem": old.key });
    await folder.write({ "cert.pem": other.cert });
    await until("it is reported", () => followed.warnings().length === 1, PATIENT_MS);
    expect(followed.warnings()).toEqual([
      "new TLS files are not used: TLS_KEY_FILE does not belong to the first certificate in TLS_CERT_FILE",
    ]);
    expect(serial(followed)).toBe(old.serialNumber);
    expect(followed.reloads).toEqual({ applied: 0, refused: 1 });
    await folder.write({ "cert.pem": old.cert });

    await until("nothing is wrong", () => followed.warnings().length === 0, PATIENT_MS);
  });

  it("TLS files that change and cannot be used are reported at once by a reload that was asked for", async () => {
    const { cert, key } = await issueServer(await createAuthority());
    const followed = await open({ "cert.pem": cert, "key.pem": key });
    await folder.write({ "cert.pem": "nothing" });
    await followed.reload();

    expect(followed.warnings()).toEqual([
      "new TLS files are not used: TLS_CERT_FILE holds no certificate in PEM",
    ]);
  });
});

describe("TLS files that cannot be used at the start", () => {
  it("TLS files that cannot be used at the start are refused by the setting that names them", async () => {
    const [authority, other] = await Promise.all([createAuthority(), createAuthority("CN=Other")]);
    const { cert, key } = await issueServer(authority);
    const good = { "cert.pem": cert, "key.pem": key, "ca.pem": authority.cert };
    const wrong = [
      [{ "key.pem": "nothing" }, "TLS_KEY_FILE holds no private key in PEM that is not encrypted"],
      [{ "key.pem": (await issueServer(other)).key }, "TLS_KEY_FILE does not belong to"],
      [{ "ca.pem": "nothing" }, "TLS_CA_FILE holds no certificate in PEM"],
      [{ "crl.pem": "nothing" }, "TLS_CRL_FILE holds no revocation list in PEM"],
      [
        { "crl.pem": "-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n" },
        "TLS_CRL_FILE holds a list that cannot be read",
      ],
      [
        { "crl.pem": await other.revoke([]) },
        "TLS_CRL_FILE holds no list of CN=Devices CA, O=Acme, an authority in TLS_CA_FILE",
      ],
    ] as const;
    folder = await createPemFolder();
    for (const [files, message] of wrong) {
      await folder.write({ ...good, ...files });
      const isAboutList = "crl.pem" in files;
      const settings = {
        tlsCaFile: folder.path("ca.pem"),
        tlsCrlFile: isAboutList ? folder.path("crl.pem") : undefined,
      };
      await expect(follow(settings)).rejects.toThrow(message);
    }
  });
});

it("certificates and lists that expire soon are reported, sooner the longer they lived", async () => {
  const authority = await createAuthority();
  const nowMs = Date.now();
  const { cert, key } = await issueServer(authority, { notAfter: new Date(nowMs + 20 * DAY_MS) });
  const crl = await authority.revoke([], new Date(nowMs + 10 * DAY_MS));
  folder = await createPemFolder({
    ...{ "cert.pem": cert, "key.pem": key, "ca.pem": authority.cert, "crl.pem": crl },
  });
  const clock = { ms: nowMs };
  const followed = await follow(
    { tlsCaFile: folder.path("ca.pem"), tlsCrlFile: folder.path("crl.pem") },
    () => clock.ms,
  );
  const after = (days: number): readonly string[] => {
    clock.ms = nowMs + days * DAY_MS;
    return followed.warnings();
  };
  // The list lives 40 days, so that a fifth of them is 8; the certificate 21.
  expect(after(1)).toEqual([]);
  expect(after(3)).toEqual([
    expect.stringMatching(/^TLS_CRL_FILE expires at .*; then every client certificate is refused$/),
  ]);
  expect(after(17)).toEqual([
    expect.stringMatching(/^TLS_CERT_FILE expires at .*; then clients refuse to connect over TLS$/),
    expect.stringMatching(/^TLS_CRL_FILE expired at .*: every client certificate is refused$/),
  ]);
});
