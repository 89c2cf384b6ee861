import { Agent, get } from "node:http";
import { type ListenerDevice, STEP_MS } from "./device.ts";

interface PhoneOptions {
  readonly id: string;
  /** Fix time of record 1, ms since the Unix epoch. */
  readonly firstTimeMs: number;
}

/**
 * A phone that reports by the OsmAnd protocol, one request after the other, and after a break sends the
 * one that was not answered by 200 again.
 */
export class Phone implements ListenerDevice {
  readonly listener = "osmand";
  readonly decoder = "osmand";
  readonly field = "number";
  readonly timed = true;
  readonly acked = new Set<number>();
  readonly id: string;
  readonly hardwareId: string;
  readonly #firstTimeMs: number;
  #agent: Agent | undefined;
  #isRunning = false;
  #sent = 0;

  constructor({ id, firstTimeMs }: PhoneOptions) {
    this.id = id;
    this.hardwareId = id;
    this.#firstTimeMs = firstTimeMs;
  }

  get sent(): number {
    return this.#sent;
  }

  get isIdle(): boolean {
    return this.acked.size === this.#sent;
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
    if (this.isIdle) {
      if (!this.#isRunning) return;
      this.#sent += 1;
    }
    const number = this.#sent;
    const path = `/?id=${this.id}&timestamp=${this.#firstTimeMs + number * STEP_MS}&lat=52.5&lon=13.4&number=${number}`;
    const request = get({ port, host: "127.0.0.1", agent, path }, (response) => {
      response.resume();
      if (response.statusCode === 200) this.acked.add(number);
      else if (response.statusCode !== 503) throw new Error(`answered by ${response.statusCode}`);
      response.on("end", () => {
        if (this.#agent === agent) this.#report(port, agent);
      });
    });
    // The server was killed: the harness runs the phone again when the next one is up.
    request.on("error", () => undefined);
  }
}
