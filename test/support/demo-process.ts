import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PATIENT_MS } from "./patience.ts";
import { until } from "./until.ts";

const DEMO = fileURLToPath(new URL("../../scripts/demo.mjs", import.meta.url));

/** `npm run demo` on free ports. */
export interface DemoProcess {
  /** What it has printed so far. */
  readonly output: string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** As a terminal does: everybody in the process group. */
  interrupt(): void;
  /** Address and key, as it prints them. */
  access(): Promise<{ readonly url: string; readonly key: string }>;
}

/** @param args of its command line, such as `--empty` */
export function startDemoProcess(dataDir: string, args: readonly string[] = []): DemoProcess {
  const child: ChildProcess = spawn(process.execPath, [DEMO, ...args], {
    env: { ...process.env, DATA_DIR: dataDir, HTTP_PORT: "0", MQTT_PORT: "0" },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  return {
    get output() {
      return output;
    },
    ended,
    interrupt() {
      try {
        process.kill(-(child.pid ?? 0), "SIGINT");
      } catch {
        // It is gone already.
      }
    },
    async access() {
      const link = () => /Console +(\S+)\/#key=(\S+)/.exec(output);
      await until("the demo prints its link", () => link() !== null, PATIENT_MS);
      const [, url = "", key = ""] = link() ?? [];
      return { url, key };
    },
  };
}
