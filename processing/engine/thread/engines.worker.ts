import { getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { type DiskSpace, openDiskSpace } from "../../../storage/disk/disk-space.ts";
import { ThreadPool } from "../../pool/pool.ts";
import { NodeOdmClient } from "../nodeodm/client.ts";
import { pruneStages } from "../run/prune-stages.ts";
import { createStageStores } from "../run/stage-stores.ts";
import { createSurveyEngines } from "../survey-engines.ts";
import { type EngineThreadStart, type FromEngines, LOAD, type ThreadDisk } from "./messages.ts";
import { serveEngines } from "./serve-engines.ts";

/**
 * How much nicer than the rest of the process this thread is, and so the threads that it starts: the event loop
 * that serves the API gets its core at once, however many tasks run. Higher leaves more to other programs of the
 * machine: at 5 a thread weighs a third of theirs.
 */
const NICENESS = 5;
/** The nicest that Linux knows (setpriority(2)). */
const NICEST = 19;

const port = parentPort;
if (port === null) throw new Error("engines.worker runs in a worker thread only");
// Linux has a priority per thread; elsewhere the call would slow the whole process down.
if (process.platform === "linux") setPriority(Math.min(NICEST, getPriority() + NICENESS));

const { threads, memoryBytes, nodeOdm, disk, load } = workerData as EngineThreadStart;
const numbers = new Float64Array(load);

function openDisk(start: ThreadDisk | undefined): DiskSpace | undefined {
  if (start === undefined) return undefined;
  const opened = openDiskSpace(start);
  opened.addCache((freeBytes) => pruneStages(start.stagesDir, { freeBytes }));
  return opened;
}

const send = (message: FromEngines) => port.postMessage(message);

serveEngines(
  port,
  createSurveyEngines({
    pool: new ThreadPool({
      threads,
      memoryBytes,
      // Threads start with the niceness of the one that starts them.
      niceness: process.platform === "linux" ? 0 : NICENESS,
      onTask: (task) => send({ kind: "task", task }),
      onLoad({ running, waiting, usedBytes }) {
        numbers[LOAD.running] = running;
        numbers[LOAD.waiting] = waiting;
        numbers[LOAD.usedBytes] = usedBytes;
      },
    }),
    stages: createStageStores(openDisk(disk)),
    nodeOdm: nodeOdm && new NodeOdmClient(nodeOdm.url, nodeOdm.token),
  }),
);
