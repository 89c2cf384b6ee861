/**
 * Messages per second of processor time that each decoder of the registry turns into a reading, and records
 * per second of Codec 8, beside JSON.parse alone of the same payload where it is JSON. All in turn, medians
 * of five rounds. The goal of a single reading is 100,000 messages/s, of Codec 8 300,000 records/s.
 *
 *   npx tsx bench/decode.ts [milliseconds]      of one decoder in one round (default 300)
 */

import type { AssetId } from "../domain/ids.ts";
import { DECODERS } from "../ingest/decoders/registry.ts";
import { goldenMapping } from "../test/ingest/decoders/golden-mapping.ts";
import { goldenInputs } from "../test/ingest/decoders/mutations-trial.ts";
import { codec8Packet } from "./decode/codec8-packet.ts";
import { SINGLE_READINGS } from "./decode/single-readings.ts";
import { median } from "./figures/median.ts";

/** Records of one packet; trackers send what they stored by the dozen. */
const CODEC_8_RECORDS = 25;
const ROUNDS = 5;
/** Calls between two reads of the clock. */
const BATCH = 200;

const CONTEXT = { assetId: "asset-1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };
const roundMs = Number(process.argv[2] ?? 300);
if (!(roundMs >= 1)) {
  console.error(`"${process.argv[2]}" is not a number of milliseconds from 1`);
  process.exit(2);
}

interface Contender {
  readonly name: string;
  readonly payload: Buffer;
  /** Readings that one call yields. */
  readonly readings: number;
  readonly call: () => unknown;
  readonly perS: number[];
}

function contenders(): readonly Contender[] {
  return DECODERS.flatMap((decoder) => {
    const { name } = decoder;
    const inputs = goldenInputs(name);
    const cases = SINGLE_READINGS[name] ?? [];
    if (cases.length === 0) throw new Error(`no case of a single reading is declared for ${name}`);
    const decoding = (payload: Buffer, label: string, caseName: string): Contender => {
      const context = { ...CONTEXT, mapping: goldenMapping(name, caseName) };
      const { length } = decoder.decode(payload, context).readings;
      const call = () => decoder.decode(payload, context);
      return { name: label, payload, readings: length, call, perS: [] };
    };
    const singles = cases.flatMap((caseName, i) => {
      const payload = inputs.get(caseName);
      if (payload === undefined) throw new Error(`${name} has no case ${caseName}`);
      const single = decoding(payload, i === 0 ? name : `${name}, ${caseName}`, caseName);
      if (single.readings !== 1) throw new Error(`${caseName} is not a single reading`);
      if (!isJson(payload)) return [single];
      const parsing = { name: `JSON.parse ${single.name}`, call: () => parse(payload), perS: [] };
      return [single, { ...single, ...parsing }];
    });
    if (name !== "teltonika-codec8") return singles;
    return [...singles, decoding(codec8Packet(CODEC_8_RECORDS), `${name} by the packet`, "")];
  });
}

const parse = (payload: Buffer): unknown => JSON.parse(payload.toString());

function isJson(payload: Buffer): boolean {
  try {
    parse(payload);
    return true;
  } catch {
    return false;
  }
}

/** Calls per second of processor time: other work on the machine does not count. */
function measure(call: () => unknown): number {
  const endMs = performance.now() + roundMs;
  const before = process.cpuUsage();
  let calls = 0;
  while (performance.now() < endMs) {
    for (let i = 0; i < BATCH; i += 1) call();
    calls += BATCH;
  }
  const { user, system } = process.cpuUsage(before);
  return (calls * 1e6) / (user + system);
}

const all = contenders();
for (const { call } of all) measure(call);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { call, perS } of all) perS.push(measure(call));
}
const rate = (perS: number): string => Math.round(perS).toLocaleString("en");
console.table(
  Object.fromEntries(
    all
      .filter(({ name }) => !name.startsWith("JSON.parse "))
      .map(({ name, payload, readings, perS }) => {
        const parsing = all.find((other) => other.name === `JSON.parse ${name}`);
        const row = {
          bytes: payload.length,
          readings,
          "messages/s": rate(median(perS)),
          "readings/s": rate(median(perS) * readings),
          "us/reading": (1e6 / median(perS) / readings).toFixed(2),
          "JSON.parse/s": parsing === undefined ? "-" : rate(median(parsing.perS)),
          // Both in turn, so that what else the machine does hardly changes it.
          "of JSON.parse":
            parsing === undefined ? "-" : (median(perS) / median(parsing.perS)).toFixed(2),
        };
        return [name, row];
      }),
  ),
);
