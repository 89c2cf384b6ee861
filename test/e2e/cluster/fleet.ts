import { setTimeout as delay } from "node:timers/promises";
import { offsetLocation } from "../../../domain/geodesy.ts";
import { type MqttDevice, openDevice } from "../../support/mqtt-device.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

/** Fixes are this far apart on the device's own clock, which runs ahead of ours: much happens in a minute. */
export const STEP_MS = 30_000;
/** A machine is this many fixes outside its fence, then as many inside. */
const STAY_FIXES = 10;
/**
 * A machine that stopped has left only when a second fix confirms it (`ingest/geofence/stay.ts`): one fix
 * behind a crossing there must be before it is published.
 */
const CONFIRMING_FIXES = 1;
/**
 * The order in which late machines send the fixes of one stay. The late ones are in the middle: near a
 * crossing they may show that a machine which seemed to move was stationary. A crossing by a single fix
 * is then correctly withdrawn until the next fix.
 */
const LATE_ORDER = [0, 1, 2, 5, 3, 4, 6, 7, 8, 9] as const;
/** From the fence's middle, where a fix lies inside and outside; 60 km/h in between. */
const INSIDE_M = 0;
const OUTSIDE_M = 500;
export const FENCE_HALF_M = 200;

export interface Machine {
  readonly id: string;
  readonly projectId: string;
  /** How many fixes it is ahead of others, so that somebody crosses a fence at any time. */
  readonly phase: number;
  /** Whether some of its fixes come after younger ones. */
  readonly isLate: boolean;
  readonly centre: { readonly latitude: number; readonly longitude: number };
}

/** So many machines, spread over so many projects; a third of them send late fixes. */
export function machinesOf(count: number, projects: number): readonly Machine[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `machine-${i}`,
    projectId: `site-${i % projects}`,
    phase: i % (2 * STAY_FIXES),
    isLate: i % 3 === 0,
    centre: { latitude: 50 + (i % projects) / 10, longitude: 10 },
  }));
}

/** What the machine says at its n-th fix. */
export function messageOf(machine: Machine, n: number, startMs: number): string {
  const at = offsetLocation(machine.centre, isInside(machine, n) ? INSIDE_M : OUTSIDE_M, 0);
  return JSON.stringify({
    timestamp: fixTimeMs(startMs, n),
    latitude: at.latitude,
    longitude: at.longitude,
    accuracy_meters: 5,
    number: n,
  });
}

/** What one machine published and the broker acknowledged. */
export interface Sent {
  readonly machine: Machine;
  /** How many messages were sent, all acknowledged by the broker; `numberAt` says which. */
  count: number;
}

/** The number of the fix that the machine sends as its k-th message. */
export function numberAt({ isLate, phase }: Machine, k: number): number {
  const place = (k + phase) % STAY_FIXES;
  const isWholeStay = k >= place;
  return isLate && isWholeStay ? k - place + (LATE_ORDER[place] ?? 0) : k;
}

/**
 * Whether fixes up to here can show every crossing in them: none is held back, and the newest crossing
 * has what confirms it.
 */
export function isConclusive(machine: Machine, count: number): boolean {
  const numbers = Array.from({ length: LATE_ORDER.length }, (_, i) => numberAt(machine, count + i));
  const isWhole = numbers.every((number) => number >= count);
  return isWhole && (count - 1 + machine.phase) % STAY_FIXES >= CONFIRMING_FIXES;
}

/** Where the machine is at its n-th fix. */
export const isInside = ({ phase }: Machine, n: number): boolean =>
  Math.floor((n + phase) / STAY_FIXES) % 2 === 1;

export const fixTimeMs = (startMs: number, n: number): number => startMs + n * STEP_MS;

/** Machines that publish through the broker until they are stopped, one message after the other. */
export class Fleet {
  readonly sent: readonly Sent[];
  readonly #startMs: number;
  readonly #port: number;
  readonly #pauseMs: number;
  #devices: MqttDevice[] = [];
  #running: Promise<void>[] = [];
  #isStopped = true;

  constructor(machines: readonly Machine[], startMs: number, port: number, pauseMs: number) {
    this.sent = machines.map((machine) => ({ machine, count: 0 }));
    this.#startMs = startMs;
    this.#port = port;
    this.#pauseMs = pauseMs;
  }

  /** Messages that the broker acknowledged. */
  get acknowledged(): number {
    return this.sent.reduce((sum, { count }) => sum + count, 0);
  }

  /** Waits until the broker has acknowledged so many more. */
  async goesOn(by: number): Promise<void> {
    const wanted = this.acknowledged + by;
    await until(`${by} more are acknowledged`, () => this.acknowledged >= wanted, PATIENT_MS);
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    this.#devices = await Promise.all(
      this.sent.map(({ machine }) =>
        openDevice({ access: accessOf(machine), port: this.#port, clientId: machine.id }),
      ),
    );
    this.#running = this.sent.map((sent, i) => this.#publish(sent, this.#devices[i]));
  }

  /** Lets every machine send on until its fixes are conclusive, and waits for the acknowledgements. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
    await Promise.all(this.#devices.map((device) => device.disconnect()));
  }

  async #publish(sent: Sent, device: MqttDevice | undefined): Promise<void> {
    const { machine } = sent;
    while (device !== undefined && !(this.#isStopped && isConclusive(machine, sent.count))) {
      await device.publish({
        payload: messageOf(machine, numberAt(machine, sent.count), this.#startMs),
      });
      sent.count += 1;
      await delay(this.#pauseMs);
    }
  }
}

const accessOf = ({ id, projectId }: Machine) => ({
  username: id,
  password: "",
  topic: `sites/${projectId}/assets/${id}/telemetry`,
});
