import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENT_MS } from "./patience.ts";
import { accepts, freePorts } from "./tcp-ports.ts";
import { until } from "./until.ts";

const PROGRAM = "/usr/sbin/haproxy";
const requiredBackends = (process.env["REQUIRE_BACKENDS"] ?? "").split(",");

/** The real balancer that tests run behind. */
export const HAPROXY = {
  absent: existsSync(PROGRAM) ? undefined : `no ${PROGRAM}`,
  required: requiredBackends.includes("haproxy"),
};

/** A HAProxy as a process of its own, in front of servers of this machine. */
export interface Haproxy {
  /** One port for each list of servers. */
  readonly ports: readonly number[];
  close(): Promise<void>;
}

/**
 * Starts one whose connections come from `source` and begin with the PROXY protocol, in turns to the ports of each
 * list; those that refuse a connection are left out.
 */
export async function startHaproxy(
  lists: readonly (readonly number[])[],
  source: string,
): Promise<Haproxy> {
  const ports = await freePorts(lists.length);
  const dir = await mkdtemp(join(tmpdir(), "plumbline-haproxy-"));
  const file = join(dir, "haproxy.cfg");
  const listens = lists.map((servers, i) => [
    `listen l${i}`,
    `  bind 127.0.0.1:${ports[i]}`,
    ...servers.map((port, n) => `  server s${n} 127.0.0.1:${port}`),
  ]);
  const common = [
    "defaults",
    "  mode tcp",
    "  timeout connect 5s",
    "  timeout client 1h",
    "  timeout server 1h",
    "  option redispatch 1",
    `  source ${source}`,
    "  default-server send-proxy-v2 check inter 200 fall 1 rise 1",
  ];
  await writeFile(file, `${[common, ...listens].flat().join("\n")}\n`);
  const child: ChildProcess = spawn(PROGRAM, ["-db", "-f", file], { stdio: "ignore" });
  await until(
    "HAProxy listens",
    async () => {
      if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`);
      return (await Promise.all(ports.map((port) => accepts(port)))).every(Boolean);
    },
    PATIENT_MS,
  );
  return {
    ports,
    async close() {
      child.kill("SIGKILL");
      await until("HAProxy is gone", () => child.signalCode !== null, PATIENT_MS);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
