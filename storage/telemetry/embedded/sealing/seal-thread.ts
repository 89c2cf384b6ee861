import type { Worker } from "node:worker_threads";
import { openWorker } from "../../../worker-thread/open.ts";
import type { SealRequest } from "./sealer.ts";

export interface SealThreadStart {
  readonly dir: string;
  readonly periods: readonly number[];
}

/** What the main thread asks; the answers come in the order of the questions. */
export type SealThreadRequest =
  | { readonly kind: "seal"; readonly request: SealRequest }
  | { readonly kind: "expire"; readonly periods: readonly number[] }
  | { readonly kind: "close" };

/** Failures travel as text: an error that crosses threads loses its class. */
export type SealThreadAnswer =
  | { readonly ok: true; readonly periods: readonly number[] }
  | { readonly ok: false; readonly message: string };

/** The thread that writes LMDB. */
export interface SealThread {
  /** Stores a memtable durably and resolves with the periods it went to. Rejects with the reason. */
  seal(request: SealRequest): Promise<readonly number[]>;
  expire(periods: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * When the thread starts that nobody has asked anything, ms: it goes on with what its last life left to merge.
 * Sooner is a part of every start.
 */
const START_MS = 5_000;

/** The thread starts with the first question, or a little later. */
export function openSealThread(start: SealThreadStart): SealThread {
  const waiting: { resolve(periods: readonly number[]): void; reject(error: Error): void }[] = [];
  let started: Worker | undefined;
  let ended: Error | undefined;
  function fail(error: Error): void {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) reject(ended);
  }
  function startThread(): Worker {
    const worker = openWorker(import.meta.url, "./seal", { workerData: start });
    worker.on("message", (answer: SealThreadAnswer) => {
      const first = waiting.shift();
      if (answer.ok) first?.resolve(answer.periods);
      else first?.reject(new Error(answer.message));
    });
    worker.on("error", (error: Error) => fail(error));
    worker.on("exit", (code) =>
      fail(new Error(`the telemetry thread has ended with code ${code}`)),
    );
    return worker;
  }
  const idle = setTimeout(() => {
    started ??= startThread();
  }, START_MS);
  idle.unref();
  function ask(request: SealThreadRequest): Promise<readonly number[]> {
    if (ended !== undefined) return Promise.reject(ended);
    started ??= startThread();
    const worker = started;
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      worker.postMessage(request);
    });
  }
  return {
    seal: (request) => ask({ kind: "seal", request }),
    async expire(periods) {
      await ask({ kind: "expire", periods });
    },
    async close() {
      clearTimeout(idle);
      const worker = started;
      if (ended !== undefined || worker === undefined) return;
      await Promise.all([ask({ kind: "close" }), exitOf(worker)]);
    },
  };
}

function exitOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.once("exit", () => resolve()));
}
