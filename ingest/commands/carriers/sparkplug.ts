import type { Command } from "../../../domain/equipment/command.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { NAMESPACE } from "../../decoders/sparkplug/topic.ts";

/** The value of a metric in a message; `null`: it is null, or of a kind that is not read; `undefined`: not there. */
export type MetricReport = number | boolean | string | null | undefined;

/** What a message of an edge node says of one asset: itself or a device behind it. */
export interface SparkplugReport {
  readonly assetId: AssetId;
  /** Whether it is a birth, after which commands are heard. */
  readonly isBirth: boolean;
  /** The value of the metric of that name. */
  value(name: string): MetricReport;
}

/** Datatypes that a command may name, by their numbers (Sparkplug 3.0, section 6.4.16). */
const DATATYPES = {
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
} as const;
type Datatype = keyof typeof DATATYPES;

/** Bits of the whole numbers; those of 64 hold what a JSON number can say exactly. */
const RANGES: Partial<Record<Datatype, readonly [number, number]>> = {
  Int8: [-(2 ** 7), 2 ** 7 - 1],
  Int16: [-(2 ** 15), 2 ** 15 - 1],
  Int32: [-(2 ** 31), 2 ** 31 - 1],
  Int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  UInt8: [0, 2 ** 8 - 1],
  UInt16: [0, 2 ** 16 - 1],
  UInt32: [0, 2 ** 32 - 1],
  UInt64: [0, Number.MAX_SAFE_INTEGER],
  DateTime: [0, Number.MAX_SAFE_INTEGER],
};
/** The property that counts attempts; edge nodes pass over properties that they do not know. */
const ATTEMPT = "plumbline_attempt";

interface MetricValue {
  readonly value: number | boolean | string;
  readonly datatype: Datatype;
}

/** The receiver of a command: the edge node itself, or a device behind it. */
export interface SparkplugTarget {
  readonly group: string;
  readonly edgeNode: string;
  readonly device: string | undefined;
}

/** Where its commands are published. */
export function sparkplugCommandTopic({ group, edgeNode, device }: SparkplugTarget): string {
  return device === undefined
    ? `${NAMESPACE}/${group}/NCMD/${edgeNode}`
    : `${NAMESPACE}/${group}/DCMD/${edgeNode}/${device}`;
}

/**
 * What a command writes to the metric of its name: the parameters, which are a value, or an object of a `value`
 * and its `datatype`. Without one: Boolean, Int32 or Int64 by its size, Double, or String.
 * @throws DomainError `PARAMETER_INVALID`.
 */
export function sparkplugValue({ parameters }: Pick<Command, "parameters">): MetricValue {
  const { value, datatype } = asObject(parameters);
  if (typeof value !== "number" && typeof value !== "boolean" && typeof value !== "string") {
    throw invalid(
      '"parameters" must be a number, a boolean or a text for Sparkplug, or {"value", "datatype"}: it is written to the metric "name"',
    );
  }
  if (datatype === undefined) return { value, datatype: datatypeOf(value) };
  if (typeof datatype !== "string" || !Object.hasOwn(DATATYPES, datatype)) {
    throw invalid(`"parameters.datatype" must be one of ${Object.keys(DATATYPES).join(", ")}`);
  }
  const named = datatype as Datatype;
  requireFit(value, named);
  return { value, datatype: named };
}

/**
 * The payload of one attempt: one metric. The payload's `uuid` is the command's id, and a property of the metric
 * counts the attempts.
 * @throws DomainError `PARAMETER_INVALID`.
 */
export function encodeSparkplugCommand(command: Command, atMs: number): Uint8Array {
  const { value, datatype } = sparkplugValue(command);
  const metric = [
    field(1, Buffer.from(command.name)),
    number(3, atMs),
    number(4, DATATYPES[datatype]),
    field(9, attemptProperty(command.attempt)),
    valueField(value, datatype),
  ];
  return Buffer.concat([
    number(1, atMs),
    field(2, Buffer.concat(metric)),
    field(4, Buffer.from(command.id)),
  ]);
}

/** A property set: keys in field 1, values in field 2, each with its type and, of UInt32, its value in field 3. */
function attemptProperty(attempt: number): Buffer {
  const value = Buffer.concat([number(1, DATATYPES.UInt32), number(3, attempt)]);
  return Buffer.concat([field(1, Buffer.from(ATTEMPT)), field(2, value)]);
}

function asObject(parameters: unknown): { readonly value: unknown; readonly datatype?: unknown } {
  if (typeof parameters !== "object" || parameters === null) return { value: parameters };
  return parameters as { readonly value: unknown; readonly datatype?: unknown };
}

function datatypeOf(value: number | boolean | string): Datatype {
  if (typeof value === "boolean") return "Boolean";
  if (typeof value === "string") return "String";
  if (!Number.isSafeInteger(value)) return "Double";
  return value === (value | 0) ? "Int32" : "Int64";
}

function requireFit(value: number | boolean | string, datatype: Datatype): void {
  const range = RANGES[datatype];
  if (range !== undefined) {
    if (typeof value === "number" && Number.isInteger(value)) {
      if (value >= range[0] && value <= range[1]) return;
    }
    throw invalid(
      `"parameters.value" must be a whole number from ${range[0]} to ${range[1]} for ${datatype}`,
    );
  }
  const wanted = datatype === "Boolean" ? "boolean" : isText(datatype) ? "string" : "number";
  if (typeof value !== wanted) {
    throw invalid(`"parameters.value" must be a ${wanted} for ${datatype}`);
  }
}

const isText = (datatype: Datatype): boolean => datatype === "String" || datatype === "Text";

/** As Tahu has it: of the whole numbers Int64, UInt32, UInt64 and DateTime have 64 bits on the wire. */
function valueField(value: number | boolean | string, datatype: Datatype): Buffer {
  if (typeof value === "string") return field(15, Buffer.from(value));
  if (typeof value === "boolean") return number(14, value ? 1 : 0);
  if (datatype === "Double") {
    const double = Buffer.alloc(9);
    double[0] = tagOf(13, 1);
    double.writeDoubleLE(value, 1);
    return double;
  }
  if (datatype === "Float") {
    const float = Buffer.alloc(5);
    float[0] = tagOf(12, 5);
    float.writeFloatLE(value, 1);
    return float;
  }
  const isLong = ["Int64", "UInt32", "UInt64", "DateTime"].includes(datatype);
  return isLong
    ? varintField(11, BigInt.asUintN(64, BigInt(value)))
    : varintField(10, BigInt.asUintN(32, BigInt(value)));
}

/** Fields of a protobuf message (protobuf.dev, "Encoding"); all of ours have numbers below 16. */
const tagOf = (id: number, wire: number): number => id * 8 + wire;
const number = (id: number, value: number): Buffer => varintField(id, BigInt(value));
const varintField = (id: number, value: bigint): Buffer =>
  Buffer.concat([Buffer.of(tagOf(id, 0)), varint(value)]);
const field = (id: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.of(tagOf(id, 2)), varint(BigInt(bytes.length)), bytes]);

/** Seven bits a byte, the lowest first; all but the last have the eighth set. */
function varint(value: bigint): Buffer {
  const written: number[] = [];
  let left = value;
  for (; left > 0x7fn; left >>= 7n) written.push(Number(left & 0x7fn) | 0x80);
  written.push(Number(left));
  return Buffer.from(written);
}

const invalid = (message: string): DomainError => new DomainError("PARAMETER_INVALID", message);
