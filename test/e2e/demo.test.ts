import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type DemoProcess, startDemoProcess } from "../support/demo-process.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { slowness } from "../support/slowness.ts";
import { until } from "../support/until.ts";

const DEMO = fileURLToPath(new URL("../../scripts/demo.mjs", import.meta.url));
/** Longest that Ctrl-C may take, ms: the 2,000 that the server has, and leave of the operating system. */
const AT_ONCE_MS = 3_000;

let dataDir: string;
let demo: DemoProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-demo-"));
});

afterEach(async () => {
  demo?.interrupt();
  await demo?.ended;
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Whether a server still has the demo's data folder: its port answers. */
async function isServed(): Promise<boolean> {
  const log = await readFile(join(dataDir, "demo.log"), "utf8").catch(() => "");
  const address = log
    .match(/"http":"([^"]+)"/g)
    ?.at(-1)
    ?.slice(8, -1);
  if (address === undefined) return false;
  return fetch(`${address}/health/live`).then(
    () => true,
    () => false,
  );
}

const has = (text: string | RegExp) => () => new RegExp(text).test(demo?.output ?? "");

/** Moments of a demo's life, in the order in which they come; each is a start on the same data. */
const MOMENTS: readonly { readonly name: string; readonly reached: () => boolean }[] = [
  { name: "before the program is read", reached: () => true },
  { name: "as the server begins", reached: () => existsSync(join(dataDir, "demo.log")) },
  {
    name: "while the database is unpacked",
    reached: () => existsSync(join(dataDir, "records", "cluster.unfinished")),
  },
  {
    name: "while the database is opened for the first time",
    reached: () => existsSync(join(dataDir, "records", "cluster")),
  },
  { name: "as the server is ready", reached: has("Plumbline is running") },
  { name: "while the fleet connects", reached: has(/\d+\/20 connected/) },
  { name: "while the fleet reports", reached: has(/[1-9]\d* acknowledged/) },
  { name: "while the sites are made", reached: has(/(gravel|building site)[^\n]* \|/) },
];

describe("Ctrl-C ends the demo at once and quietly", () => {
  it.each(MOMENTS)("$name", async ({ name, reached }) => {
    demo = startDemoProcess(dataDir);
    await until(name, reached, PATIENT_MS);
    const { output } = demo;
    const startedMs = performance.now();
    demo.interrupt();
    // Before Node has read the first line, the signal itself ends it.
    expect(await demo.ended).toBeOneOf(output === "" ? [0, "SIGINT"] : [0]);
    expect(performance.now() - startedMs).toBeLessThan(AT_ONCE_MS * slowness());
    expect(demo.output).not.toMatch(/abort|error|exit code/i);
    expect(await isServed()).toBe(false);
  });

  it("Ctrl-C ends the demo at once and quietly while the server stops, without waiting for it", async () => {
    demo = startDemoProcess(dataDir);
    await until("the server is ready", has("Plumbline is running"), PATIENT_MS);
    demo.interrupt();
    demo.interrupt();
    expect(await demo.ended).toBe(0);
    expect(demo.output).not.toMatch(/abort|error|exit code/i);
    expect(await isServed()).toBe(false);
  });
});

it("a demo whose server cannot start says why and names the log", async () => {
  const taken = await mkdtemp(join(tmpdir(), "plumbline-demo-"));
  const child = spawn(process.execPath, [DEMO], {
    env: { ...process.env, DATA_DIR: taken, HTTP_PORT: "0", MQTT_PORT: "no port" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(1);
  expect(output).toContain("MQTT_PORT");
  expect(output).toContain(`its log is ${join(taken, "demo.log")}`);
  expect(await readFile(join(taken, "demo.log"), "utf8")).toContain("MQTT_PORT");
  await rm(taken, { recursive: true });
});
