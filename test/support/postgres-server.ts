import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseProcessStat } from "./process-stat.ts";

const run = promisify(execFile);
const PACKAGES = "/usr/lib/postgresql";

/** A PostgreSQL of a test's own, as processes that it may kill. */
export interface PostgresServer {
  readonly url: string;
  /** SIGKILL to all of its processes, and a start that recovers. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** Why none can be started here; `undefined` when one can. It refuses to run as root, so root must become `postgres`. */
export function whyNoPostgres(): string | undefined {
  if (!existsSync(PACKAGES)) return `no ${PACKAGES}`;
  return process.getuid?.() === 0 ? undefined : "needs root to become the user postgres";
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const version =
    readdirSync(PACKAGES)
      .sort((a, b) => Number(a) - Number(b))
      .at(-1) ?? "";
  const bin = join(PACKAGES, version, "bin");
  const dir = await mkdtemp(join(tmpdir(), "plumbline-postgres-"));
  await chmod(dir, 0o755);
  const data = join(dir, "data");
  const { stdout } = await run("id", ["-u", "postgres"]);
  await mkdir(data, { mode: 0o700 });
  await chown(data, Number(stdout), -1);
  const port = await freePort();
  const as = (program: string, ...args: readonly string[]) =>
    run("runuser", ["-u", "postgres", "--", join(bin, program), ...args], { cwd: "/" });
  await as("initdb", "-D", data, "-A", "trust", "-U", "postgres");
  const options = `-c listen_addresses=127.0.0.1 -c unix_socket_directories=${data} -p ${port}`;
  const start = () =>
    as("pg_ctl", "-D", data, "-w", "-l", join(data, "log"), "-o", options, "start");
  await start();

  async function kill(): Promise<void> {
    const [pid = ""] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
    const children = await childrenOf(Number(pid));
    for (const one of [Number(pid), ...children]) {
      try {
        process.kill(one, "SIGKILL");
      } catch {
        // It has gone by itself.
      }
    }
    while (existsSync(`/proc/${pid}`)) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async crash() {
      await kill();
      await start();
    },
    async close() {
      await kill().catch(() => undefined);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Processes whose parent is `pid`. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    all.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
      return { child: Number(name), parent: parseProcessStat(stat).parentPid };
    }),
  );
  return parents.filter(({ parent }) => parent === pid).map(({ child }) => child);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
