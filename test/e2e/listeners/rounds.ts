import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../support/until.ts";
import { type MessageTally, tallyMessages } from "../crash/message-tally.ts";
import type { ListenerDevice } from "./device.ts";
import { Phone } from "./phone.ts";
import { Sender } from "./sender.ts";
import type { ListenerTarget } from "./target.ts";
import { Tracker } from "./tracker.ts";

export interface RoundsOptions {
  readonly rounds: number;
  /** Trackers, as many phones, and as many senders of HTTP ingest. */
  readonly devices: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onRound?: (round: number, acked: number) => void;
}

/** What became of the records of each listener's devices. */
export type Tallies = Readonly<Record<ListenerDevice["listener"], MessageTally>>;

const RECORDS_PER_PACKET = 5;
/** Readings without a time take one millisecond each: few enough that a device stays below 1,000 a second. */
const LINES_PER_REQUEST = { timed: 20, untimed: 5 };
const PATIENCE_MS = 30_000;
/** Load before each kill, ms. */
const LOAD_MS = { min: 200, max: 1_200 };
/** Fix time of the first record before now, ms: a day, so that resends after kills are in the past too. */
const AGO_MS = 24 * 3_600_000;

/** Kills the target again and again under load, then compares what was acknowledged with what is stored. */
export async function runListenerRounds(
  target: ListenerTarget,
  { rounds, devices: count, random, onRound }: RoundsOptions,
): Promise<Tallies> {
  const firstTimeMs = Date.now() - AGO_MS;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const trackers = numbers.map(
    (i) =>
      new Tracker({
        id: `tracker-${i}`,
        imei: String(356_307_042_000_000 + i),
        firstTimeMs,
        recordsPerPacket: RECORDS_PER_PACKET,
      }),
  );
  const phones = numbers.map((i) => new Phone({ id: `phone-${i}`, firstTimeMs }));
  const senders = numbers.map(
    (i) =>
      new Sender({
        id: `sender-${i}`,
        firstTimeMs,
        linesPerRequest: i % 2 === 0 ? LINES_PER_REQUEST.timed : LINES_PER_REQUEST.untimed,
        timed: i % 2 === 0,
      }),
  );
  const kinds: readonly (readonly ListenerDevice[])[] = [trackers, phones, senders];
  const devices = kinds.flat();
  const ackedOf = (of: readonly ListenerDevice[]) =>
    of.reduce((sum, { acked }) => sum + acked.size, 0);
  let ports = await target.start();
  await target.register(devices);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const before = kinds.map(ackedOf);
      for (const device of devices) device.run(ports[device.listener]);
      // A kill before anything was acknowledged would test nothing.
      await until(
        "something of each kind is acknowledged",
        () => kinds.every((of, i) => ackedOf(of) > (before[i] ?? 0)),
        PATIENCE_MS,
      );
      await delay(LOAD_MS.min + random() * (LOAD_MS.max - LOAD_MS.min));
      await target.kill();
      ports = await target.start();
      onRound?.(round, ackedOf(devices));
    }
    for (const device of devices) {
      device.run(ports[device.listener]);
      device.pause();
    }
    const allIdle = () => devices.every(({ isIdle }) => isIdle);
    await until("everything is acknowledged", allIdle, PATIENCE_MS);
    const stored = await target.stored(devices);
    return {
      teltonika: tallyMessages(trackers, stored),
      osmand: tallyMessages(phones, stored),
      http: tallyMessages(senders, stored),
    };
  } finally {
    for (const device of devices) device.close();
  }
}
