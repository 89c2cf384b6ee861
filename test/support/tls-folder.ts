import { pino } from "pino";
import { openTls, type Tls, type TlsRun, type TlsSettings } from "../../tls/tls.ts";
import {
  type Credentials,
  createAuthority,
  createPemFolder,
  issueServer,
  type PemFolder,
  type TestAuthority,
} from "./test-authority.ts";

/** An authority, a server's certificate of it, and the folder with both as `cert.pem`, `key.pem`, `ca.pem`. */
export interface TlsFolder extends PemFolder {
  readonly authority: TestAuthority;
  readonly server: Credentials;
}

export async function createTlsFolder(): Promise<TlsFolder> {
  const authority = await createAuthority();
  const server = await issueServer(authority);
  const folder = await createPemFolder({
    "cert.pem": server.cert,
    "key.pem": server.key,
    "ca.pem": authority.cert,
  });
  return { ...folder, authority, server };
}

/** The settings that name the certificate and the key in a folder. */
export const certificateOf = (folder: Pick<PemFolder, "path">) => ({
  tlsCertFile: folder.path("cert.pem"),
  tlsKeyFile: folder.path("key.pem"),
});

/** TLS by the certificate of a folder, without client certificates unless `more` asks for them. */
export async function openFolderTls(
  folder: Pick<PemFolder, "path">,
  more: Partial<TlsSettings> = {},
  run: Partial<TlsRun> = {},
): Promise<Tls> {
  const opened = await openTls(
    {
      ...certificateOf(folder),
      tlsCaFile: undefined,
      tlsCrlFile: undefined,
      tlsClientIdentity: "none",
      httpsClientCertificates: "none",
      ...more,
    },
    { log: pino({ level: "silent" }), ...run },
  );
  if (opened === undefined) throw new Error("no TLS");
  return opened;
}
