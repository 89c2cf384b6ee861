import type { Location } from "../../../domain/geodesy.ts";
import type { Random } from "../../randomness/random.ts";
import type { Tick } from "../machines/machine.ts";
import { moved } from "../site/plane.ts";
import type { Site } from "../site/site.ts";
import type { FleetFormat } from "./format.ts";
import { createGnssNoise, type GnssNoise } from "./gnss-noise.ts";
import type { DeviceHabits } from "./habits.ts";
import { createInterruptions, type Interruptions } from "./interruptions.ts";
import { type EncodedReading, type Message, packMessages } from "./message.ts";

/** What a device did apart from sending readings one by one, for the truth. */
export interface Deed {
  readonly what: "outage" | "no_fix" | "duplicate" | "shuffled_batch" | "outlier";
  /** First and last reading concerned; `fromSeq > toSeq` when none was made (silent). */
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface DeviceOptions {
  readonly random: Random;
  /** Id of the asset. */
  readonly id: string;
  readonly format: FleetFormat;
  readonly habits: DeviceHabits;
  readonly site: Site;
  readonly carriesPayload: boolean;
  readonly startMs: number;
  /** Called with every deed when it is over. */
  readonly onDeed: (deed: Deed) => void;
  /** Whether to remember skipped readings (runs with an end). */
  readonly keepSkipped: boolean;
}

/** The 68 % radius of a circular normal error is 1.51 times its per-axis deviation (Rayleigh). */
const RADIUS_68 = 1.51;
/** Noise of Doppler speed, km/h: small enough that a stationary machine never seems to move at 1 km/h. */
const SPEED_SIGMA_KMH = 0.15;
const HEADING_SIGMA_DEG = 1.5;
/**
 * Below this speed a receiver holds the last course, m/s: a course over ground turns at random where there is
 * hardly any motion.
 */
const COURSE_MPS = 0.5;

interface Span {
  readonly fromSeq: number;
  readonly fromMs: number;
}

/** A tracker: turns the truth of one machine into messages, with faults of its own. */
export class Device {
  readonly #options: DeviceOptions;
  readonly #format: FleetFormat;
  readonly #habits: DeviceHabits;
  readonly #noise: GnssNoise;
  readonly #small: Random;
  readonly #manners: Random;
  readonly #tunnels: Interruptions;
  readonly #outages: Interruptions;
  readonly #noisy: boolean;
  readonly #skipped: { beforeSeq: number; count: number }[] = [];
  #seq = 0;
  #isOffline = false;
  #stored: EncodedReading[] = [];
  #batch: EncodedReading[] = [];
  #courseDeg = 0;
  #outage: Span | undefined;
  #tunnel: Span | undefined;

  constructor(options: DeviceOptions) {
    const { random, format, habits, startMs } = options;
    this.#options = options;
    this.#format = format;
    this.#habits = habits;
    this.#noise = createGnssNoise(random.fork("gnss"), habits.sigmaM, habits.correlationS);
    this.#small = random.fork("sensors");
    this.#manners = random.fork("manners");
    this.#tunnels = createInterruptions(random.fork("tunnel"), startMs, habits.noFixEveryS, {
      min: 8,
      max: 60,
    });
    this.#outages = createInterruptions(random.fork("outage"), startMs, habits.outageEveryS, {
      min: 30,
      max: 600,
    });
    this.#noisy = habits.sigmaM > 0;
  }

  /** Without a network at the last sample. */
  get isOffline(): boolean {
    return this.#isOffline;
  }

  /** Readings made; also the next `seq`. */
  get madeCount(): number {
    return this.#seq;
  }

  /** Readings due but not made (no satellites, silent), and before which `seq`, ascending. */
  get skipped(): readonly { readonly beforeSeq: number; readonly count: number }[] {
    return this.#skipped;
  }

  /** Takes a reading at `timeMs`, within `tick`; times go forward. Yields what is to be sent now. */
  sample(tick: Tick, timeMs: number): readonly Message[] {
    this.#isOffline = this.#outages.isAwayAt(timeMs);
    const messages: Message[] = this.#isOffline ? [] : [...this.#flushStored(timeMs)];
    if (this.#isOffline && this.#outage === undefined)
      this.#outage = { fromSeq: this.#seq, fromMs: timeMs };
    const hasFix = !this.#tunnels.isAwayAt(timeMs);
    if (hasFix) this.#endTunnel(timeMs);
    if (!hasFix && this.#tunnel === undefined)
      this.#tunnel = { fromSeq: this.#seq, fromMs: timeMs };
    if (!hasFix && this.#habits.noFixStyle === "silent") {
      this.#skip();
      return messages;
    }
    const reading = this.#measure(tick, timeMs, hasFix ? this.#locate(tick, timeMs) : undefined);
    if (this.#isOffline) this.#stored.push(reading);
    else messages.push(...this.#send(reading, timeMs));
    return messages;
  }

  /** Sends whatever is still kept back. */
  finish(timeMs: number): readonly Message[] {
    this.#endTunnel(timeMs);
    this.#isOffline = false;
    return [...this.#flushStored(timeMs), ...this.#flushBatch(timeMs)];
  }

  #endTunnel(timeMs: number): void {
    if (this.#tunnel !== undefined)
      this.#options.onDeed({ what: "no_fix", ...this.#tunnel, toSeq: this.#seq - 1, toMs: timeMs });
    this.#tunnel = undefined;
  }

  #skip(): void {
    if (!this.#options.keepSkipped) return;
    const last = this.#skipped.at(-1);
    if (last?.beforeSeq === this.#seq) last.count += 1;
    else this.#skipped.push({ beforeSeq: this.#seq, count: 1 });
  }

  #locate(tick: Tick, timeMs: number): Location {
    const { point } = tick.motionAt(timeMs);
    const error = this.#noise.errorAt(timeMs);
    const location = this.#options.site.frame.toLocation({
      eastM: point.eastM + error.eastM,
      northM: point.northM + error.northM,
    });
    if (!this.#manners.chance(this.#habits.outlierShare)) return location;
    this.#options.onDeed({
      what: "outlier",
      fromSeq: this.#seq,
      toSeq: this.#seq,
      fromMs: timeMs,
      toMs: timeMs,
    });
    if (this.#manners.chance(0.5)) return { latitude: 0, longitude: 0 };
    const awayM = this.#manners.uniform(5_000, 50_000);
    return this.#options.site.frame.toLocation(moved(point, this.#manners.uniform(0, 360), awayM));
  }

  #measure(tick: Tick, timeMs: number, location: Location | undefined): EncodedReading {
    const motion = tick.motionAt(timeMs);
    if (motion.speedMps >= COURSE_MPS) {
      this.#courseDeg =
        motion.headingDeg + (this.#noisy ? HEADING_SIGMA_DEG * this.#small.gaussian() : 0);
    }
    const speedNoiseKmh = this.#noisy ? SPEED_SIGMA_KMH * this.#small.gaussian() : 0;
    const radiusM = Math.max(0.5, RADIUS_68 * this.#habits.sigmaM);
    const accuracyM = { right: radiusM, optimistic: radiusM / 3, missing: undefined };
    const measurement = {
      seq: this.#seq,
      deviceTimeMs: Math.round(timeMs) + this.#habits.clockSkewMs,
      location,
      accuracyM: accuracyM[this.#habits.accuracy],
      // The site falls 2 % to the east: enough to see, little enough to drive on.
      altitudeM:
        this.#options.site.altitudeM -
        0.02 * motion.point.eastM +
        (this.#noisy ? this.#small.gaussian() : 0),
      speedKmh: Math.max(0, motion.speedMps * 3.6 + speedNoiseKmh),
      headingDeg: (this.#courseDeg + 360) % 360,
      motion,
      engineOn: tick.activityAt(timeMs).engineOn,
      vitals: tick.vitals,
      carriesPayload: this.#options.carriesPayload,
    };
    const text = this.#format.encode(measurement, {
      id: this.#options.id,
      timeFormat: this.#habits.timeFormat,
    });
    const reading = { seq: this.#seq, text };
    this.#seq += 1;
    return reading;
  }

  #flushStored(timeMs: number): readonly Message[] {
    if (this.#outage === undefined) return [];
    this.#options.onDeed({ what: "outage", ...this.#outage, toSeq: this.#seq - 1, toMs: timeMs });
    this.#outage = undefined;
    const readings = this.#stored;
    this.#stored = [];
    if (this.#habits.flushOrder === "newest_first") readings.reverse();
    const ordered =
      this.#habits.flushOrder === "shuffled" ? this.#manners.shuffle(readings) : readings;
    return packMessages(this.#format, ordered, this.#habits.flushBatch, "backlog");
  }

  #flushBatch(timeMs: number): readonly Message[] {
    if (this.#batch.length === 0) return [];
    const readings = this.#batch;
    this.#batch = [];
    if (!this.#habits.shuffleBatch)
      return packMessages(this.#format, readings, this.#habits.liveBatch, "batch");
    const [first, last] = [readings[0]?.seq ?? 0, readings.at(-1)?.seq ?? 0];
    this.#options.onDeed({
      what: "shuffled_batch",
      fromSeq: first,
      toSeq: last,
      fromMs: timeMs,
      toMs: timeMs,
    });
    return packMessages(
      this.#format,
      this.#manners.shuffle(readings),
      this.#habits.liveBatch,
      "shuffled_batch",
    );
  }

  #send(reading: EncodedReading, timeMs: number): readonly Message[] {
    if (this.#habits.liveBatch > 1) {
      this.#batch.push(reading);
      return this.#batch.length < this.#habits.liveBatch ? [] : this.#flushBatch(timeMs);
    }
    const messages = packMessages(this.#format, [reading], 1, "live");
    if (!this.#manners.chance(this.#habits.duplicateShare)) return messages;
    const { seq: at } = reading;
    this.#options.onDeed({
      what: "duplicate",
      fromSeq: at,
      toSeq: at,
      fromMs: timeMs,
      toMs: timeMs,
    });
    return [...messages, ...packMessages(this.#format, [reading], 1, "duplicate")];
  }
}
