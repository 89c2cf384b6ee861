import { setTimeout as delay } from "node:timers/promises";
import { range } from "./journal.ts";
import { type MqttDevice, openDevice } from "./mqtt-device.ts";
import type { DeviceAccess } from "./site.ts";

/** Messages that a device has in flight. */
const IN_FLIGHT = 10;
/** Pause before the next process is tried, ms: one that is down is not asked all the time. */
const RETRY_MS = 300;

/** A device that sends its messages again, as DUP, until each is acknowledged, by whatever process lets it in. */
export class PatientDevice {
  readonly #access: DeviceAccess;
  readonly #ports: () => readonly number[];
  readonly #payloadOf: (n: number) => string;
  readonly #acknowledged = new Set<number>();
  #turn: number;
  #connection: MqttDevice | undefined;

  constructor(
    access: DeviceAccess,
    turn: number,
    ports: () => readonly number[],
    payloadOf: (n: number) => string,
  ) {
    this.#access = access;
    this.#ports = ports;
    this.#payloadOf = payloadOf;
    this.#turn = turn;
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Resolves when all of these messages are acknowledged. */
  async send(numbers: readonly number[]): Promise<void> {
    const sent = new Set<number>();
    const open = () => numbers.filter((n) => !this.#acknowledged.has(n));
    while (open().length > 0) {
      this.#connection ??= await this.#connect();
      const device = this.#connection;
      if (device === undefined) continue;
      const waiting = open();
      const lanes = range(1, IN_FLIGHT).map(async () => {
        for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
          const dup = sent.has(n);
          sent.add(n);
          await device.publish({ payload: this.#payloadOf(n), messageId: n + 1, dup });
          this.#acknowledged.add(n);
        }
      });
      await Promise.all(lanes).catch(() => this.cut());
    }
  }

  /** Cuts its connection. */
  cut(): void {
    this.#connection?.cut();
    this.#connection = undefined;
  }

  /** Tries one process after the other. */
  async #connect(): Promise<MqttDevice | undefined> {
    const ports = this.#ports();
    this.#turn += 1;
    const port = ports[this.#turn % ports.length] ?? 0;
    try {
      const device = await openDevice({ access: this.#access, port });
      if (device.returnCode === 0) return device;
    } catch {
      // It is gone, or lets nobody in while its journal takes no records.
    }
    await delay(RETRY_MS);
    return undefined;
  }
}
