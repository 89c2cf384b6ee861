import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { storedZip } from "./stored-zip.ts";

/** One task of the stub. */
export interface StubTask {
  readonly uuid: string;
  readonly options: unknown;
  readonly files: Map<string, number>;
  code: number;
  progress: number;
}

/**
 * A NodeODM on loopback that answers as its documentation says (docs/index.adoc of NodeODM 2.2): tasks
 * by init, upload, commit; info, output, cancel, remove, all.zip. Each poll of a task advances it.
 */
export class NodeOdmStub {
  readonly tasks = new Map<string, StubTask>();
  readonly removed: string[] = [];
  readonly canceled: string[] = [];
  /** Entries of all.zip. */
  products: Record<string, Uint8Array> = {};
  /** Progress that one poll of a task adds. */
  step = 50;
  /** Tasks end as failed, with this as the last line of their output. */
  failure: string | undefined;
  maxImages: number | null = null;
  /** Connections that are cut before an answer, from now on. */
  cut = 0;
  /** Bytes of all.zip after which the connection is cut. */
  cutDownloadAt: number | undefined;
  token: string | undefined;
  readonly #server: Server;
  readonly #uninitialised = new Map<string, StubTask>();

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async open(): Promise<NodeOdmStub> {
    const stub = new NodeOdmStub();
    await new Promise<void>((resolve) => stub.#server.listen(0, "127.0.0.1", resolve));
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (this.cut > 0) {
      this.cut -= 1;
      request.socket.destroy();
      return;
    }
    const url = new URL(request.url ?? "/", this.url);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (this.token !== undefined && url.searchParams.get("token") !== this.token) {
      json({ error: "Invalid authentication token" }, 401);
      return;
    }
    const route = `${request.method} ${url.pathname}`;
    const [, , ...path] = url.pathname.split("/");
    if (route === "GET /info") {
      json({ version: "2.2.4", engine: "odm", maxImages: this.maxImages, taskQueueCount: 0 });
    } else if (route === "POST /task/new/init") {
      const uuid = String(request.headers["set-uuid"]);
      const options: unknown = JSON.parse(partOf(body, "options") ?? "[]");
      const task = { uuid, options, files: new Map(), code: 10, progress: 0 };
      this.#uninitialised.set(uuid, task);
      json({ uuid });
    } else if (url.pathname.startsWith("/task/new/upload/")) {
      const task = this.#uninitialised.get(path[2] ?? "");
      const name = /filename="([^"]+)"/.exec(body.toString("latin1"))?.[1];
      if (task === undefined || name === undefined) json({ error: "Invalid uuid or no files" });
      else {
        task.files.set(name, body.length);
        json({ success: true });
      }
    } else if (url.pathname.startsWith("/task/new/commit/")) {
      const task = this.#uninitialised.get(path[2] ?? "");
      if (task === undefined) json({ error: "Invalid uuid" });
      else {
        this.#uninitialised.delete(task.uuid);
        this.tasks.set(task.uuid, task);
        json({ uuid: task.uuid });
      }
    } else if (route === "POST /task/cancel" || route === "POST /task/remove") {
      const { uuid } = JSON.parse(body.toString()) as { uuid: string };
      const task = this.tasks.get(uuid);
      if (task !== undefined) task.code = 50;
      if (route.endsWith("cancel")) this.canceled.push(uuid);
      else if (this.tasks.delete(uuid)) this.removed.push(uuid);
      json(task === undefined ? { error: `${uuid} not found` } : { success: true });
    } else this.#answerAboutTask(path, response, json);
  }

  #answerAboutTask(
    [uuid = "", what]: readonly string[],
    response: ServerResponse,
    json: (value: unknown) => void,
  ): void {
    const task = this.tasks.get(uuid);
    if (task === undefined) json({ error: `${uuid} not found` });
    else if (what === "info") {
      this.#bringOn(task);
      const { code, progress } = task;
      json({ uuid, name: "x", status: { code }, progress, imagesCount: task.files.size });
    } else if (what === "output") json(["[INFO] running", this.failure ?? "done", ""]);
    else {
      const zip = storedZip(this.products);
      response.writeHead(200, { "content-type": "application/zip", "content-length": zip.length });
      if (this.cutDownloadAt === undefined) response.end(zip);
      else {
        response.write(zip.subarray(0, this.cutDownloadAt), () => response.destroy());
        this.cutDownloadAt = undefined;
      }
    }
  }

  #bringOn(task: StubTask): void {
    if (task.code === 10) task.code = 20;
    else if (task.code === 20) {
      task.progress = Math.min(100, task.progress + this.step);
      if (task.progress >= 100) task.code = this.failure === undefined ? 40 : 30;
    }
  }
}

/** The value of a field in a multipart body. */
function partOf(body: Buffer, name: string): string | undefined {
  const pattern = new RegExp(`name="${name}"\\r\\n\\r\\n([\\s\\S]*?)\\r\\n--`);
  return pattern.exec(body.toString("utf8"))?.[1];
}
