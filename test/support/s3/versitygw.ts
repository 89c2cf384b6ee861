import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PATIENT_MS } from "../patience.ts";
import { parseProcessStat } from "../process-stat.ts";
import { freePorts } from "../tcp-ports.ts";
import { until } from "../until.ts";

const VERSITYGW = process.env["VERSITYGW"] ?? "";
const requiredBackends = (process.env["REQUIRE_BACKENDS"] ?? "").split(",");

/** The real S3 server that tests run on, as docker-compose.yml has it: `sh test/support/s3/build.sh` makes it. */
export const S3 = {
  absent: existsSync(VERSITYGW) ? undefined : "VERSITYGW names no versitygw",
  required: requiredBackends.includes("s3"),
};

export const S3_REGION = "us-east-1";

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** May do everything. The secret has what has to be escaped in addresses. */
const ROOT: S3Keys = { accessKeyId: "plumbline-root", secretAccessKey: "secret/of+the=test" };

/** versitygw as a process of its own, with buckets in a folder, on a port of its own. */
export interface S3Server {
  readonly url: string;
  readonly port: number;
  readonly keys: S3Keys;
  /** Each bucket is a folder in it, and each object a file. */
  readonly dir: string;
  /** Somebody who may neither use the buckets of others nor make one. */
  addUser(keys: S3Keys): Promise<void>;
  /** Starts it again on the same folder and port, after `kill`. */
  start(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT: it holds its connections, takes new ones, and answers nothing. Linux only. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Kills it and removes its folders. */
  close(): Promise<void>;
}

/** Starts versitygw; `dir`: where it keeps buckets, its caller's. */
export async function startVersitygw(options: { readonly dir?: string } = {}): Promise<S3Server> {
  if (S3.absent !== undefined) throw new Error(`${S3.absent}: sh test/support/s3/build.sh`);
  const own = await mkdtemp(join(tmpdir(), "plumbline-s3-"));
  const dir = options.dir ?? join(own, "buckets");
  const users = join(own, "users");
  await Promise.all([dir, users].map((path) => mkdir(path, { recursive: true })));
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(
      VERSITYGW,
      [
        ...["--port", `127.0.0.1:${port}`, "--region", S3_REGION, "--health", "/health", "--quiet"],
        ...["--iam-dir", users, "--iam-cache-disable", "posix", dir],
      ],
      {
        stdio: "ignore",
        env: { ROOT_ACCESS_KEY: ROOT.accessKeyId, ROOT_SECRET_KEY: ROOT.secretAccessKey },
      },
    );
    child = started;
    await until(
      "versitygw answers",
      async () => {
        if (started.exitCode !== null) throw new Error(`versitygw ended with ${started.exitCode}`);
        return (await fetch(`${url}/health`)).ok;
      },
      PATIENT_MS,
    );
  }

  async function kill(): Promise<void> {
    const dying = child;
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return;
    const gone = new Promise((resolve) => dying.once("exit", resolve));
    dying.kill("SIGKILL");
    await gone;
  }

  await start();
  return {
    url,
    port,
    keys: ROOT,
    dir,
    async addUser({ accessKeyId, secretAccessKey }) {
      await promisify(execFile)(VERSITYGW, [
        ...["admin", "--endpoint-url", url, "--region", S3_REGION],
        ...["--access", ROOT.accessKeyId, "--secret", ROOT.secretAccessKey],
        ...["create-user", "--access", accessKeyId, "--secret", secretAccessKey, "--role", "user"],
      ]);
    },
    start,
    kill,
    async freeze() {
      child?.kill("SIGSTOP");
      const state = async () =>
        parseProcessStat(await readFile(`/proc/${child?.pid}/stat`, "utf8")).state;
      await until("versitygw is stopped", async () => (await state()) === "T", PATIENT_MS);
    },
    thaw: () => void child?.kill("SIGCONT"),
    async close() {
      await kill();
      await rm(own, { recursive: true, force: true });
    },
  };
}
