import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ERRORS, type Locker, MemoryLocker, type RequestRelease, Server } from "@tus/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { MAX_IMAGE_BYTES } from "../../processing/images/files/image-limits.ts";
import type { WireCode } from "../errors/error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { ResumableUploads } from "./resumable-uploads.ts";
import { TusStore } from "./tus-store.ts";

/** How often a request that waits for an upload asks the one that has it, ms. */
const ASK_MS = 25;
/** Where uploads are; `Location` names them below it. */
const UPLOADS_PATH = "/api/v1/uploads";

/** What of a request concerns the protocol. */
const REQUEST_HEADERS = ["content-length", "content-type", "tus-resumable"];
const UPLOAD_HEADER = /^upload-/;
/** What of its answers is sent; those for pages of other origins are ours (`api/http/cors.ts`). */
const ANSWER_HEADERS = /^(tus-|upload-|location$)/;

const CODES: Readonly<Record<number, WireCode>> = {
  404: "not_found",
  409: "conflict",
  410: "not_found",
  412: "precondition_failed",
  413: "payload_too_large",
};

/** Answers requests of tus 1.0.0 (https://tus.io/protocols/resumable-upload) about uploads that the caller may see. */
export class TusProtocol {
  readonly #server: Server;
  readonly #store: TusStore;
  readonly #about = new WeakMap<object, About>();

  constructor(uploads: ResumableUploads) {
    this.#store = new TusStore(uploads);
    this.#server = new Server({
      path: UPLOADS_PATH,
      datastore: this.#store,
      locker: giveWayLocker((id) => this.#store.givesWay(id)),
      // At once: the locker waits. 0 would be the library's own 3 s.
      lockDrainTimeout: 1,
      maxSize: MAX_IMAGE_BYTES,
      namingFunction: (request) => this.#about.get(request)?.id ?? "",
      getFileIdFromRequest: (request) => this.#about.get(request)?.id,
      generateUrl: (_request, { id }) => `${UPLOADS_PATH}/${id}`,
      onUploadCreate: async (request, { size = 0, metadata }) => {
        await this.#about.get(request)?.begin?.(size, metadata?.["filename"] ?? "");
        return {};
      },
      onUploadFinish: async (_request, { id }) => {
        await uploads.finish(id);
        return {};
      },
      onResponseError: (request, error) => {
        const about = this.#about.get(request);
        if (about !== undefined) about.failure = error;
        return undefined;
      },
    });
  }

  isStoring(id: string): boolean {
    return this.#store.isStoring(id);
  }

  /**
   * Does what the request asks of the upload.
   * @param begin makes the record of a new one, whose length and name are checked before
   * @throws what its storing throws; Refusal with the protocol's status
   */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    begin?: About["begin"],
  ): Promise<void> {
    const asked = webRequest(request);
    const about: About = { id, begin };
    this.#about.set(asked, about);
    const answer = await this.#server.handleWeb(asked);
    for (const [name, value] of answer.headers)
      if (ANSWER_HEADERS.test(name)) reply.header(name, value);
    if (answer.status < 400) {
      reply.code(answer.status);
      return;
    }
    const { failure } = about;
    if (failure instanceof Error && !("status_code" in failure)) throw failure;
    const words = (await answer.text()).trim();
    throw protocolRefusal(answer.status, words);
  }
}

/**
 * Locks whose holder is asked for them, again and again, and ends once `givesWay` says so. The library asks without a
 * pause, which would keep the event loop busy.
 */
function giveWayLocker(givesWay: (id: string) => boolean): Locker {
  const locks = new MemoryLocker();
  return {
    newLock(id) {
      const lock = locks.newLock(id);
      const yieldTo = (release: RequestRelease) => async () => {
        if (givesWay(id)) await release();
        await delay(ASK_MS);
      };
      return {
        lock: (signal, release) => lock.lock(signal, yieldTo(release)),
        unlock: () => lock.unlock(),
      };
    },
  };
}

/** What a request is about, and its error in its own words. */
interface About {
  readonly id: string;
  readonly begin?: ((lengthBytes: number, name: string) => Promise<void>) | undefined;
  failure?: unknown;
}

/** A refusal of the protocol in our form: 403 and 501 of the library are mistakes in the request. */
function protocolRefusal(status: number, words: string): Refusal {
  if (status === ERRORS.ERR_SIZE_EXCEEDED.status_code) {
    const most = `${MAX_IMAGE_BYTES} bytes (${MAX_IMAGE_BYTES / 1024 ** 2} MiB)`;
    const message = `${words}: no more than its Upload-Length, and at most ${most} in all`;
    return new Refusal(413, "payload_too_large", message);
  }
  const code = CODES[status];
  if (status >= 500 && status !== 501)
    return new Refusal(500, "internal_error", "Internal server error");
  return new Refusal(code === undefined ? 400 : status, code ?? "invalid_request", words);
}

/** The request as the library takes it, with nothing that the protocol does not need. */
function webRequest({ method, raw, headers, body }: FastifyRequest): Request {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const isKept = REQUEST_HEADERS.includes(name) || UPLOAD_HEADER.test(name);
    if (isKept && typeof value === "string") kept.set(name, value);
  }
  const init: RequestInit = { method, headers: kept };
  // The body itself where the parser has left it unread.
  if (body !== raw) return new Request(`http://uploads${UPLOADS_PATH}`, init);
  return new Request(`http://uploads${UPLOADS_PATH}`, {
    ...init,
    body: Readable.toWeb(raw) as ReadableStream,
    duplex: "half",
  } as RequestInit);
}
