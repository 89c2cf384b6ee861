/** What a metric's value is, by the names and numbers of the specification (Sparkplug 3.0, section 6.4.16). */
const TYPES = {
  Int8: 1,
  Int16: 2,
  Int32: 3,
  Int64: 4,
  UInt8: 5,
  UInt16: 6,
  UInt32: 7,
  UInt64: 8,
  Float: 9,
  Double: 10,
  Boolean: 11,
  String: 12,
  DateTime: 13,
  Text: 14,
  UUID: 15,
} as const;

/** One metric to write; what is left out is not written. */
export interface MetricToWrite {
  readonly name?: string;
  readonly alias?: number;
  /** ms since the Unix epoch. */
  readonly timestampMs?: number;
  readonly type: keyof typeof TYPES;
  /** `false`: the type only says how the value is written, as DATA messages leave it to the birth. */
  readonly carriesType?: boolean;
  readonly isHistorical?: boolean;
  /** `null`: the metric says that it is null. Integers are cut to the width of their type on the wire. */
  readonly value: number | bigint | boolean | string | null;
  /** The property `engUnit`. */
  readonly unit?: string;
  /** The property `Quality`. */
  readonly quality?: number;
}

interface PayloadToWrite {
  /** ms since the Unix epoch. */
  readonly timestampMs?: number;
  readonly seq?: number;
  readonly metrics: readonly MetricToWrite[];
}

/** Writes a payload of Sparkplug B (Eclipse Tahu, `sparkplug_b.proto`). */
export function encodeSparkplugPayload(payload: PayloadToWrite): Buffer {
  const { timestampMs, seq, metrics } = payload;
  return Buffer.concat([
    ...(timestampMs === undefined ? [] : [number(1, timestampMs)]),
    ...metrics.map((metric) => bytes(2, encodeMetric(metric))),
    ...(seq === undefined ? [] : [number(3, seq)]),
  ]);
}

function encodeMetric(metric: MetricToWrite): Buffer {
  const { name, alias, timestampMs, type, carriesType = true, isHistorical, value } = metric;
  return Buffer.concat([
    ...(name === undefined ? [] : [text(1, name)]),
    ...(alias === undefined ? [] : [number(2, alias)]),
    ...(timestampMs === undefined ? [] : [number(3, timestampMs)]),
    ...(carriesType ? [number(4, TYPES[type])] : []),
    ...(isHistorical === true ? [number(5, 1)] : []),
    ...(value === null ? [number(7, 1)] : []),
    ...encodeProperties(metric),
    ...(value === null ? [] : [encodeValue(type, value)]),
  ]);
}

/** Keys and values in two lists, in one order. */
function encodeProperties({ unit, quality }: MetricToWrite): readonly Buffer[] {
  const keys: Buffer[] = [];
  const values: Buffer[] = [];
  if (unit !== undefined) {
    keys.push(text(1, "engUnit"));
    values.push(bytes(2, Buffer.concat([number(1, TYPES.String), text(8, unit)])));
  }
  if (quality !== undefined) {
    keys.push(text(1, "Quality"));
    values.push(bytes(2, Buffer.concat([number(1, TYPES.Int32), number(3, quality)])));
  }
  return keys.length === 0 ? [] : [bytes(9, Buffer.concat([...keys, ...values]))];
}

function encodeValue(type: keyof typeof TYPES, value: number | bigint | boolean | string): Buffer {
  switch (type) {
    case "Float": {
      const float = Buffer.alloc(4);
      float.writeFloatLE(Number(value));
      return Buffer.concat([tag(12, 5), float]);
    }
    case "Double": {
      const double = Buffer.alloc(8);
      double.writeDoubleLE(Number(value));
      return Buffer.concat([tag(13, 1), double]);
    }
    case "Boolean":
      return number(14, value ? 1 : 0);
    case "String":
    case "Text":
    case "UUID":
      return text(15, String(value));
    // As Tahu has it: of the whole numbers these have 64 bits on the wire.
    case "UInt32":
    case "Int64":
    case "UInt64":
    case "DateTime":
      return number(11, BigInt.asUintN(64, BigInt(value)));
    default:
      return number(10, BigInt.asUintN(32, BigInt(value)));
  }
}

function tag(field: number, wire: number): Buffer {
  return varint(BigInt(field * 8 + wire));
}

function number(field: number, value: number | bigint): Buffer {
  return Buffer.concat([tag(field, 0), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([tag(field, 2), varint(BigInt(value.length)), value]);
}

/** Seven bits a byte, the lowest first; all but the last have the eighth set. */
function varint(value: bigint): Buffer {
  const written: number[] = [];
  let left = value;
  while (left > 0x7fn) {
    written.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  written.push(Number(left));
  return Buffer.from(written);
}
