import { setTimeout as delay } from "node:timers/promises";
import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { SimulatorError } from "../command-line/simulator-error.ts";
import { type ApiAnswer, type ApiClient, createApiClient } from "../fleet/link/api-client.ts";
import { refused } from "../fleet/link/provision.ts";

/** How the demo's background work reaches the service, and says how far it is. */
export interface DemoWork {
  readonly service: DemoService;
  /** Folder for pictures until they are uploaded. */
  readonly folder: string;
  /** What is being made and how far it is, in words for one line. */
  readonly say: (text: string) => void;
}

/** A file to send. */
export interface DemoFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The public API, as a user of it: every call throws SimulatorError when the service refuses. */
export interface DemoService {
  /** Reads what has to be there, in the form of that schema. */
  read<T extends TSchema>(path: string, schema: T): Promise<Static<T>>;
  /** `undefined` where there is none (404). */
  find<T extends TSchema>(path: string, schema: T): Promise<Static<T> | undefined>;
  /**
   * Creates a resource with an id of its own unless it is there.
   * @returns false where its id was taken once and it is gone: somebody removed it, and it stays so
   */
  provide(list: string, id: string, body: object): Promise<boolean>;
  post<T extends TSchema>(
    path: string,
    body: unknown,
    schema: T,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Static<T>>;
  put(path: string, body: unknown, contentType?: string): Promise<void>;
  /** Stores files; yields the address of each, in their order. */
  upload(projectId: string, files: readonly DemoFile[]): Promise<readonly string[]>;
}

/** Longest wait for an answer, ms: an upload of a flight to a service that is measuring on a slow machine. */
const PATIENCE_MS = 120_000;
/** Pause between two polls, ms: what the screen shows moves by percents; more often is load beside the fleet. */
const POLL_MS = 1_000;

const Uploaded = Type.Object({ images: Type.Array(Type.Object({ url: Type.String() })) });

/** The service at `url` through its HTTP API. */
export function openDemoService(url: string, key: string, signal: AbortSignal): DemoService {
  const api: ApiClient = createApiClient(url, key, signal, PATIENCE_MS);

  return {
    read: async (path, schema) => checked(path, schema, await api.request("GET", path)),
    async find(path, schema) {
      const answer = await api.request("GET", path);
      return answer.status === 404 ? undefined : checked(path, schema, answer);
    },
    async provide(list, id, body) {
      const answer = await api.request("POST", list, { id, ...body });
      if (answer.status === 201) return true;
      const path = `${list}/${encodeURIComponent(id)}`;
      if (answer.status !== 409) throw refused(path, answer);
      return (await api.request("GET", path)).status === 200;
    },
    post: async (path, body, schema, headers) =>
      checked(path, schema, await api.request("POST", path, body, headers)),
    async put(path, body, contentType) {
      const headers = contentType === undefined ? undefined : { "content-type": contentType };
      const answer = await api.request("PUT", path, body, headers);
      if (answer.status < 200 || answer.status > 299) throw refused(path, answer);
    },
    async upload(projectId, files) {
      const form = new FormData();
      for (const { name, bytes } of files) form.append("images", new Blob([bytes]), name);
      const path = `/progress/images?project_id=${projectId}`;
      const { images } = checked(path, Uploaded, await api.request("POST", path, form));
      return images.map((image) => image.url);
    },
  };
}

function checked<T extends TSchema>(path: string, schema: T, answer: ApiAnswer): Static<T> {
  const { status, body } = answer;
  if (status >= 200 && status <= 299 && Compile(schema).Check(body)) return body as Static<T>;
  throw refused(path, answer);
}

const Failure = Type.Optional(Type.Union([Type.Null(), Type.Object({ message: Type.String() })]));
const Job = Type.Object({
  status: Type.String(),
  progress_percent: Type.Number(),
  error: Failure,
});
const Capture = Type.Object({ status: Type.String(), progress: Type.Number(), error: Failure });

/** Waits for a job; `say` gets its percent. @throws SimulatorError with the service's words when it failed. */
export async function followJob(
  service: DemoService,
  id: string,
  say: (percent: number) => void,
): Promise<void> {
  for (;;) {
    const { status, progress_percent, error } = await service.read(`/jobs/${id}`, Job);
    if (status === "completed") return;
    if (status !== "queued" && status !== "running") {
      throw new SimulatorError(error?.message ?? `the job is ${status}`);
    }
    say(Math.floor(progress_percent));
    await delay(POLL_MS);
  }
}

/** Waits for a capture, as `followJob` does for a job. */
export async function followCapture(
  service: DemoService,
  id: string,
  say: (percent: number) => void,
): Promise<void> {
  for (;;) {
    const path = `/progress/captures/${id}`;
    const { status, progress, error } = await service.read(path, Capture);
    if (status === "completed") return;
    if (status !== "processing") {
      throw new SimulatorError(error?.message ?? `the capture is ${status}`);
    }
    say(Math.floor(progress));
    await delay(POLL_MS);
  }
}
