import type { Random } from "../randomness/random.ts";
import { type Deed, Device } from "./device/device.ts";
import type { FleetFormat } from "./device/format.ts";
import { type DeviceHabits, drawHabits, type HabitLimits } from "./device/habits.ts";
import type { Message } from "./device/message.ts";
import { createSeqRanges } from "./seq-ranges.ts";
import type { TrackFile } from "./truth/track-file.ts";
import type { AssetTruth } from "./truth/truth-file.ts";
import { type CrossingWatch, createCrossingWatch } from "./world/crossings.ts";
import { createWorkLedger, type WorkLedger } from "./world/work-ledger.ts";
import type { WorldAsset } from "./world/world.ts";

/** Messages of one asset that are due at one simulated time. */
export interface Due {
  readonly atMs: number;
  readonly asset: AssetRun;
  readonly messages: readonly Message[];
  /** Whether the device is without network from here on. */
  readonly isOffline: boolean;
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

/** One machine with its device: lives second by second and remembers the truth. */
export class AssetRun {
  readonly id: string;
  /** What its device speaks. */
  readonly format: FleetFormat;
  readonly #options: AssetRunOptions;
  readonly #habits: DeviceHabits;
  readonly #crossings: CrossingWatch;
  readonly #ledger: WorkLedger;
  readonly #acknowledged = createSeqRanges();
  readonly #messages: Record<string, number> = {};
  readonly #deeds: Deed[] = [];
  readonly #periodMs: number;
  readonly #firstMs: number;
  readonly #device: Device;
  #sampleCount = 0;
  #droppedCount = 0;
  #second = 0;

  constructor(options: AssetRunOptions) {
    const { asset, format, random, limits, startMs, keepAll } = options;
    const { plan, site } = asset;
    this.id = plan.id;
    this.format = format;
    this.#options = options;
    const drawn = drawHabits(random.fork("habits"), limits);
    this.#habits = format.needsFix ? { ...drawn, noFixStyle: "silent" } : drawn;
    this.#crossings = createCrossingWatch(asset.fences, asset.start, keepAll);
    this.#ledger = createWorkLedger(asset.calendar);
    this.#periodMs = 1_000 / limits.rate;
    // Devices do not report in step: each has a phase of its own.
    this.#firstMs = startMs + Math.floor(random.fork("phase").uniform(0, this.#periodMs));
    this.#device = new Device({
      random: random.fork("device"),
      id: plan.id,
      format,
      habits: this.#habits,
      site,
      carriesPayload: plan.spec.carriesPayload,
      startMs,
      keepSkipped: keepAll,
      onDeed: (deed) => {
        if (keepAll) this.#deeds.push(deed);
      },
    });
  }

  get madeCount(): number {
    return this.#device.madeCount;
  }

  get acknowledgedCount(): number {
    return this.#acknowledged.count;
  }

  /** Lives the second up to `toMs` and yields what its device does in it, in order of time. */
  step(toMs: number): readonly Due[] {
    const { asset, track } = this.#options;
    const { machine, site } = asset;
    if (this.#second === 0) track?.note(0, site.frame.toLocation(asset.start));
    const tick = machine.step(toMs);
    this.#second += 1;
    this.#crossings.watch(tick);
    this.#ledger.add(tick);
    track?.note(this.#second, site.frame.toLocation(tick.motionAt(toMs).point));
    const due: Due[] = [];
    for (;;) {
      const atMs = this.#firstMs + this.#sampleCount * this.#periodMs;
      if (atMs >= toMs) return due;
      this.#sampleCount += 1;
      const messages = this.#device.sample(tick, atMs);
      due.push({ atMs, asset: this, messages, isOffline: this.#device.isOffline });
    }
  }

  /** What the device still keeps back at the end. */
  finish(atMs: number): readonly Message[] {
    return this.#device.finish(atMs);
  }

  noteSent({ treatment }: Message): void {
    this.#messages[treatment] = (this.#messages[treatment] ?? 0) + 1;
  }

  noteAcknowledged(message: Message): void {
    for (const seq of message.seqs) this.#acknowledged.add(seq);
  }

  noteDropped(message: Message): void {
    this.#droppedCount += message.seqs.length;
  }

  /** Completes the track on disk; nothing lives after it. */
  endTrack(): void {
    this.#options.track?.end();
  }

  truth(): AssetTruth {
    const { plan } = this.#options.asset;
    return {
      id: plan.id,
      projectId: plan.projectId,
      type: plan.spec.type,
      format: this.format.name,
      habits: this.#habits,
      sampling: { firstMs: this.#firstMs, periodMs: this.#periodMs },
      skipped: this.#device.skipped,
      madeCount: this.#device.madeCount,
      messages: this.#messages,
      droppedCount: this.#droppedCount,
      acknowledged: this.#acknowledged.ranges(),
      acknowledgedCount: this.#acknowledged.count,
      days: this.#ledger.days(),
      crossingCount: this.#crossings.crossingCount,
      visits: this.#crossings.visits(),
      deeds: this.#deeds,
      track: this.#options.track,
    };
  }
}
