import type { Location } from "../../../domain/geodesy.ts";
import type { Random } from "../../randomness/random.ts";
import type { Tick } from "../machines/machine.ts";
import { moved } from "../site/plane.ts";
import type { Site } from "../site/site.ts";
import type { FleetFormat } from "./format.ts";
import { createGnssNoise } from "./gnss-noise.ts";
import type { DeviceHabits } from "./habits.ts";
import { createInterruptions } from "./interruptions.ts";
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

/** A tracker: turns the truth into messages, with faults of its own. */
export interface Device {
  /** Takes a reading at `timeMs`, within `tick`; times go forward. Yields what is to be sent now. */
  sample(tick: Tick, timeMs: number): readonly Message[];
  /** Sends whatever is still kept back. */
  finish(timeMs: number): readonly Message[];
  /** Without a network at the last sample. */
  readonly isOffline: boolean;
  /** Readings made; also the next `seq`. */
  readonly madeCount: number;
  /** Readings due but not made (no satellites, silent), and before which `seq`, ascending. */
  readonly skipped: readonly { readonly beforeSeq: number; readonly count: number }[];
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
/** Noise of Doppler speed, km/h: small enough that a stationary machine never seems to move at 1 km/h. Chosen. */
const SPEED_SIGMA_KMH = 0.15;
const HEADING_SIGMA_DEG = 1.5;
/** Below this speed a receiver holds the last course, m/s; chosen. */
const COURSE_MPS = 0.5;

/** Creates the tracker of one machine. */
export function createDevice(options: DeviceOptions): Device {
  const { random, id, format, habits, site, startMs, onDeed } = options;
  const noise = createGnssNoise(random.fork("gnss"), habits.sigmaM, habits.correlationS);
  const small = random.fork("sensors");
  const manners = random.fork("manners");
  const tunnels = createInterruptions(random.fork("tunnel"), startMs, habits.noFixEveryS, {
    min: 8,
    max: 60,
  });
  const outages = createInterruptions(random.fork("outage"), startMs, habits.outageEveryS, {
    min: 30,
    max: 600,
  });
  const noisy = habits.sigmaM > 0;
  const skipped: { beforeSeq: number; count: number }[] = [];
  let seq = 0;
  let isOffline = false;
  let stored: EncodedReading[] = [];
  let batch: EncodedReading[] = [];
  let courseDeg = 0;
  let outage: { readonly fromSeq: number; readonly fromMs: number } | undefined;
  let tunnel: { readonly fromSeq: number; readonly fromMs: number } | undefined;

  function endTunnel(timeMs: number): void {
    if (tunnel !== undefined) onDeed({ what: "no_fix", ...tunnel, toSeq: seq - 1, toMs: timeMs });
    tunnel = undefined;
  }

  function skip(): void {
    if (!options.keepSkipped) return;
    const last = skipped.at(-1);
    if (last?.beforeSeq === seq) last.count += 1;
    else skipped.push({ beforeSeq: seq, count: 1 });
  }

  function locate(tick: Tick, timeMs: number): Location {
    const { point } = tick.motionAt(timeMs);
    const error = noise.errorAt(timeMs);
    const location = site.frame.toLocation({
      eastM: point.eastM + error.eastM,
      northM: point.northM + error.northM,
    });
    if (!manners.chance(habits.outlierShare)) return location;
    onDeed({ what: "outlier", fromSeq: seq, toSeq: seq, fromMs: timeMs, toMs: timeMs });
    if (manners.chance(0.5)) return { latitude: 0, longitude: 0 };
    const awayM = manners.uniform(5_000, 50_000);
    return site.frame.toLocation(moved(point, manners.uniform(0, 360), awayM));
  }

  function measure(tick: Tick, timeMs: number, location: Location | undefined): EncodedReading {
    const motion = tick.motionAt(timeMs);
    if (motion.speedMps >= COURSE_MPS) {
      courseDeg = motion.headingDeg + (noisy ? HEADING_SIGMA_DEG * small.gaussian() : 0);
    }
    const speedNoiseKmh = noisy ? SPEED_SIGMA_KMH * small.gaussian() : 0;
    const radiusM = Math.max(0.5, RADIUS_68 * habits.sigmaM);
    const accuracyM = { right: radiusM, optimistic: radiusM / 3, missing: undefined };
    const measurement = {
      seq,
      deviceTimeMs: Math.round(timeMs) + habits.clockSkewMs,
      location,
      accuracyM: accuracyM[habits.accuracy],
      // The site falls 2 % to the east: enough to see, little enough to drive on.
      altitudeM: site.altitudeM - 0.02 * motion.point.eastM + (noisy ? small.gaussian() : 0),
      speedKmh: Math.max(0, motion.speedMps * 3.6 + speedNoiseKmh),
      headingDeg: (courseDeg + 360) % 360,
      motion,
      engineOn: tick.activityAt(timeMs).engineOn,
      vitals: tick.vitals,
      carriesPayload: options.carriesPayload,
    };
    const text = format.encode(measurement, { id, timeFormat: habits.timeFormat });
    const reading = { seq, text };
    seq += 1;
    return reading;
  }

  function flushStored(timeMs: number): readonly Message[] {
    if (outage === undefined) return [];
    onDeed({ what: "outage", ...outage, toSeq: seq - 1, toMs: timeMs });
    outage = undefined;
    const readings = stored;
    stored = [];
    if (habits.flushOrder === "newest_first") readings.reverse();
    const ordered = habits.flushOrder === "shuffled" ? manners.shuffle(readings) : readings;
    return packMessages(format, ordered, habits.flushBatch, "backlog");
  }

  function flushBatch(timeMs: number): readonly Message[] {
    if (batch.length === 0) return [];
    const readings = batch;
    batch = [];
    if (!habits.shuffleBatch) return packMessages(format, readings, habits.liveBatch, "batch");
    const [first, last] = [readings[0]?.seq ?? 0, readings.at(-1)?.seq ?? 0];
    onDeed({
      what: "shuffled_batch",
      fromSeq: first,
      toSeq: last,
      fromMs: timeMs,
      toMs: timeMs,
    });
    return packMessages(format, manners.shuffle(readings), habits.liveBatch, "shuffled_batch");
  }

  function send(reading: EncodedReading, timeMs: number): readonly Message[] {
    if (habits.liveBatch > 1) {
      batch.push(reading);
      return batch.length < habits.liveBatch ? [] : flushBatch(timeMs);
    }
    const messages = packMessages(format, [reading], 1, "live");
    if (!manners.chance(habits.duplicateShare)) return messages;
    const { seq: at } = reading;
    onDeed({ what: "duplicate", fromSeq: at, toSeq: at, fromMs: timeMs, toMs: timeMs });
    return [...messages, ...packMessages(format, [reading], 1, "duplicate")];
  }

  return {
    get isOffline() {
      return isOffline;
    },
    get madeCount() {
      return seq;
    },
    skipped,
    sample(tick, timeMs) {
      isOffline = outages.isAwayAt(timeMs);
      const messages: Message[] = isOffline ? [] : [...flushStored(timeMs)];
      if (isOffline && outage === undefined) outage = { fromSeq: seq, fromMs: timeMs };
      const hasFix = !tunnels.isAwayAt(timeMs);
      if (hasFix) endTunnel(timeMs);
      if (!hasFix && tunnel === undefined) tunnel = { fromSeq: seq, fromMs: timeMs };
      if (!hasFix && habits.noFixStyle === "silent") {
        skip();
        return messages;
      }
      const reading = measure(tick, timeMs, hasFix ? locate(tick, timeMs) : undefined);
      if (isOffline) stored.push(reading);
      else messages.push(...send(reading, timeMs));
      return messages;
    },
    finish(timeMs) {
      endTunnel(timeMs);
      isOffline = false;
      return [...flushStored(timeMs), ...flushBatch(timeMs)];
    },
  };
}
