import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { openPostgres } from "../../../storage/records/sql/postgres.ts";
import { POSTGRES } from "../../support/databases.ts";

const pem = (name: string) =>
  fileURLToPath(new URL(`../../ingest/broker/tls/${name}.pem`, import.meta.url));
const CERT = pem("cert");
/** Length of an SSLRequest (PostgreSQL manual, "Message Formats"). */
const SSL_REQUEST_BYTES = 8;

/** In front of the real server, or of none: what it answers to the question for TLS. */
interface Front {
  readonly server: Server;
  readonly sockets: Set<Socket>;
}

describe("TLS to PostgreSQL", () => {
  const fronts: Front[] = [];
  afterEach(async () => {
    for (const { server, sockets } of fronts.splice(0)) {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** Answers `S` and speaks TLS with our certificate, or `N`; passes the rest on to `upstream`. */
  async function open(answer: "S" | "N", upstream?: URL): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("readable", () => {
        socket.read(SSL_REQUEST_BYTES);
        socket.write(answer);
        if (answer === "N") return;
        const secure = new TLSSocket(socket, {
          isServer: true,
          cert: readFileSync(CERT),
          key: readFileSync(pem("key")),
        });
        secure.on("error", () => undefined);
        if (upstream === undefined) return;
        const behind = connect(Number(upstream.port), upstream.hostname);
        sockets.add(behind);
        behind.on("error", () => secure.destroy());
        secure.pipe(behind).pipe(secure);
      });
    });
    fronts.push({ server, sockets });
    // Every address of this machine, for one that the certificate does not name.
    server.listen(0, "0.0.0.0");
    await new Promise((resolve) => server.once("listening", resolve));
    return (server.address() as AddressInfo).port;
  }

  async function refusal(url: string): Promise<{ code?: string; message?: string }> {
    try {
      const database = await openPostgres(url);
      await database.close();
      return {};
    } catch (error) {
      return error as Error;
    }
  }

  it.each([
    "require",
    "verify-ca",
    "verify-full",
  ])("TLS to PostgreSQL refuses an untrusted certificate (sslmode=%s), and says what to set", async (mode) => {
    const port = await open("S");
    const { code, message } = await refusal(`postgres://u@127.0.0.1:${port}/d?sslmode=${mode}`);
    expect(code).toBe("SETTINGS_INVALID");
    expect(message).toContain("DATABASE_URL: the server's certificate is not accepted");
    expect(message).toContain("sslrootcert=");
  });

  it("TLS to PostgreSQL refuses a certificate for another name", async () => {
    const port = await open("S");
    const query = `sslmode=verify-full&sslrootcert=${CERT}`;
    const { code, message } = await refusal(`postgres://u@127.0.0.2:${port}/d?${query}`);
    expect(code).toBe("SETTINGS_INVALID");
    expect(message).toContain("127.0.0.2");
  });

  it("TLS to PostgreSQL says that the server speaks no TLS", async () => {
    const port = await open("N");
    const { code, message } = await refusal(`postgres://u@127.0.0.1:${port}/d?sslmode=require`);
    expect(code).toBe("SETTINGS_INVALID");
    expect(message).toContain("the server speaks no TLS");
  });

  it.each([
    ["sslmode=sometimes", "sslmode=sometimes is not one of disable, no-verify"],
    ["sslmode=require&sslrootcert=/nowhere.pem", "the file of sslrootcert cannot be read"],
  ])("TLS to PostgreSQL refuses %s before it connects", async (query, problem) => {
    const { code, message } = await refusal(`postgres://u@127.0.0.1:9/d?${query}`);
    expect(code).toBe("SETTINGS_INVALID");
    expect(message).toContain(problem);
  });

  it.skipIf(POSTGRES.absent !== undefined)(
    "asks a real server over TLS, by a certificate that is trusted",
    async () => {
      const upstream = new URL(process.env["DATABASE_URL"] ?? "");
      const port = await open("S", upstream);
      const url = new URL(upstream);
      url.hostname = "localhost";
      url.port = String(port);
      url.search = `sslmode=verify-full&sslrootcert=${CERT}`;
      const database = await openPostgres(url.href, { connections: 2 });
      expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
      await database.close();
      expect(await refusal(`${url.href.split("?")[0]}?sslmode=no-verify`)).toEqual({});
    },
  );
});
