import type { Random } from "../randomness/random.ts";
import { type Deed, Device } from "./device/device.ts";
import type { FleetFormat } from "./device/format.ts";
import { drawHabits, type HabitLimits } from "./device/habits.ts";
import type { Message } from "./device/message.ts";
import { createSeqRanges } from "./seq-ranges.ts";
import type { TrackFile } from "./truth/track-file.ts";
import type { AssetTruth } from "./truth/truth-file.ts";
import { createCrossingWatch } from "./world/crossings.ts";
import { createWorkLedger } from "./world/work-ledger.ts";
import type { WorldAsset } from "./world/world.ts";

/** Messages of one asset that are due at one simulated time. */
export interface Due {
  readonly atMs: number;
  readonly asset: AssetRun;
  readonly messages: readonly Message[];
  /** Whether the device is without network from here on. */
  readonly isOffline: boolean;
}

/** One machine with its device: lives second by second and remembers the truth. */
export interface AssetRun {
  readonly id: string;
  /** What its device speaks. */
  readonly format: FleetFormat;
  /** Lives the second up to `toMs` and yields what its device does in it, in order of time. */
  step(toMs: number): readonly Due[];
  /** What the device still keeps back at the end. */
  finish(atMs: number): readonly Message[];
  noteSent(message: Message): void;
  noteAcknowledged(message: Message): void;
  noteDropped(message: Message): void;
  readonly madeCount: number;
  readonly acknowledgedCount: number;
  /** Completes the track on disk; nothing lives after it. */
  endTrack(): void;
  truth(): AssetTruth;
}

export interface AssetRunOptions {
  readonly asset: WorldAsset;
  readonly format: FleetFormat;
  /** Stream of the measurements; the world has its own, so that measuring never changes the truth. */
  readonly random: Random;
  readonly limits: HabitLimits;
  readonly startMs: number;
  /** Whether the run has an end; without one only counts are kept. */
  readonly keepAll: boolean;
  readonly track: TrackFile | undefined;
}

/** Puts a device on a machine. */
export function createAssetRun(options: AssetRunOptions): AssetRun {
  const { asset, format, random, limits, startMs, keepAll, track } = options;
  const { plan, machine, site } = asset;
  const drawn = drawHabits(random.fork("habits"), limits);
  const habits = format.needsFix ? { ...drawn, noFixStyle: "silent" as const } : drawn;
  const crossings = createCrossingWatch(asset.fences, asset.start, keepAll);
  const ledger = createWorkLedger(asset.calendar);
  const acknowledged = createSeqRanges();
  const messages: Record<string, number> = {};
  const deeds: Deed[] = [];
  const periodMs = 1_000 / limits.rate;
  // Devices do not report in step: each has a phase of its own.
  const firstMs = startMs + Math.floor(random.fork("phase").uniform(0, periodMs));
  let sampleCount = 0;
  let droppedCount = 0;
  let second = 0;

  const device = new Device({
    random: random.fork("device"),
    id: plan.id,
    format,
    habits,
    site,
    carriesPayload: plan.spec.carriesPayload,
    startMs,
    keepSkipped: keepAll,
    onDeed: (deed) => {
      if (keepAll) deeds.push(deed);
    },
  });

  const run: AssetRun = {
    id: plan.id,
    format,
    get madeCount() {
      return device.madeCount;
    },
    get acknowledgedCount() {
      return acknowledged.count;
    },
    step(toMs) {
      if (second === 0) track?.note(0, site.frame.toLocation(asset.start));
      const tick = machine.step(toMs);
      second += 1;
      crossings.watch(tick);
      ledger.add(tick);
      track?.note(second, site.frame.toLocation(tick.motionAt(toMs).point));
      const due: Due[] = [];
      for (;;) {
        const atMs = firstMs + sampleCount * periodMs;
        if (atMs >= toMs) return due;
        sampleCount += 1;
        const sent = device.sample(tick, atMs);
        due.push({ atMs, asset: run, messages: sent, isOffline: device.isOffline });
      }
    },
    finish: (atMs) => device.finish(atMs),
    noteSent(message) {
      messages[message.treatment] = (messages[message.treatment] ?? 0) + 1;
    },
    noteAcknowledged(message) {
      for (const seq of message.seqs) acknowledged.add(seq);
    },
    noteDropped(message) {
      droppedCount += message.seqs.length;
    },
    endTrack: () => track?.end(),
    truth: () => ({
      id: plan.id,
      projectId: plan.projectId,
      type: plan.spec.type,
      format: format.name,
      habits,
      sampling: { firstMs, periodMs },
      skipped: device.skipped,
      madeCount: device.madeCount,
      messages,
      droppedCount,
      acknowledged: acknowledged.ranges(),
      acknowledgedCount: acknowledged.count,
      days: ledger.days(),
      crossingCount: crossings.crossingCount,
      visits: crossings.visits(),
      deeds,
      track,
    }),
  };
  return run;
}
