import type { ServiceProcess } from "../../support/service-process.ts";
import { STEP_MS } from "./fleet.ts";

const MOST_LINES = 50;

/** Prints what helps to find the reason: crossings (`{asset} {type} {time} ...`), and what the nodes logged. */
export function printDiagnostics(
  found: Readonly<Record<string, readonly string[]>>,
  startMs: number,
  nodes: readonly ServiceProcess[],
): void {
  const place = (one: string) => `${one} (fix ${(Number(one.split(" ")[2]) - startMs) / STEP_MS})`;
  for (const [what, crossings] of Object.entries(found)) {
    console.log(`${what}:`, crossings.slice(0, MOST_LINES).map(place));
  }
  for (const { output } of nodes) {
    printWarnings(output);
    console.log(
      output.filter((line) => /shards of this node|took over|read back/.test(line)).join("\n"),
    );
  }
}

/** Prints which places of which machine are missing, as runs, and what the nodes warned of. */
export function printMissing(
  missing: ReadonlyMap<string, readonly number[]>,
  nodes: readonly ServiceProcess[],
): void {
  for (const [machine, numbers] of [...missing].slice(0, MOST_LINES)) {
    console.log(`${machine} lacks ${numbers.length}: ${runsOf(numbers).join(", ")}`);
  }
  for (const { output } of nodes) printWarnings(output);
}

function printWarnings(output: readonly string[]): void {
  const warnings = output.filter((line) => !line.includes('"level":30'));
  console.log(warnings.slice(-MOST_LINES).join("\n"));
}

/** Ascending numbers by those that follow each other: `3-7` and `9`. */
export function runsOf(numbers: readonly number[]): readonly string[] {
  const runs: [number, number][] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && n === last[1] + 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
}
