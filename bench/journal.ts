/**
 * Durable records per second and the time from append to `done`, for 100-byte bodies and N records
 * outstanding: every `done` appends the next record, from the timer queue's point of view at once.
 * Usage: tsx bench/journal.ts [seconds per row, default 3] [folder, default the system's temporary one]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "../storage/journal/journal.ts";

const BODY = new Uint8Array(100).fill(0x5a);
const seconds = Number(process.argv[2] ?? 3);
const folder = process.argv[3] ?? tmpdir();

console.log("outstanding  records/s  p50 ms  p99 ms  commits/s  records/commit  sync p50 ms");
for (const outstanding of [1, 10, 100, 1_000, 10_000]) {
  const dir = await mkdtemp(join(folder, "bench-journal-"));
  const journal = await openJournal({ dir, minFreeBytes: 0 });
  try {
    console.log(row(outstanding, await run(journal, outstanding)));
  } finally {
    await journal.close();
    await rm(dir, { recursive: true });
  }
}

interface Figures {
  readonly latenciesMs: Float64Array;
  readonly commitsMs: readonly number[];
  readonly records: number;
  readonly elapsedS: number;
}

function run(journal: Awaited<ReturnType<typeof openJournal>>, outstanding: number) {
  return new Promise<Figures>((resolve, reject) => {
    const commitsMs: number[] = [];
    const latencies = new Float64Array(4_000_000);
    journal.onCommit((commit) => commitsMs.push(commit.durationMs));
    const startMs = performance.now();
    let records = 0;
    let open = outstanding;
    const next = () => {
      const beginMs = performance.now();
      journal.append(1, Date.now(), BODY, (error) => {
        if (error !== undefined) return reject(error);
        const nowMs = performance.now();
        latencies[records % latencies.length] = nowMs - beginMs;
        records++;
        if (nowMs - startMs < seconds * 1_000) return next();
        open--;
        if (open > 0) return;
        const latenciesMs = latencies.slice(0, Math.min(records, latencies.length)).sort();
        resolve({ latenciesMs, commitsMs, records, elapsedS: (nowMs - startMs) / 1_000 });
      });
    };
    for (let i = 0; i < outstanding; i++) next();
  });
}

function row(outstanding: number, { latenciesMs, commitsMs, records, elapsedS }: Figures): string {
  const at = (sorted: Float64Array, share: number) =>
    sorted[Math.floor(sorted.length * share)] ?? 0;
  const commits = Float64Array.from(commitsMs).sort();
  return [
    String(outstanding).padStart(11),
    Math.round(records / elapsedS)
      .toString()
      .padStart(10),
    at(latenciesMs, 0.5).toFixed(2).padStart(7),
    at(latenciesMs, 0.99).toFixed(2).padStart(7),
    Math.round(commits.length / elapsedS)
      .toString()
      .padStart(10),
    Math.round(records / commits.length)
      .toString()
      .padStart(15),
    at(commits, 0.5).toFixed(3).padStart(12),
  ].join(" ");
}
