import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { HttpError, InfluxDB, setLogger } from "@influxdata/influxdb-client";
import { type InfluxTarget, writePath } from "./target.ts";

/** Posts lines and resolves when the server has them all; rejects with the client's error. */
export interface LineSender {
  /** One call at a time. `body`: UTF-8, not empty; it is left alone until the promise settles. */
  send(body: Uint8Array): Promise<void>;
  close(): void;
}

/** Bytes of an answer that are read. */
const ANSWER_BYTES = 4_096;
const HEADERS = { "content-type": "text/plain; charset=utf-8" };

/**
 * The official client, in manual mode to its end: its transport alone. Its batching and retry buffer
 * lose data (they drop the oldest lines, and give up after 180 s), and the journal is the buffer; it
 * takes a 201 for success, by which InfluxDB 3 means that some lines were not stored; and of a request
 * without an answer it only stops waiting, so that against a server that hangs every retry would leave
 * a connection behind.
 */
export function openLineSender(
  target: InfluxTarget,
  { timeoutMs }: { readonly timeoutMs: number },
): LineSender {
  // Every failure is thrown to the caller, who logs it.
  setLogger({ error: () => undefined, warn: () => undefined });
  const Agent = target.url.startsWith("https:") ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true });
  const { transport } = new InfluxDB({
    url: target.url,
    headers: { ...target.headers },
    transportOptions: { agent },
  });
  const path = writePath(target);
  const open = new Set<AbortController>();

  function post(body: Uint8Array): Promise<void> {
    // A signal of its own: the client never takes its listener off again, and what a signal that
    // lives on (or one made of it by `any`) holds is the whole body of the request.
    const request = new AbortController();
    open.add(request);
    let status = 0;
    let answer = "";
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`no answer within ${timeoutMs} ms`));
        request.abort();
      }, timeoutMs);
      const end = (settle: () => void) => {
        open.delete(request);
        clearTimeout(timer);
        settle();
      };
      // Its type asks for a string; it gives `Buffer.from` whatever it gets, which takes bytes without
      // the detour of decoding and encoding them. No compression: on a local network that costs more
      // than it saves, 20 to 45 % (docs/decisions/012).
      transport.send(
        path,
        body as unknown as string,
        { method: "POST", headers: HEADERS, signal: request.signal },
        {
          responseStarted(_headers, statusCode = 0) {
            status = statusCode;
          },
          next(chunk: Uint8Array) {
            if (answer.length < ANSWER_BYTES) answer += Buffer.from(chunk).toString("utf8");
          },
          error: (error) => end(() => reject(error)),
          complete: () =>
            end(() => {
              if (status === 204) resolve();
              else reject(new HttpError(status, `answered ${status}`, answer));
            }),
        },
      );
    });
  }

  return {
    send: post,
    close() {
      for (const request of open) request.abort();
      agent.destroy();
    },
  };
}
