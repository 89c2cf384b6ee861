import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CrashTarget } from "./target.ts";

const SERVER = fileURLToPath(new URL("./control-server.mjs", import.meta.url));

/**
 * The control: stock aedes with a subscriber that stores every message as soon as it gets it, in a
 * file through a write stream. It acknowledges before it stores, as the usual stack does; a test that
 * finds no loss here could not find one anywhere.
 */
export async function createControlTarget(): Promise<CrashTarget> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-control-"));
  const file = join(dir, "messages.jsonl");
  let child: ReturnType<typeof spawn> | undefined;
  return {
    name: "stock aedes without a journal",
    async register(ids) {
      return new Map(ids.map((id) => [id, { password: "none", topic: `devices/${id}` }]));
    },
    async start() {
      child = spawn(process.execPath, [SERVER, file], { stdio: ["ignore", "pipe", "inherit"] });
      if (child.stdout === null) throw new Error("no stdout");
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      return { mqttPort: Number(line.toString()) };
    },
    async kill() {
      if (child === undefined) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    async stored(ids) {
      const numbers = new Map<string, number[]>(ids.map((id) => [id, []]));
      for (const line of (await readFile(file, "utf8")).split("\n")) {
        const found = /^devices\/(\S+) (.*)$/.exec(line);
        const number = found?.[2] === undefined ? undefined : numberOf(found[2]);
        if (number !== undefined) numbers.get(found?.[1] ?? "")?.push(number);
      }
      return numbers;
    },
    async dispose({ keepData }) {
      child?.kill("SIGKILL");
      if (keepData) console.log(`data kept in ${dir}`);
      else await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The number in a stored payload; `undefined` for a line that the kill cut off. */
function numberOf(payload: string): number | undefined {
  try {
    return (JSON.parse(payload) as { number: number }).number;
  } catch {
    return undefined;
  }
}
