import type { MessagePort } from "node:worker_threads";
import { DomainError } from "../../../domain/errors.ts";
import type { Task } from "../../pool/task.ts";
import type { SurveyProgress } from "../port/engine.ts";
import { withShared } from "../run/shared-memory.ts";
import type { SurveyEngines } from "../survey-engines.ts";
import type { EngineWork, FromEngines, SentTask, ToEngines } from "./messages.ts";
import { sentError } from "./sent-error.ts";

/**
 * Has the engines do what is asked for through a port, any number of works at once, until it is asked
 * to close: then what runs fails, and the port is closed. Results go out on shared memory: they cost
 * the receiver nothing, and the engines may go on reading the originals for another job.
 */
export function serveEngines(port: MessagePort, engines: SurveyEngines): void {
  const underWay = new Map<number, { cancel: AbortController; done: Promise<void> }>();
  /** Set when this is to end. */
  let stopped: DomainError | undefined;
  const send = (message: FromEngines) => port.postMessage(message);

  async function work(id: number, asked: EngineWork, signal: AbortSignal): Promise<unknown> {
    switch (asked.kind) {
      case "process": {
        const { request, input } = asked;
        const onProgress = (progress: SurveyProgress) => send({ kind: "progress", id, progress });
        return await engines.process(request, input, { signal, onProgress });
      }
      case "run":
        return await engines.run(receivedTask(asked.task), asked.input, signal);
      case "prune":
        return await engines.prune(asked.workDir, asked.maxBytes);
    }
  }

  async function answer(id: number, asked: EngineWork, signal: AbortSignal): Promise<void> {
    try {
      send({ kind: "done", id, value: withShared(await work(id, asked, signal)) });
    } catch (error) {
      // The rest of a survey that was stopped may fail with another error.
      const isOwn = stopped === undefined || error instanceof DomainError;
      send({ kind: "failed", id, error: sentError(isOwn ? error : stopped) });
    } finally {
      underWay.delete(id);
    }
  }

  async function close(): Promise<void> {
    stopped = new DomainError("TASK_FAILED", "the engines were stopped");
    const ends = [...underWay.values()].map(({ done }) => done);
    const closed = engines.close();
    for (const { cancel } of underWay.values()) cancel.abort(stopped);
    await Promise.all([closed, ...ends]);
    port.close();
  }

  port.on("message", (message: ToEngines) => {
    if (message.kind === "close") return void close();
    if (message.kind === "cancel") {
      underWay.get(message.id)?.cancel.abort(new DOMException("cancelled", "AbortError"));
      return;
    }
    const { id, ...asked } = message;
    const cancel = new AbortController();
    underWay.set(id, { cancel, done: answer(id, asked, cancel.signal) });
  });
}

/** The other end asked the task for its memory: a function cannot be cloned. */
const receivedTask = ({ memoryBytes, ...task }: SentTask): Task<unknown, unknown> => ({
  ...task,
  memoryBytes: () => memoryBytes,
});
