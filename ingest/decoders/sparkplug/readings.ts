import {
  type DecodedMessage,
  type DecodedReading,
  MAX_FIELDS,
  MAX_READINGS,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import { FieldSet } from "../fields/field-set.ts";
import { Refusals } from "../fields/refusals.ts";
import { isControl, type MetricMeaning, metricMeaning } from "./metric-meanings.ts";
import { DATATYPE, metricValue, type SparkplugMetric, type SparkplugPayload } from "./payload.ts";

/** What a birth says about a metric; a metric with a name of its own says it itself. */
export interface NamedMetric {
  readonly name: string;
  readonly datatype: number | undefined;
  /** The property `engUnit`. */
  readonly unit?: string | undefined;
}

/**
 * The coordinates that a device said last, degrees. Devices report what changed: a machine that drives due
 * east says its longitude alone, and its latitude is what it was.
 */
export interface LastPosition {
  latitude: number | undefined;
  longitude: number | undefined;
}

/** Quality of a value that counts: 192, or another of OPC's "good", which Ignition also sends. */
const isGood = (quality: number | undefined): boolean =>
  quality === undefined || (quality >= 192 && quality <= 255);
/**
 * Farthest apart that latitude and longitude of one message may be read and be one position, ms. Longer joins
 * halves of two positions of a moving machine; shorter loses positions whose halves are read one after the other.
 */
const PAIR_MS = 1_000;

/**
 * What the metrics of one message say, as readings: one for each time, in the order of the payload, and after them
 * those that the device calls historical. `named` says what a metric is. Metrics that it does not know are ignored
 * and counted. So are texts, values of a kind that is not read, values whose quality is not good, what does not fit
 * into one reading, and half a position. Null and metrics of the protocol itself say nothing.
 *
 * Of two messages about one millisecond, a birth and what changed right behind it, the higher `seq` is the later
 * one. Only where the count began again between them is it the earlier.
 *
 * `last`, where it is given, is what half a position is made whole by; it is changed to what is live now. Of two
 * names for one field, the first of a reading has it, and the other keeps its own name. A time with a position
 * outside its range is refused, and the message kept whole: a part of it cannot be read without its birth.
 * @throws DomainError `DECODE_FAILED` where every time is refused, or for more than 1,000 times.
 */
export function readingsOf(
  payload: SparkplugPayload,
  named: (metric: SparkplugMetric) => NamedMetric | undefined,
  last?: LastPosition,
): DecodedMessage {
  const moments = new Moments(payload);
  let ignored = 0;
  let isHeard = false;
  for (const metric of payload.metrics) {
    const identity = named(metric);
    if (identity === undefined) ignored += 1;
    else if (!isControl(identity.name)) {
      isHeard ||= !metric.isHistorical;
      if (metric.isNull) continue;
      const value = metricValue(metric, identity.datatype);
      if (!isMeasured(value) || !isGood(metric.quality)) ignored += 1;
      else {
        const meaning = metricMeaning(identity.name, metric.unit ?? identity.unit);
        const datatype = metric.datatype ?? identity.datatype;
        moments.of(metric).put(identity.name, meaning, value, datatype);
      }
    }
  }
  const refusals = new Refusals<Moment>();
  const readings = moments.readings(last, refusals);
  // A machine of whose values none is kept has been heard all the same.
  if (readings.length === 0 && isHeard && !refusals.any)
    readings.push(emptyReading(payload.timestampMs));
  return refusals.finish({ readings, notices: [], ignored: ignored + moments.ignored }, undefined);
}

const emptyReading = (deviceTimeMs: number | undefined): DecodedReading => ({
  deviceTimeMs,
  seq: undefined,
  fields: {},
  faults: undefined,
});

function isMeasured(value: SparkplugMetric["value"]): value is number | boolean {
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

/** The times of one message, each with what was measured then. */
class Moments {
  /** Parts of them that are not kept; complete after `readings`. */
  ignored = 0;
  readonly #defaultTimeMs: number | undefined;
  readonly #seq: number | undefined;
  readonly #live = new Map<number | undefined, Moment>();
  readonly #historical = new Map<number | undefined, Moment>();

  constructor({ timestampMs, seq }: Pick<SparkplugPayload, "timestampMs" | "seq">) {
    this.#defaultTimeMs = timestampMs;
    this.#seq = seq;
  }

  of({ timestampMs = this.#defaultTimeMs, isHistorical }: SparkplugMetric): Moment {
    const moments = isHistorical ? this.#historical : this.#live;
    let moment = moments.get(timestampMs);
    if (moment === undefined) {
      if (this.#live.size + this.#historical.size === MAX_READINGS) {
        throw new DomainError("DECODE_FAILED", `more than ${MAX_READINGS} times`);
      }
      moment = new Moment(timestampMs, isHistorical);
      moments.set(timestampMs, moment);
    }
    return moment;
  }

  readings(last: LastPosition | undefined, refusals: Refusals<Moment>): DecodedReading[] {
    const all = [...this.#live.values(), ...this.#historical.values()];
    if (all.some(({ position }) => isHalf(position))) {
      pairHalves(inOrderOfTime(this.#live));
      pairHalves(inOrderOfTime(this.#historical));
    }
    const next = { latitude: last?.latitude, longitude: last?.longitude };
    if (last !== undefined) completeHalves(inOrderOfTime(this.#live), next);
    const readings = all.flatMap(
      (moment) => refusals.attempt(moment, () => moment.reading(this.#seq)) ?? [],
    );
    if (last !== undefined) Object.assign(last, next);
    for (const moment of all) this.ignored += moment.ignored;
    return readings;
  }
}

/** One without a time is now, after all others. */
function inOrderOfTime(moments: ReadonlyMap<number | undefined, Moment>): readonly Moment[] {
  const timeOf = ({ timeMs }: Moment): number => timeMs ?? Number.MAX_VALUE;
  return [...moments.values()].sort((a, b) => timeOf(a) - timeOf(b));
}

/** Each metric may have a time of its own: what was read a little earlier goes to what it belongs to. */
function pairHalves(moments: readonly Moment[]): void {
  for (const [i, { position, timeMs }] of moments.entries()) {
    const next = moments[i + 1];
    if (next?.timeMs === undefined || timeMs === undefined || next.timeMs - timeMs > PAIR_MS) {
      continue;
    }
    if (isHalf(position) && isHalf(next.position) && halfOf(position) !== halfOf(next.position)) {
      next.position.latitude ??= position.latitude;
      next.position.longitude ??= position.longitude;
      position.latitude = undefined;
      position.longitude = undefined;
    }
  }
}

function completeHalves(moments: readonly Moment[], last: LastPosition): void {
  for (const { position } of moments) {
    if (position.latitude === undefined && position.longitude === undefined) continue;
    position.latitude ??= last.latitude;
    position.longitude ??= last.longitude;
    // What is refused says nothing of where the machine is.
    if (!isOnEarth(position)) continue;
    const hasFix = !isNoFix(position);
    last.latitude = hasFix ? position.latitude : undefined;
    last.longitude = hasFix ? position.longitude : undefined;
  }
}

const isHalf = ({ latitude, longitude }: LastPosition): boolean =>
  (latitude === undefined) !== (longitude === undefined);

/** As in `FieldSet.setPosition`. */
const isNoFix = ({ latitude, longitude }: LastPosition): boolean =>
  latitude === 0 && longitude === 0;

const isOnEarth = ({ latitude = 0, longitude = 0 }: LastPosition): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

const halfOf = ({ latitude }: LastPosition): "latitude" | "longitude" =>
  latitude === undefined ? "longitude" : "latitude";

/** What was measured at one time. */
class Moment {
  ignored = 0;
  readonly timeMs: number | undefined;
  readonly position: LastPosition = { latitude: undefined, longitude: undefined };
  readonly #isHistorical: boolean;
  readonly #fields = new FieldSet();
  /** The metric that a field, or a name of the device's own, is from. */
  readonly #metricByField = new Map<string, string>();
  /** Values without a meaning, by their own names; they fill what place the others leave. */
  readonly #ownValues = new Map<string, number>();

  constructor(timeMs: number | undefined, isHistorical: boolean) {
    this.timeMs = timeMs;
    this.#isHistorical = isHistorical;
  }

  put(name: string, meaning: MetricMeaning, value: number | boolean, datatype: number | undefined) {
    const { field, ownName } = meaning;
    if (field !== undefined && canBe(field, value, datatype) && this.#claim(field, name)) {
      this.#set(field, ownName, converted(Number(value), meaning), value);
    } else if (this.#isFor(ownName) && this.#claim(ownName, name)) {
      this.#ownValues.set(ownName, Number(value));
    } else this.ignored += 1;
  }

  /** `undefined`: nothing was kept. */
  reading(seq: number | undefined): DecodedReading | undefined {
    const { latitude, longitude } = this.position;
    if (isHalf(this.position)) {
      this.ignored += 1;
      const missing = latitude === undefined ? "latitude" : "longitude";
      this.#fields.notRead(halfOf(this.position), `left out, because ${missing} is missing`);
    } else if (latitude !== undefined && longitude !== undefined) {
      this.#fields.setPosition(latitude, longitude);
    }
    const place = MAX_FIELDS - (this.#metricByField.size - this.#ownValues.size);
    let kept = 0;
    for (const [ownName, value] of this.#ownValues) {
      if (kept === place) this.#fields.leftOut(ownName);
      else {
        this.#fields.keep(ownName, value);
        kept += 1;
      }
    }
    this.ignored += this.#ownValues.size - kept;
    if (kept === 0 && Object.keys(this.#fields.fields).length === 0) return undefined;
    const reading = this.#fields.toReading(this.timeMs, seq);
    return this.#isHistorical ? { ...reading, isHistorical: true } : reading;
  }

  #set(field: string, ownName: string, value: number, raw: number | boolean): void {
    if (field === "latitude" || field === "longitude") this.position[field] = value;
    else this.#fields.set(field, value, ownName, raw);
  }

  /** Whether there may be place for a value under its own name. */
  #isFor(ownName: string): boolean {
    return this.#ownValues.size < MAX_FIELDS || this.#ownValues.has(ownName);
  }

  /** Whether the metric is the one that a field or name is from; the first to ask is. */
  #claim(field: string, name: string): boolean {
    const owner = this.#metricByField.get(field);
    if (owner === undefined) this.#metricByField.set(field, name);
    return owner === undefined || owner === name;
  }
}

/**
 * Yes and no are neither a speed nor a level, an engine is on or off, and a date is not a
 * measurement.
 */
function canBe(field: string, value: number | boolean, datatype: number | undefined): boolean {
  if (field === "engine_on") return value === true || value === false || value === 0 || value === 1;
  return typeof value === "number" && datatype !== DATATYPE.dateTime;
}

/** To six decimals, without the dust of the conversion. */
function converted(value: number, { times, plus }: MetricMeaning): number {
  if (times === 1 && plus === 0) return value;
  return Math.round((value * times + plus) * 1e6) / 1e6;
}
