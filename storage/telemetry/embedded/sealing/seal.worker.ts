import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { startSealService } from "./seal-service.ts";
import type { SealThreadRequest, SealThreadStart } from "./seal-thread.ts";

/**
 * Niceness of this thread: accepting and acknowledging messages comes first. A higher value would let seals
 * fall behind on a busy machine.
 */
const NICE = 5;

const port = parentPort;
if (port === null) throw new Error("seal.worker runs in a worker thread only");
// Linux has a priority per thread; elsewhere the call would slow the whole process down.
if (process.platform === "linux") setPriority(NICE);

const service = startSealService(workerData as SealThreadStart);
port.on("message", async (request: SealThreadRequest) => {
  port.postMessage(await service.answer(request));
  if (request.kind === "close") port.close();
});
