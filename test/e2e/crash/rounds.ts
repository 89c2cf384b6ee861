import { setTimeout as delay } from "node:timers/promises";
import { CrashDevice } from "./device.ts";
import type { CrashTarget } from "./target.ts";
import { judge, type Verdict } from "./verdict.ts";

export interface CrashOptions {
  readonly rounds: number;
  readonly devices: number;
  /** Messages in flight per device. */
  readonly window: number;
  /** Load before each kill lasts a random time in this range, ms. */
  readonly loadMs: { readonly min: number; readonly max: number };
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly onRound?: (round: number, acked: number, downMs: number) => void;
}

/** How long acknowledgements may take to come, ms. */
const PATIENCE_MS = 30_000;

/** Kills the target again and again under load, then compares acknowledgements with the store. */
export async function runCrashRounds(target: CrashTarget, options: CrashOptions): Promise<Verdict> {
  const ids = Array.from({ length: options.devices }, (_, i) => `crash-${i}`);
  let { mqttPort } = await target.start();
  const access = await target.register(ids);
  const firstTimeMs = Date.now() - 24 * 3_600_000;
  const devices = ids.map((id, i) => {
    const { password, topic } = access.get(id) ?? { password: "", topic: "" };
    // Every second device sends no time, which is the harder half: nothing but the filter of resent
    // messages keeps their readings from being stored twice.
    const timed = i % 2 === 0;
    return new CrashDevice({ id, password, topic, timed, firstTimeMs, window: options.window });
  });
  try {
    for (let round = 1; round <= options.rounds; round += 1) {
      const before = ackedOf(devices);
      for (const device of devices) device.run(mqttPort);
      // A kill before anything was acknowledged would test nothing.
      await until(() => ackedOf(devices) > before);
      const { min, max } = options.loadMs;
      await delay(min + options.random() * (max - min));
      await target.kill();
      const killedAtMs = performance.now();
      ({ mqttPort } = await target.start());
      options.onRound?.(round, ackedOf(devices), performance.now() - killedAtMs);
    }
    for (const device of devices) {
      device.run(mqttPort);
      device.pause();
    }
    await until(() => devices.every((device) => device.inFlight === 0));
    return judge(devices, await target.stored(ids));
  } finally {
    for (const device of devices) device.close();
  }
}

const ackedOf = (devices: readonly CrashDevice[]): number =>
  devices.reduce((sum, device) => sum + device.acked.size, 0);

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`nothing came within ${PATIENCE_MS} ms`);
    await delay(20);
  }
}
