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
    const warnings = output.filter((line) => !line.includes('"level":30'));
    console.log(warnings.slice(-MOST_LINES).join("\n"));
    console.log(
      output.filter((line) => /shards of this node|took over|read back/.test(line)).join("\n"),
    );
  }
}
