import { getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { openSurveyPool } from "../../pool/survey-pool.ts";
import { createNodeOdmClient } from "../nodeodm/client.ts";
import { createStageStores } from "../stage-stores.ts";
import { createSurveyEngines } from "../survey-engines.ts";
import { type EngineThreadStart, type FromEngines, LOAD } from "./messages.ts";
import { serveEngines } from "./serve-engines.ts";

/**
 * How much nicer than the rest of the process this thread is, and so the threads that it starts: the
 * event loop that serves the API gets its core at once, however many tasks run. Higher leaves more to
 * other programs of the machine: at 5 a thread weighs a third of theirs. Chosen.
 */
const NICENESS = 5;
/** The nicest that Linux knows (setpriority(2)). */
const NICEST = 19;

const port = parentPort;
if (port === null) throw new Error("engines.worker runs in a worker thread only");
// Linux has a priority per thread; elsewhere the call would slow the whole process down.
if (process.platform === "linux") setPriority(Math.min(NICEST, getPriority() + NICENESS));

const { threads, memoryBytes, nodeOdm, load } = workerData as EngineThreadStart;
const numbers = new Float64Array(load);
const tell = (message: FromEngines) => port.postMessage(message);

serveEngines(
  port,
  createSurveyEngines({
    pool: openSurveyPool({
      threads,
      memoryBytes,
      // Threads start with the niceness of the one that starts them.
      niceness: process.platform === "linux" ? 0 : NICENESS,
      onTask: (task) => tell({ kind: "task", task }),
      onLoad({ running, waiting, usedBytes }) {
        numbers[LOAD.running] = running;
        numbers[LOAD.waiting] = waiting;
        numbers[LOAD.usedBytes] = usedBytes;
      },
    }),
    stages: createStageStores(),
    nodeOdm: nodeOdm && createNodeOdmClient(nodeOdm.url, nodeOdm.token),
  }),
);
