import { Agent, request as httpRequest } from "node:http";
import { readingJson } from "./publish.ts";

/** How the readings of a request are written: one on each line, or one array. */
export type BatchForm = "ndjson" | "array";

/** What one run of posters measured. */
export interface PostResult {
  /** Readings in requests that were answered with 200 between warm-up and end, by second. */
  readonly perS: number;
  /** Time from the request to its answer, ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const WARM_UP_MS = 700;
const TYPES = { ndjson: "application/x-ndjson", array: "application/json" } as const;

/** Posts batches of readings to HTTP ingest, one at a time on each connection, for `seconds`. */
export async function post(
  port: number,
  connections: number,
  batch: number,
  form: BatchForm,
  seconds: number,
): Promise<PostResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const readings = Array.from({ length: batch }, (_, i) => readingJson(i + 1));
  const body = Buffer.from(form === "ndjson" ? readings.join("\n") : `[${readings.join(",")}]`);
  let isRunning = true;
  let answered = 0;
  let isMeasuring = false;
  const latencies: number[] = [];

  async function work(index: number): Promise<void> {
    while (isRunning) {
      const startMs = performance.now();
      const status = await send(index);
      if (status !== 200) throw new Error(`answered by ${status}`);
      answered += 1;
      if (isMeasuring) latencies.push(performance.now() - startMs);
    }
  }

  function send(index: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          ...{ port, agent, host: "127.0.0.1", method: "POST", path: "/api/v1/ingest/plumbline" },
          headers: {
            authorization: `Bearer b${index}.b${index}-secret`,
            "content-type": TYPES[form],
            "content-length": body.byteLength,
          },
        },
        (response) => {
          response.resume();
          response.once("end", () => resolve(response.statusCode ?? 0));
        },
      );
      request.once("error", reject);
      request.end(body);
    });
  }

  const workers = Promise.all(Array.from({ length: connections }, (_, i) => work(i)));
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  const before = answered;
  const startMs = performance.now();
  isMeasuring = true;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const perS = ((answered - before) * batch) / ((performance.now() - startMs) / 1_000);
  isRunning = false;
  await workers;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perS: Math.round(perS), p50Ms: at(0.5), p99Ms: at(0.99) };
}
