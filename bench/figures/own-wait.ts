import { readFileSync } from "node:fs";

const NS_PER_MS = 1e6;

/** How long this process's event loop was ready to run and had no core since it started, ms. Linux only; takes 10 us. */
export function ownWaitMs(): number {
  const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1");
  return Number(text.split(" ")[1]) / NS_PER_MS;
}
