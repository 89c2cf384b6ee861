import type { DiskSpaceOptions } from "../../../storage/disk/disk-space.ts";
import type { FinishedTask } from "../../pool/pool.ts";
import type { Task } from "../../pool/task.ts";
import type { EngineRequest } from "../choose.ts";
import type { SurveyInput, SurveyProgress } from "../port/engine.ts";
import type { SentError } from "./sent-error.ts";

/** What the thread opens the disk of the data folder from. */
export interface ThreadDisk extends Pick<DiskSpaceOptions, "dir" | "minFreeBytes" | "marginBytes"> {
  readonly promises: SharedArrayBuffer;
  /** Folder of finished stages, which are given up first. */
  readonly stagesDir: string;
}

/** What the thread of the engines starts with; all of it can be cloned. */
export interface EngineThreadStart {
  readonly threads: number;
  /** Memory of all running tasks together, bytes. */
  readonly memoryBytes: number;
  readonly nodeOdm: { readonly url: string; readonly token: string | undefined } | undefined;
  /** The admission of the main thread, to be opened here too. */
  readonly disk: ThreadDisk | undefined;
  /** Float64Array({@link LOAD_NUMBERS}) of the pool's load, as the thread keeps it up to date. */
  readonly load: SharedArrayBuffer;
}

/** Places of the numbers in `EngineThreadStart.load`. */
export const LOAD = { running: 0, waiting: 1, usedBytes: 2 } as const;
export const LOAD_NUMBERS = 3;

/** A task with what this run of it may take, as it can be cloned. */
export interface SentTask extends Pick<Task<unknown, unknown>, "name" | "entry" | "timeMs"> {
  readonly memoryBytes: number;
}

/** Work that the thread is asked for; it answers each by its id, in any order. */
export type EngineWork =
  | { readonly kind: "process"; readonly request: EngineRequest; readonly input: SurveyInput }
  | { readonly kind: "run"; readonly task: SentTask; readonly input: unknown }
  | { readonly kind: "prune"; readonly workDir: string; readonly maxBytes: number };

export type ToEngines =
  | (EngineWork & { readonly id: number })
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "close" };

export type FromEngines =
  | { readonly kind: "progress"; readonly id: number; readonly progress: SurveyProgress }
  | { readonly kind: "done"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly error: SentError }
  | { readonly kind: "task"; readonly task: FinishedTask };
