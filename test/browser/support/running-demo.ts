import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const DEMO = fileURLToPath(new URL("../../../scripts/demo.mjs", import.meta.url));

/** The demo's fleet on free ports, with a data folder of its own: real service, simulated machines over MQTT. */
export interface RunningDemo extends AsyncDisposable {
  /** What the demo prints for a browser, with the key in its fragment. */
  readonly link: string;
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly key: string;
}

export async function startDemo(): Promise<RunningDemo> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-browser-"));
  const child: ChildProcess = spawn(process.execPath, [DEMO, "--fleet"], {
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
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const linkOf = () => output.match(/Console +(\S+)/)?.[1];
  await until("the demo prints its link", () => linkOf() !== undefined, PATIENT_MS);
  await until("machines report", () => /[1-9]\d* acknowledged/.test(output), PATIENT_MS);
  const link = linkOf() ?? "";
  return {
    link,
    origin: new URL(link).origin,
    key: link.slice(link.indexOf("#key=") + "#key=".length),
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
