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

/** The REST interface of NodeODM 2 (ClusterODM is the same), every call with a time limit. */
export interface NodeOdmClient {
  info(signal: AbortSignal): Promise<NodeInfo>;
  /** Announces a task under an id of ours: after a lost answer the same call does no harm. */
  init(
    uuid: string,
    name: string,
    options: readonly TaskOption[],
    signal: AbortSignal,
  ): Promise<void>;
  upload(uuid: string, file: { path: string; name: string }, signal: AbortSignal): Promise<void>;
  commit(uuid: string, signal: AbortSignal): Promise<void>;
  /** `undefined`: the node knows no such task. */
  task(uuid: string, signal: AbortSignal): Promise<TaskInfo | undefined>;
  /** The last lines of the task's output, to find out why it failed. */
  output(uuid: string, signal: AbortSignal): Promise<readonly string[]>;
  cancel(uuid: string): Promise<void>;
  remove(uuid: string): Promise<void>;
  /** Writes all.zip into a file, in the place of an earlier one. @throws StorageShortage. */
  download(uuid: string, path: string, disk: DiskSpace, signal: AbortSignal): Promise<void>;
}

/** Limit of a call that transfers no file, ms. Chosen. */
const CALL_MS = 30_000;
/** One image on its way up, ms: 50 MB at 1 Mbit/s. Chosen. */
const UPLOAD_MS = 420_000;
/** Longest pause before and between the bytes of all.zip, ms: the node packs it on demand. Chosen. */
const DOWNLOAD_PAUSE_MS = 300_000;
/** Lines of output that an error carries. Chosen. */
const OUTPUT_LINES = 20;

/**
 * Opens a client. The address is a setting, not a client's choice, so it is fetched without the guard
 * that images' addresses go through.
 * @param token as the node's operator gave it; sent in the query, as the interface requires
 */
export function createNodeOdmClient(url: string, token: string | undefined): NodeOdmClient {
  const base = url.endsWith("/") ? url : `${url}/`;

  async function call(
    path: string,
    init: RequestInit & {
      /** For the answer and its body; `undefined`: the caller watches. */
      readonly timeoutMs: number | undefined;
      readonly outer?: AbortSignal | undefined;
    },
  ): Promise<Response> {
    const address = new URL(path, base);
    if (token !== undefined) address.searchParams.set("token", token);
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

  async function json<T>(
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

  async function command(path: string, uuid: string): Promise<void> {
    const response = await call(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uuid }),
      timeoutMs: CALL_MS,
    });
    await json(response, path, checks.done);
  }

  return {
    async info(signal) {
      return json(
        await call("info", { timeoutMs: CALL_MS, outer: signal }),
        "info",
        checks.nodeInfo,
      );
    },
    async init(uuid, name, options, signal) {
      const body = new FormData();
      body.set("name", name);
      body.set("options", JSON.stringify(options));
      const response = await call("task/new/init", {
        method: "POST",
        headers: { "set-uuid": uuid },
        body,
        timeoutMs: CALL_MS,
        outer: signal,
      });
      await json(response, "a new task", checks.created);
    },
    async upload(uuid, { path, name }, signal) {
      const body = new FormData();
      body.set("images", await openAsBlob(path), name);
      const response = await call(`task/new/upload/${uuid}`, {
        method: "POST",
        body,
        timeoutMs: UPLOAD_MS,
        outer: signal,
      });
      const { success } = await json(response, `the image ${name}`, checks.done);
      if (!success) throw failure(`refused the image ${name}`);
    },
    async commit(uuid, signal) {
      const response = await call(`task/new/commit/${uuid}`, {
        method: "POST",
        timeoutMs: CALL_MS,
        outer: signal,
      });
      await json(response, "the start of the task", checks.created);
    },
    async task(uuid, signal) {
      const response = await call(`task/${uuid}/info`, { timeoutMs: CALL_MS, outer: signal });
      const body: unknown = await response.json().catch(() => undefined);
      // It answers 200 with an error for a task that it does not know.
      if (checks.refused.Check(body) && /not found|invalid uuid/i.test(body.error))
        return undefined;
      if (checks.taskInfo.Check(body)) return body;
      throw failure(
        `answered the task's state with status ${response.status} and nothing that is known`,
      );
    },
    async output(uuid, signal) {
      const response = await call(`task/${uuid}/output?line=-${OUTPUT_LINES}`, {
        timeoutMs: CALL_MS,
        outer: signal,
      });
      return (await json(response, "the task's output", checks.output)).slice(-OUTPUT_LINES);
    },
    cancel: (uuid) => command("task/cancel", uuid),
    remove: (uuid) => command("task/remove", uuid),
    async download(uuid, path, disk, signal) {
      const watch = new AbortController();
      const timer = setTimeout(() => watch.abort(), DOWNLOAD_PAUSE_MS);
      try {
        const response = await call(`task/${uuid}/download/all.zip`, {
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
    },
  };
}

function failure(problem: string, cause?: unknown): DomainError {
  return new DomainError("ENGINE_FAILED", `the NodeODM ${problem}`, { cause });
}
