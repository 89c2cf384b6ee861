import { basename } from "node:path";
import { readImages } from "../../../processing/images/read-images.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";

/** Reads the images of the command line one after the other, and says what came of them and its peak. */
const pool = new ThreadPool({ threads: 1, memoryBytes: 1024 ** 3 });
const files = process.argv
  .slice(2)
  .map((path) => ({ path, sha256: "0".repeat(64), name: basename(path) }));
// The thread and its libraries are there before anything hostile comes.
const baseMib = process.resourceUsage().maxRSS / 1024;
const seconds: number[] = [];
let lastMs = performance.now();
const outcomes = await readImages(pool, files, {
  signal: new AbortController().signal,
  onRead() {
    seconds.push((performance.now() - lastMs) / 1_000);
    lastMs = performance.now();
  },
});
const refusals = outcomes.map((outcome) => ("refused" in outcome ? outcome.refused : null));
const peakMib = process.resourceUsage().maxRSS / 1024;
await pool.close();
console.log(JSON.stringify({ refusals, seconds, baseMib, peakMib }));
