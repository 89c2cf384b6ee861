import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../support/until.ts";
import { CrashDevice } from "./device.ts";
import { type MessageTally, tallyMessages } from "./message-tally.ts";
import type { CrashParty, CrashTarget, PartyCheck } from "./target.ts";

export interface CrashOptions {
  /** Kills, or 0. Every second one falls into a start, where the target has one. */
  readonly rounds: number;
  readonly devices: number;
  /** Messages in flight per device. */
  readonly window: number;
  /** Load before each kill lasts a random time in this range, ms. */
  readonly loadMs: { readonly min: number; readonly max: number };
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Ends the kills early; what came of them is found out all the same. */
  readonly signal?: AbortSignal;
  readonly onRound?: (round: number, acked: number, startMs: number) => void;
}

export interface CrashResult {
  readonly tally: MessageTally;
  readonly checks: readonly PartyCheck[];
  readonly kills: number;
  readonly killsDuringStart: number;
}

/** How long acknowledgements may take to come, ms. */
const PATIENCE_MS = 120_000;
/** A fault list of a device changes with every so many messages: two events each time. */
const MESSAGES_PER_FAULT = 25;

/** Kills the target again and again under load, then compares acknowledgements with the store. */
export async function runCrashRounds(
  target: CrashTarget,
  parties: readonly CrashParty[],
  options: CrashOptions,
): Promise<CrashResult> {
  const ids = Array.from({ length: options.devices }, (_, i) => `crash-${i}`);
  let { mqttPort } = await target.start();
  const access = await target.register(ids);
  const firstTimeMs = Date.now() - 24 * 3_600_000;
  const devices = ids.map((id, i) => {
    const { password, topic } = access.get(id) ?? { password: "", topic: "" };
    // Every second device sends no time, which is the harder half: nothing but the filter of resent
    // messages keeps their readings from being stored twice.
    const timed = i % 2 === 0;
    // Every fourth one raises and clears faults: events of the pipeline.
    const fieldsOf = i % 4 === 0 ? faultsOf : undefined;
    const { window } = options;
    return new CrashDevice({
      id,
      password,
      topic,
      timed,
      firstTimeMs,
      window,
      ...(fieldsOf === undefined ? {} : { fieldsOf }),
    });
  });
  let kills = 0;
  let killsDuringStart = 0;
  try {
    for (const party of parties) await party.begin();
    let isUp = true;
    let startMs = 1_000;
    for (let round = 1; round <= options.rounds && options.signal?.aborted !== true; round += 1) {
      if (!isUp && round % 2 === 0 && target.killDuringStart !== undefined) {
        await target.killDuringStart(options.random() * startMs);
        killsDuringStart += 1;
      } else {
        const sinceMs = performance.now();
        if (!isUp) ({ mqttPort } = await target.start());
        if (!isUp) startMs = performance.now() - sinceMs;
        const before = ackedOf(devices);
        for (const device of devices) device.run(mqttPort);
        // A kill before anything was acknowledged would test nothing.
        await until("an acknowledgement", () => ackedOf(devices) > before, PATIENCE_MS);
        const { min, max } = options.loadMs;
        await delay(min + options.random() * (max - min));
        await target.kill();
        isUp = false;
      }
      kills = round;
      options.onRound?.(round, ackedOf(devices), startMs);
    }
    if (!isUp) ({ mqttPort } = await target.start());
    for (const device of devices) {
      device.run(mqttPort);
      device.pause();
    }
    await until(
      "every message is acknowledged",
      () => devices.every((device) => device.inFlight === 0),
      PATIENCE_MS,
    );
    const tally = tallyMessages(devices, await target.stored(ids));
    const checks: PartyCheck[] = [];
    for (const party of parties) checks.push(...(await party.settle()));
    return { tally, checks, kills, killsDuringStart };
  } finally {
    for (const device of devices) device.close();
    for (const party of parties) await party.close();
  }
}

/** Another fault every so many messages; the one before is cleared with it. */
const faultsOf = (number: number): Readonly<Record<string, unknown>> => ({
  fault_codes: [{ spn: 1_000 + (Math.floor(number / MESSAGES_PER_FAULT) % 5_000), fmi: 3 }],
});

const ackedOf = (devices: readonly CrashDevice[]): number =>
  devices.reduce((sum, device) => sum + device.acked.size, 0);
