import { Agent, request as httpRequest } from "node:http";
import { HOUR_MS } from "../../domain/time.ts";
import { readingOf } from "./reading.ts";

/** How often a poster checks whether a batch is due, ms. */
const TICK_MS = 20;

export interface PacedPosterOptions {
  readonly id: string;
  readonly password: string;
  /** Address of the service, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Readings in a request, one on each line. */
  readonly batch: number;
}

/** One device that offers a fixed rate of readings to HTTP ingest, in batches, one request at a time. */
export class PacedPoster {
  readonly #options: PacedPosterOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #timer: NodeJS.Timeout | undefined;
  #sent = 0;
  #acknowledged = 0;
  #owed = 0;
  #lastMs = 0;
  #timeMs = Date.now() - HOUR_MS;

  constructor(options: PacedPosterOptions) {
    this.#options = options;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  get inFlight(): number {
    return this.#sent - this.#acknowledged;
  }

  /** Nothing to do before the first request. */
  connect(): Promise<void> {
    return Promise.resolve();
  }

  start(ratePerS: number): void {
    this.#lastMs = performance.now();
    this.#timer = setInterval(() => this.#tick(ratePerS), TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  close(): void {
    this.stop();
    this.#agent.destroy();
  }

  #tick(ratePerS: number): void {
    const { batch } = this.#options;
    const nowMs = performance.now();
    // What could not be sent is not owed for ever: the offered rate would rise above what was asked.
    const most = Math.max(ratePerS, batch);
    this.#owed = Math.min(this.#owed + ((nowMs - this.#lastMs) * ratePerS) / 1_000, most);
    this.#lastMs = nowMs;
    if (this.#owed < batch || this.inFlight > 0) return;
    this.#owed -= batch;
    this.#post();
  }

  #post(): void {
    const { id, password, url, batch } = this.#options;
    const lines = Array.from({ length: batch }, () => {
      this.#sent += 1;
      this.#timeMs += 5;
      return readingOf(this.#sent, this.#timeMs);
    });
    const request = httpRequest(
      `${url}/api/v1/ingest/plumbline`,
      {
        method: "POST",
        agent: this.#agent,
        headers: {
          authorization: `Bearer ${id}.${password}`,
          "content-type": "application/x-ndjson",
        },
      },
      (response) => {
        response.resume();
        if (response.statusCode !== 200) throw new Error(`answered by ${response.statusCode}`);
        response.once("end", () => {
          this.#acknowledged += batch;
        });
      },
    );
    request.end(lines.join("\n"));
  }
}
