import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import {
  type ClientOptions,
  type CommunicationObserver,
  HttpError,
  InfluxDB,
  setLogger,
  type Transport,
  type WriteApi,
} from "@influxdata/influxdb-client";
import { type InfluxTarget, writePath } from "./target.ts";

/** Posts lines and resolves when the server has them all; rejects with the client's error. */
export interface LineSender {
  /** One call at a time. */
  send(lines: readonly string[]): Promise<void>;
  close(): void;
}

/** Lines of one request at most. 5,000 wrote fastest at an InfluxDB 1.6.7 (LAB.md section 2). */
export const MOST_LINES = 5_000;
/** Bytes of an answer that are looked at. */
const ANSWER_BYTES = 4_096;

/**
 * The official client in manual mode. Its own batching and retry buffer lose data (they drop the
 * oldest lines, and give up after 180 s), so it is handed whole batches and never retries: the journal
 * is the buffer.
 */
export function openLineSender(
  target: InfluxTarget,
  { timeoutMs }: { readonly timeoutMs: number },
): LineSender {
  // Every failure is thrown to the caller, who logs it.
  setLogger({ error: () => undefined, warn: () => undefined });
  const Agent = target.url.startsWith("https:") ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true });
  const options: ClientOptions = {
    url: target.url,
    headers: { ...target.headers },
    transportOptions: { agent },
  };
  const open = new Set<AbortController>();
  const transport = strict(new InfluxDB(options).transport, timeoutMs, open);
  const client = new InfluxDB({ ...options, transport });
  const api: WriteApi = client.getWriteApi(target.org, target.database, "ms", {
    // More than the one record of a request: nothing is sent but by `flush`.
    batchSize: 2,
    flushInterval: 0,
    maxRetries: 0,
    // On a local network compression costs more than it saves: 20 to 45 % (LAB.md section 2).
    gzipThreshold: Number.MAX_SAFE_INTEGER,
  });
  api.path = writePath(target);
  return {
    async send(lines) {
      if (lines.length > MOST_LINES) throw new RangeError(`${lines.length} lines are too many`);
      if (lines.length === 0) return;
      // One record: the client counts bytes and joins faster than for each line by itself.
      api.writeRecord(lines.join("\n"));
      await api.flush();
    },
    close() {
      for (const request of open) request.abort();
      api.close().catch(() => undefined);
      agent.destroy();
    },
  };
}

/**
 * The client's transport with two differences. A 201 is an error: InfluxDB 3 means by it that some
 * lines were not stored. And a request that has no answer in time is ended, where the client only
 * stops waiting, so that against a server that hangs every retry would leave a connection behind.
 */
function strict(inner: Transport, timeoutMs: number, open: Set<AbortController>): Transport {
  return {
    send(path, body, options, callbacks = {}) {
      // A signal of its own: the client never takes its listener off again, and what a signal that
      // lives on (or one made of it by `any`) holds is the whole body of the request.
      const request = new AbortController();
      open.add(request);
      let status: number | undefined;
      let answer = "";
      let isOver = false;
      function end(report: () => void): void {
        if (isOver) return;
        isOver = true;
        open.delete(request);
        clearTimeout(timer);
        report();
      }
      const timer = setTimeout(() => {
        end(() => callbacks.error?.(new Error(`no answer within ${timeoutMs} ms`)));
        request.abort();
      }, timeoutMs);
      const observed: Partial<CommunicationObserver<Uint8Array>> = {
        responseStarted(headers, statusCode) {
          status = statusCode;
          callbacks.responseStarted?.(headers, statusCode);
        },
        next(chunk) {
          if (answer.length < ANSWER_BYTES) answer += Buffer.from(chunk).toString("utf8");
        },
        error: (error) => end(() => callbacks.error?.(error)),
        complete: () =>
          end(() => {
            if (status !== 201) callbacks.complete?.();
            else callbacks.error?.(new HttpError(201, "partial success", answer));
          }),
      };
      inner.send(path, body, { ...options, signal: request.signal }, observed);
    },
    request: inner.request.bind(inner),
    iterate: inner.iterate.bind(inner),
    chunkCombiner: inner.chunkCombiner,
  };
}
