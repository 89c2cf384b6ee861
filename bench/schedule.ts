import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MAX_SCHEDULE_TASKS } from "../domain/sites/schedule.ts";
import { largeCsv, largeMspdi, largeXer } from "../test/support/schedule-files/large-files.ts";
import type { ReadFigures } from "./schedule/read-one.ts";

/**
 * What it takes to read a schedule of 50,000 activities in each format, in a process of its own. Prints
 * seconds (those of the processor are more reliable on a busy machine), peak memory of the whole process (Node and tsx
 * themselves take 100 MiB), longest time the event loop was held up, and 100 planned percents of the
 * project. Run: `npx tsx bench/schedule.ts`
 */
const FILES = { xer: largeXer, mspdi: largeMspdi, csv: largeCsv } as const;
const ROUNDS = 3;

const dir = await mkdtemp(join(tmpdir(), "plumbline-bench-schedule-"));
for (const [format, make] of Object.entries(FILES)) {
  const path = join(dir, `large.${format}`);
  const content = make(MAX_SCHEDULE_TASKS);
  await writeFile(path, content);
  for (let round = 0; round < ROUNDS; round++) {
    const figures = await readAlone(path);
    const mib = (content.byteLength / 1024 ** 2).toFixed(1);
    console.log(
      `${format} ${mib} MiB, ${figures.tasks} activities: ${figures.seconds.toFixed(2)} s (${figures.cpuSeconds.toFixed(2)} s of processor), peak ${figures.peakMib.toFixed(0)} MiB, loop held up ${figures.stallMs.toFixed(0)} ms, 100 dates ${figures.plannedMs.toFixed(0)} ms`,
    );
  }
}
await rm(dir, { recursive: true });

async function readAlone(path: string): Promise<ReadFigures> {
  const child = fork(fileURLToPath(new URL("schedule/read-one.ts", import.meta.url)), [path]);
  const [figures] = (await once(child, "message")) as [ReadFigures];
  await once(child, "exit");
  return figures;
}
