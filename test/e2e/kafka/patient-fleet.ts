import { setTimeout as delay } from "node:timers/promises";
import { PatientDevice } from "../../support/patient-device.ts";
import type { DeviceAccess } from "../../support/site.ts";
import { isConclusive, type Machine, messageOf, numberAt, type Sent } from "../cluster/fleet.ts";

/** Messages that a machine sends one behind the other before it pauses. */
const BURST = 5;

/** Machines that send each message until it is acknowledged, by whatever process lets them in. */
export class PatientFleet {
  readonly sent: readonly Sent[];
  readonly #devices: readonly PatientDevice[];
  readonly #everyMs: number;
  #isStopped = true;
  #running: Promise<void>[] = [];

  /** `rate`: messages a second of all machines, where nothing holds them up. */
  constructor(options: {
    readonly machines: readonly Machine[];
    readonly access: ReadonlyMap<string, DeviceAccess>;
    readonly startMs: number;
    readonly rate: number;
    readonly ports: () => readonly number[];
  }) {
    const { machines, access, startMs, rate, ports } = options;
    this.#everyMs = (1_000 * machines.length * BURST) / rate;
    this.sent = machines.map((machine) => ({ machine, count: 0 }));
    this.#devices = machines.map((machine, turn) => {
      const own = access.get(machine.id);
      if (own === undefined) throw new Error(`${machine.id} is not registered`);
      const payloadOf = (k: number) => messageOf(machine, numberAt(machine, k), startMs);
      return new PatientDevice(own, turn, ports, payloadOf);
    });
  }

  /** Messages that were acknowledged. */
  get acknowledged(): number {
    return this.#devices.reduce((sum, device) => sum + device.acknowledged, 0);
  }

  start(): void {
    this.#isStopped = false;
    this.#running = this.sent.map((sent, i) => this.#publish(sent, this.#devices[i]));
  }

  /** Lets every machine send on until its fixes are conclusive; everything sent is acknowledged then. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
    for (const device of this.#devices) device.cut();
  }

  /** Sends what another fleet of the same machines has sent, as fast as it is taken. */
  async sendAll(sent: readonly Sent[]): Promise<void> {
    await Promise.all(
      sent.map(async ({ count }, i) => {
        await this.#devices[i]?.send(Array.from({ length: count }, (_, k) => k));
        this.#devices[i]?.cut();
      }),
    );
  }

  async #publish(sent: Sent, device: PatientDevice | undefined): Promise<void> {
    // Not all in the same moment.
    await delay(Math.random() * this.#everyMs);
    while (device !== undefined && !(this.#isStopped && isConclusive(sent.machine, sent.count))) {
      const nextMs = performance.now() + this.#everyMs;
      const count = this.#isStopped ? 1 : BURST;
      await device.send(Array.from({ length: count }, (_, i) => sent.count + i));
      sent.count += count;
      await delay(Math.max(0, this.#isStopped ? 0 : nextMs - performance.now()));
    }
  }
}
