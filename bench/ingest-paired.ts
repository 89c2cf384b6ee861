/**
 * Processor time of an acknowledged message of several compiled checkouts, and of mosquitto, in turns: a broker with
 * intake, decoding and the journal (`bench/ingest.ts serve`), warmed up for 2 s and measured for 2. The table has the
 * median of each, and the median of its ratios to the first of the same round.
 *
 *   npx tsc -p . --noCheck --outDir OUT     in each checkout, and a link OUT/node_modules
 *   npx tsx bench/ingest-paired.ts [--rounds 5] [--connections 200] [--window 10] OUT ... [mosquitto]
 */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median } from "./figures/median.ts";
import { ask, startMosquitto } from "./ingest/processes.ts";
import type { PublishResult } from "./ingest/publish.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "200" },
    window: { type: "string", default: "10" },
  },
});
const SECONDS = "2";
const [first] = positionals;
if (first === undefined || first === "mosquitto") {
  console.error("usage: ingest-paired.ts [--rounds N] [--connections N] [--window N] OUT ...");
  process.exit(2);
}
const role = (folder: string, args: readonly string[]): ChildProcess =>
  fork(join(folder, "bench/ingest.js"), args, { execArgv: [] });

const results = new Map(positionals.map((folder) => [folder, [] as PublishResult[]]));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const folder of round % 2 === 0 ? positionals : positionals.toReversed()) {
    results.get(folder)?.push(await measure(folder));
  }
}
const rows: Record<string, object> = {};
for (const [folder, all] of results) {
  const ratios = all.map(({ cpuUs }, i) => cpuUs / (results.get(first)?.[i]?.cpuUs ?? Number.NaN));
  rows[folder] = {
    "CPU us": median(all.map(({ cpuUs }) => cpuUs)).toFixed(2),
    ratio: median(ratios).toFixed(3),
    from: Math.min(...ratios).toFixed(2),
    to: Math.max(...ratios).toFixed(2),
    "messages/s": median(all.map(({ perS }) => perS)),
    "p50 ms": median(all.map(({ p50Ms }) => p50Ms)).toFixed(2),
  };
}
console.table(rows);

async function measure(folder: string): Promise<PublishResult> {
  const server = folder === "mosquitto" ? await startedMosquitto() : await started(folder);
  const { connections, window } = values;
  const args = [`${server.port}`, connections, window, SECONDS, `${server.child.pid}`];
  await ask(role(first ?? "", ["publish", ...args]));
  const result = await ask<PublishResult>(role(first ?? "", ["publish", ...args]));
  await server.stop();
  return result;
}

async function startedMosquitto() {
  const server = await startMosquitto();
  if (server === undefined) throw new Error("mosquitto is not installed");
  return server;
}

async function started(folder: string) {
  const child = role(folder, ["serve", "plumbline"]);
  const { port } = await ask<{ port: number }>(child);
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.send("stop");
    await ended;
  };
  return { port, child, stop };
}
