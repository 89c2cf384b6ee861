/**
 * Speed of each decoder beside that of another checkout of the project, both in one process and in short turns,
 * so that what else the machine does changes neither. What the engine compiles differs from one process to the
 * next, by 10 % for the shortest messages, so several processes measure one after the other. The table has the
 * median of their medians, and the lowest and highest of these; 1 is as fast, the goal is 0.95 or more. A
 * checkout beside itself shows how far the figures can be trusted.
 *
 *   npx tsx bench/decode-paired.ts FOLDER [processes] [milliseconds]   of one turn (default 7 and 8)
 */

import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import type { AssetId } from "../domain/ids.ts";
import type { Decoder } from "../ingest/decoders/fields/decoder.ts";
import { DECODERS } from "../ingest/decoders/registry.ts";
import { goldenMapping } from "../test/ingest/decoders/golden-mapping.ts";
import { goldenInputs } from "../test/ingest/decoders/mutations-trial.ts";
import { SINGLE_READINGS } from "./decode/single-readings.ts";
import { median } from "./figures/median.ts";

/** Turns of each in one process; odd, so that there is a median. */
const ROUNDS = 25;
/** Processor time: on a busy machine the compiler has had none of it after as much time by the clock. */
const WARM_UP_US = 250_000;
/** Calls between two reads of the processor time. */
const BATCH = 100;
const CONTEXT = { assetId: "asset-1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };

const [, script = "", folder, processes = "7", ms = "8", mode] = process.argv;
const turnMs = Number(ms);
if (folder === undefined || !(Number(processes) >= 1) || !(turnMs >= 1)) {
  console.error("usage: decode-paired.ts FOLDER [processes from 1] [milliseconds from 1]");
  process.exit(2);
}
if (mode === "one") console.log(JSON.stringify(await ratios(folder)));
else report(folder);

/** Has each process measure, and shows what they found. */
function report(other: string): void {
  const found = new Map<string, number[]>();
  for (let i = 0; i < Number(processes); i += 1) {
    const args = [...process.execArgv, script, other, "1", ms, "one"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`a process ended with ${status}: ${stderr}`);
    const one: Readonly<Record<string, number>> = JSON.parse(stdout);
    for (const [name, ratio] of Object.entries(one)) {
      found.set(name, [...(found.get(name) ?? []), ratio]);
    }
  }
  const rows: Record<string, object> = {};
  for (const [name, all] of found) {
    rows[name] = {
      ratio: median(all).toFixed(3),
      from: Math.min(...all).toFixed(3),
      to: Math.max(...all).toFixed(3),
    };
  }
  console.table(rows);
}

/** Our speed divided by that of the other checkout, by decoder and case, in this process. */
async function ratios(other: string): Promise<Record<string, number>> {
  const from = pathToFileURL(`${other}/`);
  const theirs: { readonly DECODERS: readonly Decoder[] } = await import(
    new URL("ingest/decoders/registry.ts", from).href
  );
  const theirMappings: { readonly goldenMapping: typeof goldenMapping } = await import(
    new URL("test/ingest/decoders/golden-mapping.ts", from).href
  );
  const found: Record<string, number> = {};
  for (const decoder of DECODERS) {
    const before = theirs.DECODERS.find(({ name }) => name === decoder.name);
    if (before === undefined) continue;
    for (const caseName of SINGLE_READINGS[decoder.name] ?? []) {
      const payload = goldenInputs(decoder.name).get(caseName);
      if (payload === undefined) throw new Error(`${decoder.name} has no case ${caseName}`);
      const ours = { ...CONTEXT, mapping: goldenMapping(decoder.name, caseName) };
      const its = { ...CONTEXT, mapping: theirMappings.goldenMapping(decoder.name, caseName) };
      found[`${decoder.name}, ${caseName}`] = ratio(
        () => decoder.decode(payload, ours),
        () => before.decode(payload, its),
      );
    }
  }
  return found;
}

function ratio(now: () => unknown, then: () => unknown): number {
  const calls = callsOfTurn(now, then);
  const all = Array.from({ length: ROUNDS }, (_, i) => {
    // Each goes first as often.
    const [first, second] = i % 2 === 0 ? [now, then] : [then, now];
    const [a, b] = [microseconds(first, calls), microseconds(second, calls)];
    return i % 2 === 0 ? b / a : a / b;
  });
  return median(all);
}

/** Warms both up, and yields how many calls take about `turnMs`. */
function callsOfTurn(now: () => unknown, then: () => unknown): number {
  const before = process.cpuUsage();
  let calls = 0;
  for (let spent = 0; spent < WARM_UP_US; ) {
    for (let i = 0; i < BATCH; i += 1) {
      now();
      then();
    }
    calls += BATCH;
    const { user, system } = process.cpuUsage(before);
    spent = user + system;
  }
  return Math.max(1, Math.round((turnMs * 1_000 * calls) / microseconds(then, calls)));
}

/** Processor time of so many calls. */
function microseconds(call: () => unknown, calls: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i += 1) call();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
