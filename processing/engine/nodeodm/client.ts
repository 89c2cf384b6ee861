import { createWriteStream, openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { DomainError } from "../../../domain/errors.ts";
import { diskError } from "../../../storage/disk/disk-error.ts";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import { meteredStream } from "../../../storage/disk/metered-stream.ts";

/** States of a task at a NodeODM (`status.code`). */
export const TASK_STATUS = {
  queued: 10,
  running: 20,
  failed: 30,
  completed: 40,
  canceled: 50,
} as const;

const TaskInfo = Type.Object({
  uuid: Type.String(),
  status: Type.Object({ code: Type.Integer(), errorMessage: Type.Optional(Type.String()) }),
  /** 0 to 100. */
  progress: Type.Optional(Type.Number()),
});
export type TaskInfo = Static<typeof TaskInfo>;

const NodeInfo = Type.Object({
  version: Type.String(),
  engine: Type.Optional(Type.String()),
  maxImages: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
});
type NodeInfo = Static<typeof NodeInfo>;

const Created = Type.Object({ uuid: Type.String() });
const Done = Type.Object({ success: Type.Boolean() });
const Output = Type.Array(Type.String());
const Refused = Type.Object({ error: Type.String() });

const checks = {
  taskInfo: Compile(TaskInfo),
  nodeInfo: Compile(NodeInfo),
  created: Compile(Created),
  done: Compile(Done),
  output: Compile(Output),
  refused: Compile(Refused),
};

/** One option of a task, as `GET /options` names them. */
export interface TaskOption {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** Limit of a call that transfers no file, ms: less fails at a node that is busy, more hides one that hangs. */
const CALL_MS = 30_000;
/** One image on its way up, ms: 50 MB at 1 Mbit/s; less refuses slower lines, more waits for a broken one. */
const UPLOAD_MS = 420_000;
/**
 * Longest pause before and between the bytes of all.zip, ms: the node packs it on demand. Less gives up while it
 * packs, more waits for a node that is gone.
 */
const DOWNLOAD_PAUSE_MS = 300_000;
/** Last lines of output that are read for why a task failed: fewer may all be blank, more say nothing else. */
const OUTPUT_LINES = 20;

/**
 * The REST interface of NodeODM 2 (ClusterODM is the same), every call with a time limit. The address is a
 * setting, not a client's choice, so it is fetched without the guard that images' addresses go through.
 */
export class NodeOdmClient {
  readonly #base: string;
  readonly #token: string | undefined;

  /** @param token as the node's operator gave it; sent in the query, as the interface requires */
  constructor(url: string, token: string | undefined) {
    this.#base = url.endsWith("/") ? url : `${url}/`;
    this.#token = token;
  }

  async info(signal: AbortSignal): Promise<NodeInfo> {
    const response = await this.#call("info", { timeoutMs: CALL_MS, outer: signal });
    return await read(response, "info", checks.nodeInfo);
  }

  /** Announces a task under an id of ours: after a lost answer the same call does no harm. */
  async init(
    uuid: string,
    name: string,
    options: readonly TaskOption[],
    signal: AbortSignal,
  ): Promise<void> {
    const body = new FormData();
    body.set("name", name);
    body.set("options", JSON.stringify(options));
    const response = await this.#call("task/new/init", {
      method: "POST",
      headers: { "set-uuid": uuid },
      body,
      timeoutMs: CALL_MS,
      outer: signal,
    });
    await read(response, "a new task", checks.created);
  }

  async upload(
    uuid: string,
    { path, name }: { path: string; name: string },
    signal: AbortSignal,
  ): Promise<void> {
    const body = new FormData();
    body.set("images", await openAsBlob(path), name);
    const response = await this.#call(`task/new/upload/${uuid}`, {
      method: "POST",
      body,
      timeoutMs: UPLOAD_MS,
      outer: signal,
    });
    const { success } = await read(response, `the image ${name}`, checks.done);
    if (!success) throw failure(`refused the image ${name}`);
  }

  async commit(uuid: string, signal: AbortSignal): Promise<void> {
    const response = await this.#call(`task/new/commit/${uuid}`, {
      method: "POST",
      timeoutMs: CALL_MS,
      outer: signal,
    });
    await read(response, "the start of the task", checks.created);
  }

  /** `undefined`: the node knows no such task. */
  async task(uuid: string, signal: AbortSignal): Promise<TaskInfo | undefined> {
    const response = await this.#call(`task/${uuid}/info`, { timeoutMs: CALL_MS, outer: signal });
    const body: unknown = await response.json().catch(() => undefined);
    // It answers 200 with an error for a task that it does not know.
    if (checks.refused.Check(body) && /not found|invalid uuid/i.test(body.error)) return undefined;
    if (checks.taskInfo.Check(body)) return body;
    throw failure(
      `answered the task's state with status ${response.status} and nothing that is known`,
    );
  }

  /** The last lines of the task's output, to find out why it failed. */
  async output(uuid: string, signal: AbortSignal): Promise<readonly string[]> {
    const response = await this.#call(`task/${uuid}/output?line=-${OUTPUT_LINES}`, {
      timeoutMs: CALL_MS,
      outer: signal,
    });
    return (await read(response, "the task's output", checks.output)).slice(-OUTPUT_LINES);
  }

  cancel(uuid: string): Promise<void> {
    return this.#command("task/cancel", uuid);
  }

  remove(uuid: string): Promise<void> {
    return this.#command("task/remove", uuid);
  }

  /** Writes all.zip into a file, in the place of an earlier one. @throws StorageShortage. */
  async download(uuid: string, path: string, disk: DiskSpace, signal: AbortSignal): Promise<void> {
    const watch = new AbortController();
    const timer = setTimeout(() => watch.abort(), DOWNLOAD_PAUSE_MS);
    try {
      const response = await this.#call(`task/${uuid}/download/all.zip`, {
        timeoutMs: undefined,
        outer: AbortSignal.any([signal, watch.signal]),
      });
      if (!response.ok || response.body === null) {
        throw failure(`answered the result with status ${response.status}`);
      }
      const body = Readable.fromWeb(response.body);
      body.on("data", () => timer.refresh());
      await pipeline(body, meteredStream(disk, "product"), createWriteStream(path), { signal });
    } catch (thrown) {
      signal.throwIfAborted();
      const error = diskError(thrown);
      if (error instanceof DomainError) throw error;
      throw failure("broke off while the result was fetched", error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #command(path: string, uuid: string): Promise<void> {
    const response = await this.#call(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uuid }),
      timeoutMs: CALL_MS,
    });
    await read(response, path, checks.done);
  }

  async #call(
    path: string,
    init: RequestInit & {
      /** For the answer and its body; `undefined`: the caller watches. */
      readonly timeoutMs: number | undefined;
      readonly outer?: AbortSignal | undefined;
    },
  ): Promise<Response> {
    const address = new URL(path, this.#base);
    if (this.#token !== undefined) address.searchParams.set("token", this.#token);
    const { timeoutMs, outer, ...rest } = init;
    const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = [limit, outer].filter((signal) => signal !== undefined);
    try {
      return await fetch(address, { ...rest, signal: AbortSignal.any(signals) });
    } catch (error) {
      outer?.throwIfAborted();
      // Neither address nor token: both may be secrets.
      throw failure(limit?.aborted === true ? "gave no answer in time" : "is not reachable", error);
    }
  }
}

/** The body of an answer that says what was asked for. */
async function read<T>(
  response: Response,
  what: string,
  check: { Check(value: unknown): value is T },
): Promise<T> {
  const body: unknown = await response.json().catch(() => undefined);
  if (checks.refused.Check(body)) {
    throw failure(`refused ${what}: ${body.error}`);
  }
  if (!response.ok || !check.Check(body)) {
    throw failure(`answered ${what} with status ${response.status} and nothing that is known`);
  }
  return body;
}

function failure(problem: string, cause?: unknown): DomainError {
  return new DomainError("ENGINE_FAILED", `the NodeODM ${problem}`, { cause });
}
