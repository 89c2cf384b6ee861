import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { DecoderOptions } from "../../../domain/equipment/decoder-options.ts";
import {
  type DecodedMessage,
  FIELD_NAME,
  FIELD_RANGES,
  MAX_FIELDS,
  MAX_READINGS,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type { CompiledMapping, Decoder } from "../../../ingest/decoders/fields/decoder.ts";
import { goldenMapping, goldenOptions } from "./golden-mapping.ts";
import { mutations } from "./mutations.ts";

const CASES = join(import.meta.dirname, "../cases");
const CONTEXT = { assetId: "a1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };
/** Longest that a decoder may take for one input, ms. */
export const SLOW_MS = 5;
/** A slow input is decoded again so often, and its fastest time counts: the machine has other work too. */
const REPEATS = 3;
/** Most characters of a notice's text (domain/equipment/reading.ts). */
const MAX_TEXT = 200;
/** Most faults that a trial lists. */
const MAX_LISTED = 5;

/** The inputs of a decoder's golden cases by case. */
export function goldenInputs(decoderName: string): ReadonlyMap<string, Buffer> {
  const folder = join(CASES, decoderName);
  const inputs = new Map<string, Buffer>();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = ["input.json", "input.txt", "input.bin"].find((one) =>
      existsSync(join(folder, name, one)),
    );
    if (file !== undefined) inputs.set(name, readFileSync(join(folder, name, file)));
  }
  return inputs;
}

/** What became of the broken inputs. */
export interface Trial {
  readonly decoded: number;
  readonly refused: number;
  /** The slowest input, ms. */
  readonly slowestMs: number;
  /** How often each promise was broken. */
  readonly thrown: number;
  readonly slow: number;
  readonly impossible: number;
  readonly unequal: number;
  /** The first of them in words, each with its payload. */
  readonly faults: readonly string[];
}

export interface TrialOptions {
  /** What the decoder goes by, where it needs one. */
  readonly mapping?: CompiledMapping | undefined;
  /** Of the asset. */
  readonly options?: DecoderOptions | undefined;
  readonly seed: number;
  readonly count: number;
  /** Default: what decoders are held to. */
  readonly slowMs?: number;
  /** The clock that inputs are timed by, ms. */
  readonly nowMs?: () => number;
}

/**
 * Gives `count` inputs made of a decoder's golden cases to it; of cases that come with a mapping, each is
 * decoded by its own.
 */
export function tryGolden(decoder: Decoder, options: TrialOptions): Trial {
  const inputs = [...goldenInputs(decoder.name)].map(([name, payload]) => ({
    payload,
    mapping: goldenMapping(decoder.name, name),
  }));
  const mapped = inputs.filter(({ mapping }) => mapping !== undefined);
  const plain = inputs.filter(({ mapping }) => mapping === undefined);
  const payloads = plain.map((one) => one.payload);
  const groups = [
    ...mapped.map(({ payload, mapping }) => ({ payloads: [payload], mapping })),
    ...(plain.length === 0
      ? []
      : settingsOf(decoder.name).map((asset) => ({ payloads, options: asset }))),
  ];
  const count = Math.ceil(options.count / groups.length);
  return groups
    .map(({ payloads: given, ...rest }, i) =>
      tryMutations(decoder, given, { ...options, ...rest, count, seed: options.seed + i }),
    )
    .reduce(together);
}

/** Every setting of an asset that a case is decoded with, the usual one first. */
function settingsOf(name: string): readonly (DecoderOptions | undefined)[] {
  const given = [...goldenInputs(name).keys()].map((one) => goldenOptions(name, one));
  const distinct = new Map(given.map((one) => [JSON.stringify(one), one]));
  return [undefined, ...[...distinct.values()].filter((one) => one !== undefined)];
}

/** Two trials as one. */
const together = (a: Trial, b: Trial): Trial => ({
  decoded: a.decoded + b.decoded,
  refused: a.refused + b.refused,
  slowestMs: Math.max(a.slowestMs, b.slowestMs),
  thrown: a.thrown + b.thrown,
  slow: a.slow + b.slow,
  impossible: a.impossible + b.impossible,
  unequal: a.unequal + b.unequal,
  faults: [...a.faults, ...b.faults].slice(0, MAX_LISTED),
});

/** Gives `count` broken inputs to a decoder and counts which of its promises (decoder.ts) it broke. */
export function tryMutations(
  decoder: Decoder,
  inputs: Iterable<Uint8Array>,
  options: TrialOptions,
): Trial {
  const { seed, count, slowMs = SLOW_MS, nowMs = () => performance.now() } = options;
  const attempt = (of: Decoder, payload: Buffer) => attemptOnce(of, payload, options, nowMs);
  const trial = {
    decoded: 0,
    refused: 0,
    slowestMs: 0,
    thrown: 0,
    slow: 0,
    impossible: 0,
    unequal: 0,
  };
  const faults: string[] = [];
  const note = (kind: "thrown" | "slow" | "impossible" | "unequal", what: string, of: Buffer) => {
    trial[kind] += 1;
    if (faults.length < MAX_LISTED) faults.push(`${kind}: ${what}, ${shown(of)}`);
  };
  let left = count;
  for (const payload of mutations(
    oftenDecodable(inputs, (payload) => attempt(decoder, payload)),
    seed,
  )) {
    if (left === 0) break;
    left -= 1;
    const first = attempt(decoder, payload);
    let fastestMs = first.tookMs;
    for (let i = 0; i < REPEATS && fastestMs > slowMs / 5; i += 1) {
      fastestMs = Math.min(fastestMs, attempt(decoder, payload).tookMs);
    }
    trial.slowestMs = Math.max(trial.slowestMs, fastestMs);
    if (fastestMs > slowMs) note("slow", `${fastestMs.toFixed(1)} ms`, payload);
    if (first.thrown !== undefined) note("thrown", String(first.thrown), payload);
    if (first.message === undefined) trial.refused += 1;
    else {
      trial.decoded += 1;
      const problem =
        impossibleIn(first.message) ??
        readAfterAll(first.message, (part) => attempt(decoder, part).message !== undefined);
      if (problem !== undefined) note("impossible", problem, payload);
    }
    const second = attempt(decoder, payload);
    const isSame =
      second.refusal === first.refusal && isDeepStrictEqual(second.message, first.message);
    if (!isSame) note("unequal", "a second time something else came out", payload);
  }
  return { ...trial, faults };
}

/** What is refused as it is seldom gets deep into a decoder: the others come three times as often. */
function oftenDecodable(
  inputs: Iterable<Uint8Array>,
  attempt: (payload: Buffer) => Attempt,
): readonly Uint8Array[] {
  return [...inputs].flatMap((input) =>
    attempt(Buffer.from(input)).message === undefined ? [input] : [input, input, input],
  );
}

interface Attempt {
  readonly tookMs: number;
  readonly message?: DecodedMessage;
  /** Why it was refused, rightly. */
  readonly refusal?: string;
  /** Anything but `DECODE_FAILED`. */
  readonly thrown?: unknown;
}

function attemptOnce(
  decoder: Decoder,
  payload: Buffer,
  { mapping, options }: Pick<TrialOptions, "mapping" | "options">,
  nowMs: () => number,
): Attempt {
  const startMs = nowMs();
  try {
    const message = decoder.decode(payload, { ...CONTEXT, mapping, options });
    return { tookMs: nowMs() - startMs, message };
  } catch (error) {
    const tookMs = nowMs() - startMs;
    const isRefusal = error instanceof DomainError && error.code === "DECODE_FAILED";
    return isRefusal ? { tookMs, refusal: error.message } : { tookMs, thrown: error };
  }
}

const UNBOUNDED = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };
const rangeByField = new Map(Object.entries(FIELD_RANGES));
const isTime = (timeMs: number | undefined) => timeMs === undefined || Number.isFinite(timeMs);

/** What no decoder may say, whatever it was given; `undefined`: all is possible. */
function impossibleIn({ readings, notices, ignored }: DecodedMessage): string | undefined {
  if (readings.length > MAX_READINGS) return `${readings.length} readings`;
  if (!Number.isInteger(ignored) || ignored < 0) return `${ignored} ignored`;
  for (const { deviceTimeMs, seq, fields, faults } of readings) {
    const names = Object.keys(fields);
    if (names.length > MAX_FIELDS) return `${names.length} fields`;
    for (const name of names) {
      const { min, max } = rangeByField.get(name) ?? UNBOUNDED;
      const value = fields[name];
      if (!FIELD_NAME.test(name)) return `a field named ${name}`;
      if (!(value !== undefined && value >= min && value <= max)) return `${name} ${value}`;
    }
    if ("latitude" in fields !== "longitude" in fields) return "half a position";
    if (!isTime(deviceTimeMs)) return `device time ${deviceTimeMs}`;
    if (seq !== undefined && !(Number.isSafeInteger(seq) && seq >= 0)) return `seq ${seq}`;
    for (const { spn = -1, fmi = -1, code } of faults ?? []) {
      if (code !== undefined) {
        if (code === "" || code.length > 40 || spn >= 0) return `fault ${code}`;
      } else if (!(spn >= 0 && spn <= 524_287 && fmi >= 0 && fmi <= 31))
        return `fault ${spn}/${fmi}`;
    }
  }
  for (const { timeMs, data } of notices) {
    if (!isTime(timeMs)) return `notice of ${timeMs}`;
    for (const [name, value] of Object.entries(data)) {
      if (typeof value === "string" && value.length > MAX_TEXT) return `a long ${name}`;
      if (typeof value === "number" && !Number.isFinite(value)) return `${name} ${value}`;
    }
  }
  return undefined;
}

/** What was refused of a message is refused alone as well: reading it again later stores no reading twice. */
function readAfterAll(
  { readings, refused }: DecodedMessage,
  isRead: (payload: Buffer) => boolean,
): string | undefined {
  if (refused === undefined) return undefined;
  if (readings.length === 0) return "something refused of a message without readings";
  const { payload } = refused;
  if (payload === undefined || !isRead(Buffer.from(payload))) return undefined;
  return `${refused.reason}, and its payload is read: ${shown(Buffer.from(payload))}`;
}

/** Enough of a payload to make a golden case of it. */
function shown(payload: Buffer): string {
  const head = payload.subarray(0, 300);
  return `${payload.length} bytes, base64 ${head.toString("base64")}`;
}
