import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { Decoder } from "../../../ingest/decoders/fields/decoder.ts";
import { plumbline } from "../../../ingest/decoders/plumbline/plumbline.ts";
import { decide } from "../../../ingest/intake/decide.ts";
import type { Decision } from "../../../ingest/intake/decision.ts";
import { InboundMessage } from "../../../ingest/intake/inbound-message.ts";
import { AssetIntake } from "../../../ingest/intake/readings/asset-intake.ts";
import { createCounters, INTAKE_COUNTERS } from "../../../ingest/intake/readings/counters.ts";
import { hash32 } from "../../../ingest/intake/repeats/payload-hash.ts";
import { IntakeSession } from "../../../ingest/intake/session.ts";
import { assetEntry } from "../../support/fixed-directory.ts";
import { mutations } from "../decoders/mutations.ts";
import { goldenInputs } from "../decoders/mutations-trial.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const entry = assetEntry("a1");
const { scan, ...decoded } = plumbline;
/** The same decoder without its shorter way. */
const withoutScan: Decoder = decoded;

interface Outcome {
  readonly decision: Decision;
  readonly counters: Readonly<Record<string, number>>;
}

function outcomeBy(decoder: Decoder, payload: Buffer): Outcome {
  const asset = new AssetIntake(1_000, 1_000, undefined);
  const listener = { acknowledge() {}, relieved() {}, close() {} };
  const named = { assetId: entry.asset.id, clientHash: 17, keepAliveMs: 0 };
  const session = new IntakeSession(named, asset, listener, () => NOW);
  const message = { topic: "t", payload, qos: 1, dup: false, packetId: 5 } as const;
  const inbound = new InboundMessage(message, NOW);
  const counters = createCounters(INTAKE_COUNTERS);
  const own = { projectId: "p1", format: "telemetry", decoder, isConversation: false };
  const origin = { clientHash: 17, packetId: 5, payloadHash: hash32(payload) };
  const context = { session, entry, own, origin, retentionMs: 90 * DAY_MS, counters };
  return { decision: decide(inbound, context), counters };
}

/** Both ways, their records as bytes that can be compared. */
function bothWays(payload: Buffer) {
  const shown = ({ decision: { body, more, ...rest }, counters }: Outcome) => ({
    ...rest,
    body: body && Buffer.from(body).toString("hex"),
    more: more.map((one) => Buffer.from(one.body).toString("hex")),
    counters,
  });
  return {
    scanned: shown(outcomeBy(plumbline, payload)),
    decoded: shown(outcomeBy(withoutScan, payload)),
  };
}

function broken(inputs: readonly Buffer[], seed: number): Buffer[] {
  const all = mutations(inputs, seed);
  return Array.from({ length: 10_000 }, () => all.next().value);
}

const isScanned = (text: string): boolean => scan?.(Buffer.from(text)) !== undefined;

const POSITION = '"latitude":52.1234567,"longitude":13.7654321';

describe("readings of our JSON that are read from their bytes", () => {
  it("what nearly every device sends is read without a parser: fields, state of the engine, time and sequence number, with blanks", () => {
    expect(isScanned(`{"timestamp":${NOW},${POSITION},"engine_on":true,"seq":7}`)).toBe(true);
    expect(isScanned(`{ "timestamp" : "2026-11-20T11:59:59Z",\n\t"speed_kmh" : 1.5e1 }   `)).toBe(
      true,
    );
    expect(isScanned(`{"timestamp":${NOW},"speed_kmh":null,"heading":0}`)).toBe(true);
  });

  it.each([
    ["a name that is not a field's", `{"speed_kmh":1,"bucket_angle":3}`],
    ["a value outside its range", `{"speed_kmh":-1}`],
    ["a name that comes twice", `{"speed_kmh":1,"speed_kmh":2}`],
    ["an escape", `{"speed\\u005fkmh":1}`],
    ["half a position", `{"latitude":52.1}`],
    ["no field at all", `{"timestamp":${NOW}}`],
    ["faults", `{"speed_kmh":1,"fault_codes":[]}`],
    ["an array of readings", `[{"speed_kmh":1}]`],
    ["something between two members that is no comma", `{"speed_kmh":1;"heading":2}`],
    ["something other than a brace at the end", `{"speed_kmh":1]`],
    ["a comma before the end", `{"speed_kmh":1,}`],
    ["a number with a zero before it", `{"speed_kmh":01}`],
    ["a zero behind the end", `{"speed_kmh":1}\u0000`],
    ["a text in place of a number", `{"speed_kmh":"1"}`],
    ["a time that is none", `{"timestamp":"soon","speed_kmh":1}`],
  ])("%s is left to the decoder", (_, text) => {
    expect(isScanned(text)).toBe(false);
    const { scanned, decoded } = bothWays(Buffer.from(text));
    expect(scanned).toEqual(decoded);
  });

  it("the golden payloads, and 20,000 broken ones, end in the same decision, record and counters as by the decoder", () => {
    const inputs = [...goldenInputs("plumbline").values()];
    const usual = Buffer.from(
      `{"timestamp":${NOW - 5_000},${POSITION},"speed_kmh":23.2,"heading":181,"engine_on":true,"seq":12}`,
    );
    const payloads = [...inputs, usual, ...broken([usual], 1), ...broken(inputs, 2)];
    let plain = 0;
    const different = payloads.filter((payload) => {
      if (scan?.(payload) !== undefined) plain += 1;
      const { scanned, decoded } = bothWays(payload);
      return JSON.stringify(scanned) !== JSON.stringify(decoded);
    });
    expect(different.map(String)).toEqual([]);
    expect(plain).toBeGreaterThan(500);
  });

  it("readings with any numbers, written in any way, end in the same record as by the decoder", () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.double({ min: -180, max: 360, noNaN: true }).map(String),
      fc.integer({ min: -10, max: 400 }).map(String),
      fc.tuple(fc.integer({ min: 0, max: 360 }), fc.nat(9_999_999)).map(([a, b]) => `${a}.${b}`),
      fc.constantFrom("0", "-0", "-0.0", "1E2", "1e-7", "0.1", "90.00000000000001", "5e-324"),
    );
    const name = fc.constantFrom(...Object.keys(FIELD_RANGES), "seq", "engine_on");
    const member = fc.oneof(
      { weight: 20, arbitrary: fc.tuple(name, number) },
      fc.tuple(fc.constant("engine_on"), fc.constantFrom("true", "false", "1", "0", "-0")),
      fc.tuple(name, fc.constantFrom("null", "true", '"x"', "nul", "[]")),
    );
    const time = fc.oneof(
      fc.integer({ min: NOW - 95 * DAY_MS, max: NOW + DAY_MS }).map(String),
      fc.constantFrom('"2026-11-20T11:00:00.5Z"', '"1795170000000"', "1.5e12", "null", "-0"),
    );
    const payload = fc
      .tuple(time, fc.array(member, { maxLength: 12 }), fc.constantFrom("", " ", "\n\t"))
      .map(([at, members, blank]) => {
        const all = [["timestamp", at] as const, ...members];
        return `{${all.map(([key, value]) => `${blank}"${key}"${blank}:${blank}${value}`).join(",")}}${blank}`;
      });
    fc.assert(
      fc.property(payload, (text) => {
        const { scanned, decoded } = bothWays(Buffer.from(text));
        expect(scanned).toEqual(decoded);
      }),
      { numRuns: 5_000 },
    );
  });
});
