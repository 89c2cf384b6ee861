import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLI_PROGRAM } from "../support/cli-program.ts";

const KEY = "a-key-of-the-test";

/** Settings of servers that are not there. */
const ON_KAFKA = {
  DATABASE_URL: "postgres://127.0.0.1:9/y",
  INFLUX_URL: "http://127.0.0.1:9",
  KAFKA_BROKERS: "127.0.0.1:9",
};

/** The real command as a process of its own. */
function plumbline(args: readonly string[], environment: Record<string, string> = {}) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { ...process.env, DATABASE_URL: "", INFLUX_URL: "", ...environment };
    execFile(process.execPath, [...CLI_PROGRAM, ...args], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

describe("plumbline", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "plumbline-cli-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function withServer<T>(answer: RequestListener, work: (url: string) => Promise<T>) {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      return await work(`http://127.0.0.1:${port}`);
    } finally {
      server.close();
    }
  }

  it("plumbline names every command", async () => {
    const { code, out } = await plumbline(["--help"]);
    const commands = ["backup --to", "restore --from", "check --data-dir", "migrate-data --from"];
    expect([code, commands.filter((command) => !out.includes(command))]).toEqual([0, []]);
  });

  it.each([
    [["dance"], 'there is no command "dance"'],
    [["backup"], "--to is missing"],
    [["restore", "--from", "x"], "--data-dir is missing"],
    [["check", "--repair"], "--data-dir is missing"],
    [["migrate-data", "--frmo", "x"], "Unknown option '--frmo'"],
    [["migrate-data"], "--from is missing"],
    [["migrate-data", "--from", "x", "--to", "y"], "--from and --to are both given"],
  ])("plumbline answers %j with one line and status 2", async (args, message) => {
    const { code, err } = await plumbline(args);
    expect([code, err.trim().split("\n").length]).toEqual([2, 1]);
    expect(err).toContain(message);
  });

  it.each([
    [{}, "DATABASE_URL (or --to-database) is not set"],
    [{ DATABASE_URL: "postgres://x/y" }, "INFLUX_URL (or --to-influx) is not set"],
    [
      { DATABASE_URL: "postgres://x/y", INFLUX_URL: "http://127.0.0.1:9" },
      "is not a data folder with embedded records",
    ],
    [{ DATABASE_URL: "mysql://x/y" }, "DATABASE_URL="],
    [{ KAFKA_BROKERS: "127.0.0.1:9" }, "KAFKA_BROKERS needs DATABASE_URL, INFLUX_URL"],
    [ON_KAFKA, "is not a data folder with a journal"],
  ])("plumbline says what a migration lacks: %j", async (environment, message) => {
    const { code, err } = await plumbline(["migrate-data", "--from", dir], environment);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    [["--to", "there"], {}, "KAFKA_BROKERS (or --kafka) is not set"],
    [["--to", "there"], ON_KAFKA, "Kafka at 127.0.0.1:9 does not answer"],
    [["--to", "there", "--dry-run"], ON_KAFKA, "Kafka at 127.0.0.1:9 does not answer"],
  ])("plumbline says why the journal cannot come back: %j %j", async (args, environment, message) => {
    const { code, err } = await plumbline(["migrate-data", ...args], environment);
    expect([code, err.trim().split("\n").length]).toEqual([1, 1]);
    expect(err).toContain(message);
  });

  it("plumbline keeps no archive that was cut off", async () => {
    const to = join(dir, "a.tar");
    const { code, err } = await withServer(
      (_request, response) => {
        response.setHeader("content-type", "application/x-tar");
        response.end(Buffer.alloc(1024));
      },
      (url) => plumbline(["backup", "--to", to, "--url", url], { PLUMBLINE_API_KEY: KEY }),
    );
    expect([code, err]).toEqual([1, expect.stringContaining("not a whole archive")]);
    expect(await readdir(dir)).toEqual([]);
  });

  it("plumbline says why the service refuses, and shows it the key", async () => {
    const seen: (string | undefined)[] = [];
    const { code, err } = await withServer(
      (request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(409, { "content-type": "application/json" });
        response.end('{"error":{"code":"conflict","message":"another backup is being made"}}');
      },
      (url) =>
        plumbline(["backup", "--to", join(dir, "a.tar"), "--url", url], { PLUMBLINE_API_KEY: KEY }),
    );
    expect([code, seen]).toEqual([1, [`Bearer ${KEY}`]]);
    expect(err).toContain("answered 409: another backup is being made");
  });

  it("plumbline replaces no file, and asks nobody without a key", async () => {
    const to = join(dir, "a.tar");
    const without = await plumbline(["backup", "--to", to], { PLUMBLINE_API_KEY: "" });
    await writeFile(to, "mine");
    const there = await plumbline(["backup", "--to", to], { PLUMBLINE_API_KEY: KEY });
    expect([without.code, without.err]).toEqual([
      1,
      expect.stringContaining("PLUMBLINE_API_KEY is not set"),
    ]);
    expect([there.code, there.err]).toEqual([1, expect.stringContaining("a.tar exists")]);
  });
});
