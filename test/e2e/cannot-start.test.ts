import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDataDir } from "../support/databases.ts";
import { runServiceProcess, startServiceProcess } from "../support/service-process.ts";

const ADMIN_KEY = "service-test-admin-key-of-forty-two-letters";
const PEM = (name: string) =>
  fileURLToPath(new URL(`../ingest/broker/tls/${name}.pem`, import.meta.url));

describe("the service in a place where it cannot start", () => {
  let ownDir: string;
  beforeAll(async () => {
    ownDir = await freshDataDir();
  });
  afterAll(() => rm(ownDir, { recursive: true, force: true }));

  it("the service names every wrong setting in one line and exits with 1", async () => {
    const { code, output } = await runServiceProcess({
      dataDir: ownDir,
      adminKey: "short",
      environment: { HTTP_PORT: "eighty", RETENTION_DAYS: "1", TLS_CERT_FILE: PEM("cert") },
    });
    expect(code).toBe(1);
    expect(output).toHaveLength(1);
    expect(output[0]).toMatch(/^plumbline: .*HTTP_PORT.*ADMIN_API_KEY.*RETENTION_DAYS/);
  });

  it.each([
    "HTTP_PORT",
    "MQTT_PORT",
  ])("the service says in one line that %s is taken", async (setting) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    try {
      const { code, output } = await runServiceProcess({
        dataDir: ownDir,
        adminKey: ADMIN_KEY,
        environment: { [setting]: String(port) },
      });
      expect(code).toBe(1);
      expect(output).toHaveLength(1);
      expect(output[0]).toContain(`${setting} ${port}`);
      expect(output[0]).toMatch(/^plumbline: .*in use/);
    } finally {
      taken.close();
    }
  });

  it("the service says in one line that a TLS file cannot be read", async () => {
    const { code, output } = await runServiceProcess({
      dataDir: ownDir,
      adminKey: ADMIN_KEY,
      environment: { TLS_CERT_FILE: join(ownDir, "none.pem"), TLS_KEY_FILE: PEM("key") },
    });
    expect(code).toBe(1);
    expect(output).toHaveLength(1);
    expect(output[0]).toMatch(/^plumbline: .*TLS_CERT_FILE/);
  });

  it("the service says in one line that SECRET_KEY is not the one that the records were made with", async () => {
    const dataDir = await freshDataDir();
    const of = (secretKey: string) => ({
      dataDir,
      adminKey: ADMIN_KEY,
      environment: { SECRET_KEY: `${secretKey} secret key of more than 32 characters` },
    });
    try {
      const first = await startServiceProcess(of("the first"));
      await first.end("SIGTERM");
      const { code, output } = await runServiceProcess(of("another"));
      expect(code).toBe(1);
      expect(output).toHaveLength(1);
      expect(output[0]).toMatch(/^plumbline: SECRET_KEY is not the key .*: set the value/);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it("the service says in one line that the data folder cannot be made", async () => {
    const file = join(ownDir, "file");
    await writeFile(file, "");
    const { code, output } = await runServiceProcess({
      dataDir: join(file, "data"),
      adminKey: ADMIN_KEY,
    });
    expect(code).toBe(1);
    expect(output).toHaveLength(1);
    expect(output[0]).toMatch(/^plumbline: .*DATA_DIR/);
    expect(await readFile(file, "utf8")).toBe("");
  });
});
