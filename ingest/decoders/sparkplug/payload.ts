import { DomainError } from "../../../domain/errors.ts";
import { ProtobufReader } from "./protobuf-reader.ts";

/** One metric as the wire has it. */
export interface SparkplugMetric {
  readonly name: string | undefined;
  /** Unsigned 64 bits; beyond 2^53 - 1 refused with DECODE_FAILED. */
  readonly alias: number | undefined;
  /** ms since the Unix epoch. */
  readonly timestampMs: number | undefined;
  /** As in {@link DATATYPE}; DATA messages may leave it to the birth. */
  readonly datatype: number | undefined;
  readonly isHistorical: boolean;
  readonly isNull: boolean;
  /**
   * As it was written, which for integers needs the datatype: {@link metricValue} makes of it what was
   * meant. `undefined`: null, none, or of a kind that is not read (bytes, data set, template, extension).
   */
  readonly value: number | boolean | string | undefined;
  /** The property `engUnit`, such as "km/h"; Ignition and others send it with births. */
  readonly unit: string | undefined;
  /** The property `Quality`: 192 good, 0 bad, 500 stale (Sparkplug 3.0, section 6.4.9.1). */
  readonly quality: number | undefined;
}

export interface SparkplugPayload {
  /** ms since the Unix epoch. */
  readonly timestampMs: number | undefined;
  /** 0 to 255; `undefined`: none (NDEATH has none). */
  readonly seq: number | undefined;
  readonly metrics: readonly SparkplugMetric[];
}

/** Numbers of `org.eclipse.tahu.protobuf.DataType` that say how a value is read. */
export const DATATYPE = {
  int8: 1,
  int16: 2,
  int32: 3,
  int64: 4,
  uint8: 5,
  uint16: 6,
  uint32: 7,
  uint64: 8,
  dateTime: 13,
} as const;

const MAX_INT32 = 2 ** 31 - 1;
const MAX_UINT32 = 2 ** 32 - 1;
/** `uuid` of a payload whose body is another one, compressed by Eclipse Tahu or Ignition. */
const COMPRESSED = "SPBV1.0_COMPRESSED";
/** Most metrics of one message; keeps the work to some 5 ms. Chosen: with names, 256 KiB hold no more. */
const MAX_METRICS = 5_000;
/** Longest unit that is kept, characters. Longer keeps texts that are no unit; shorter could cut one that is. */
const MAX_UNIT = 32;

/**
 * Reads a payload of Sparkplug B (Eclipse Tahu, `sparkplug_b.proto`): the fields that telemetry needs,
 * everything else is passed over. A metric has a name or an alias; whether an alias means anything is not
 * checked here.
 * @throws DomainError `DECODE_FAILED` naming the metric.
 */
export function readSparkplugPayload(payload: Uint8Array): SparkplugPayload {
  const wire = new ProtobufReader(payload);
  const metrics: SparkplugMetric[] = [];
  let timestampMs: number | undefined;
  let seq: number | undefined;
  while (wire.next()) {
    if (wire.field === 1) timestampMs = wire.u64();
    else if (wire.field === 2) {
      if (metrics.length === MAX_METRICS) throw failure(`more than ${MAX_METRICS} metrics`);
      metrics.push(readMetricAt(wire, metrics.length));
    } else if (wire.field === 3) seq = wire.u64();
    else if (wire.field === 4) refuseCompressed(wire.text());
    else wire.skip();
  }
  if (seq !== undefined && seq > 255) throw failure(`seq ${seq} is outside 0 to 255`);
  return { timestampMs, seq, metrics };
}

/**
 * A metric's value by its datatype, or by that of its birth where it has none. Signed integers are written
 * as unsigned ones (Sparkplug 3.0, section 6.4.16). Beyond 2^53 integers are rounded to doubles. Without any
 * datatype, a whole number that may be a negative one of 32 bits is `undefined`.
 */
export function metricValue(
  metric: SparkplugMetric,
  birthDatatype: number | undefined,
): SparkplugMetric["value"] {
  const { value } = metric;
  if (typeof value !== "number" || !Number.isInteger(value)) return value;
  switch (metric.datatype ?? birthDatatype) {
    case DATATYPE.int8:
      return (value << 24) >> 24;
    case DATATYPE.int16:
      return (value << 16) >> 16;
    case DATATYPE.int32:
      return value | 0;
    case DATATYPE.uint8:
      return value & 0xff;
    case DATATYPE.uint16:
      return value & 0xffff;
    case DATATYPE.uint32:
      return value >>> 0;
    case DATATYPE.uint64:
    case DATATYPE.dateTime:
      return value < 0 ? value + 2 ** 64 : value;
    case undefined:
      return value > MAX_INT32 && value <= MAX_UINT32 ? undefined : value;
    default:
      return value;
  }
}

function refuseCompressed(kind: string): void {
  if (kind !== COMPRESSED) return;
  throw failure(
    "the payload is compressed, which is not read; switch compression off at the edge node",
  );
}

function readMetricAt(wire: ProtobufReader, index: number): SparkplugMetric {
  try {
    return readMetric(wire);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `metric ${index}: ${error.message}`, { cause: error });
  }
}

function readMetric(wire: ProtobufReader): SparkplugMetric {
  let name: string | undefined;
  let alias: number | undefined;
  let timestampMs: number | undefined;
  let datatype: number | undefined;
  let isHistorical = false;
  let isNull = false;
  let value: SparkplugMetric["value"];
  let properties: Properties = NO_PROPERTIES;
  const outerEnd = wire.enter();
  while (wire.next()) {
    switch (wire.field) {
      case 1:
        // Some encoders write an empty name beside an alias.
        name = wire.text() || undefined;
        break;
      case 2:
        alias = wire.u64();
        break;
      case 3:
        timestampMs = wire.u64();
        break;
      case 4:
        datatype = wire.u32();
        break;
      case 5:
        isHistorical = wire.bool();
        break;
      case 7:
        isNull = wire.bool();
        break;
      case 9:
        properties = readProperties(wire);
        break;
      case 10:
        value = wire.u32();
        break;
      case 11:
        value = wire.i64();
        break;
      case 12:
        value = withoutDust(wire.float());
        break;
      case 13:
        value = wire.double();
        break;
      case 14:
        value = wire.bool();
        break;
      case 15:
        value = wire.text();
        break;
      default:
        // Bytes, data set, template and extension take the place of a value that came before.
        if (wire.field >= 16 && wire.field <= 19) value = undefined;
        wire.skip();
    }
  }
  wire.leave(outerEnd);
  if (alias !== undefined && alias > Number.MAX_SAFE_INTEGER) {
    throw failure(`alias ${alias} is beyond ${Number.MAX_SAFE_INTEGER}`);
  }
  if (name === undefined && alias === undefined) throw failure("neither a name nor an alias");
  return {
    name,
    alias,
    timestampMs,
    datatype,
    isHistorical,
    isNull,
    value: isNull ? undefined : value,
    unit: properties.unit,
    quality: properties.quality,
  };
}

interface Properties {
  readonly unit: string | undefined;
  readonly quality: number | undefined;
}

const NO_PROPERTIES: Properties = { unit: undefined, quality: undefined };

/** A property set has its keys and its values in two lists; what belongs together has one place in both. */
function readProperties(wire: ProtobufReader): Properties {
  let unitPlace = -1;
  let qualityPlace = -1;
  let keyCount = 0;
  const values: SparkplugMetric["value"][] = [];
  const outerEnd = wire.enter();
  while (wire.next()) {
    if (wire.field === 1) {
      const key = wire.text();
      if (key === "engUnit") unitPlace = keyCount;
      else if (key === "Quality") qualityPlace = keyCount;
      keyCount += 1;
    } else if (wire.field === 2) values.push(readPropertyValue(wire));
    else wire.skip();
  }
  wire.leave(outerEnd);
  const unit = values[unitPlace];
  const quality = values[qualityPlace];
  return {
    unit: typeof unit === "string" && unit.length <= MAX_UNIT ? unit : undefined,
    quality: typeof quality === "number" ? quality : undefined,
  };
}

/** Whole numbers and text; properties of other kinds are not used. */
function readPropertyValue(wire: ProtobufReader): number | string | undefined {
  let value: number | string | undefined;
  const outerEnd = wire.enter();
  while (wire.next()) {
    if (wire.field === 3) value = wire.u32() | 0;
    else if (wire.field === 4) value = wire.i64();
    else if (wire.field === 8) value = wire.text();
    else wire.skip();
  }
  wire.leave(outerEnd);
  return value;
}

/** 12.6 as it was meant, and not 12.600000381469727, where six decimals say which float it was. */
function withoutDust(float: number): number {
  const rounded = Math.round(float * 1e6) / 1e6;
  return Math.fround(rounded) === float ? rounded : float;
}

function failure(problem: string): DomainError {
  return new DomainError("DECODE_FAILED", problem);
}
