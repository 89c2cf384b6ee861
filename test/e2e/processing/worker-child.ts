import { createHash } from "node:crypto";
import { join } from "node:path";
import { pino } from "pino";
import { readSettings } from "../../../config/settings.ts";
import type { JobId } from "../../../domain/ids.ts";
import { openStageStore } from "../../../processing/engine/run/stage-store.ts";
import type { JobHandler } from "../../../processing/queue/job-handler.ts";
import { JobRunner } from "../../../processing/queue/runner.ts";
import { openRecords } from "../../../storage/open.ts";
import type { NewJob } from "../../../storage/ports/platform/jobs.ts";
import type { FromWorker, SurveyLike, ToWorker } from "./messages.ts";
import { openWorkPool, WORK } from "./work.ts";

/**
 * A process that runs jobs of a survey without its pictures: the real queue, runner, pool and stage
 * store, and a handler of four stages of four tiles. Killed by its parent.
 */
const dataDir = process.argv[2] ?? "";
const records = await openRecords(readSettings({ DATA_DIR: dataDir }));
const stages = await openStageStore(join(dataDir, "stages"));
const pool = openWorkPool();
const STAGES = ["features", "match", "adjust", "dense"];
const TILES = 4;

const send = (message: FromWorker) => process.send?.(message);

/** Threads that are to be killed by this process, once per stage. */
const killed = new Set<string>();

const handler: JobHandler = async (job, { signal, progress }) => {
  const input = job.input as SurveyLike;
  let before = input.seed;
  for (const [i, name] of STAGES.entries()) {
    const done = await stages.once({ name, version: 1 }, [before], async () => {
      send({ kind: "stage", name });
      const tiles = Array.from({ length: TILES }, (_, tile) => {
        const isVictim = input.killThreads === true && tile === 0 && !killed.has(name);
        if (isVictim) killed.add(name);
        const deed = isVictim ? "kills its thread" : (input.deed ?? "works");
        const text = `${before} ${name} ${tile}`;
        return pool.run(WORK, { text, busyMs: input.busyMs, deed }, signal);
      });
      const hashes = await Promise.all(tiles);
      return createHash("sha256").update(hashes.join("\n")).digest("hex");
    });
    before = done.value;
    progress(name, (100 * (i + 1)) / STAGES.length);
  }
  return { surface: before };
};

const runner = new JobRunner({
  jobs: records.jobs,
  handlers: new Map([["survey-like", handler]]),
  runner: `child-${process.pid}`,
  concurrency: 2,
  isAlone: true,
  log: pino({ level: "silent" }),
});

function newJob(id: string, input: SurveyLike): NewJob {
  return {
    id: id as JobId,
    kind: "survey-like",
    projectId: undefined,
    input,
    dedupeKey: undefined,
    lane: undefined,
    joinCompletedMs: 0,
    priority: 0,
    maxAttempts: 20,
    workUnits: 1,
  };
}

async function obey(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case "add":
      await records.jobs.add(newJob(message.id, message.input));
      runner.poke();
      break;
    case "cancel":
      await records.jobs.requestCancel(message.id as JobId);
      break;
    case "find": {
      const job = await records.jobs.find(message.id as JobId);
      if (job !== undefined) send({ kind: "job", job });
      break;
    }
    case "stop":
      await runner.stop();
      await pool.close();
      await records.close();
      process.exit(0);
  }
}

process.on("message", (message) => void obey(message as ToWorker));
// An orphan has nobody to work for.
process.on("disconnect", () => process.exit(1));
send({ kind: "ready" });
