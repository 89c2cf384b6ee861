import { Agent, request as httpRequest } from "node:http";
import { type ListenerDevice, STEP_MS } from "./device.ts";

interface SenderOptions {
  readonly id: string;
  /** Fix time of record 1, ms since the Unix epoch. */
  readonly firstTimeMs: number;
  readonly linesPerRequest: number;
  /**
   * Whether its readings carry a time. Those of one that has no clock are kept apart by the name of the
   * request alone, its Idempotency-Key.
   */
  readonly timed: boolean;
}

/**
 * A device that reports by HTTP ingest: NDJSON bodies, one after the other. After a break, or an answer that
 * says so, it sends the whole body again.
 */
export class Sender implements ListenerDevice {
  readonly listener = "http";
  readonly decoder = "plumbline";
  readonly field = "number";
  readonly acked = new Set<number>();
  readonly id: string;
  readonly hardwareId: string;
  readonly timed: boolean;
  readonly #options: SenderOptions;
  #secret = "";
  #agent: Agent | undefined;
  #isRunning = false;
  #sent = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.id = options.id;
    this.hardwareId = options.id;
    this.timed = options.timed;
  }

  get sent(): number {
    return this.#sent;
  }

  get isIdle(): boolean {
    return this.acked.size === this.#sent;
  }

  logInWith(secret: string): void {
    this.#secret = secret;
  }

  run(port: number): void {
    this.close();
    this.#isRunning = true;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
    this.#report(port, this.#agent);
  }

  pause(): void {
    this.#isRunning = false;
  }

  close(): void {
    this.#isRunning = false;
    this.#agent?.destroy();
    this.#agent = undefined;
  }

  #report(port: number, agent: Agent): void {
    const { linesPerRequest, timed } = this.#options;
    if (this.isIdle) {
      if (!this.#isRunning) return;
      this.#sent += linesPerRequest;
    }
    const first = this.#sent - linesPerRequest + 1;
    const numbers = Array.from({ length: linesPerRequest }, (_, i) => first + i);
    const request = httpRequest(
      {
        ...{ port, host: "127.0.0.1", agent, method: "POST", path: "/api/v1/ingest/plumbline" },
        headers: {
          authorization: `Bearer ${this.id}.${this.#secret}`,
          "content-type": "application/x-ndjson",
          ...(timed ? {} : { "idempotency-key": `${this.id}-${first}` }),
        },
      },
      (response) => {
        response.resume();
        if (response.statusCode === 200) for (const number of numbers) this.acked.add(number);
        else if (response.statusCode !== 503) throw new Error(`answered by ${response.statusCode}`);
        response.on("end", () => {
          if (this.#agent === agent) this.#report(port, agent);
        });
      },
    );
    // The server was killed: the harness runs the device again when the next one is up.
    request.on("error", () => undefined);
    request.end(numbers.map((number) => this.#line(number)).join("\n"));
  }

  #line(number: number): string {
    const { timed, firstTimeMs } = this.#options;
    const reading = { latitude: 52.5, longitude: 13.4, number };
    return JSON.stringify(
      timed ? { ...reading, timestamp: firstTimeMs + number * STEP_MS } : reading,
    );
  }
}
