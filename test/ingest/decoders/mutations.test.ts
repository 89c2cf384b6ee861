import { describe, expect, it } from "vitest";
import type { DecodedMessage, DecodedReading } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Decoder } from "../../../ingest/decoders/fields/decoder.ts";
import { DECODERS } from "../../../ingest/decoders/registry.ts";
import { mutations } from "./mutations.ts";
import { goldenInputs, tryGolden, tryMutations } from "./mutations-trial.ts";

/** The long run, which holds decoders to 5 ms, is `npm run test:decoders`. */
const COUNT = 2_000;
/** Far above what a busy machine adds, far below a loop or expression that runs away, ms. */
const RUNAWAY_MS = 500;

describe.each(DECODERS)("$name", (decoder) => {
  it(`gives readings within their ranges, or DECODE_FAILED, for ${COUNT} broken inputs`, () => {
    const trial = tryGolden(decoder, {
      seed: 1,
      count: COUNT,
      slowMs: RUNAWAY_MS,
    });

    expect(trial).toMatchObject({ thrown: 0, slow: 0, impossible: 0, unequal: 0, faults: [] });
    // Inputs that are all refused, or all accepted, would show nothing.
    expect(Math.min(trial.decoded, trial.refused)).toBeGreaterThan(COUNT / 50);
  });
});

describe("a decoder that breaks its promises", () => {
  const inputs = [Buffer.from('{"speed":1}'), Buffer.from([0xff, 0x00])];
  const tryOut = (decode: Decoder["decode"]) =>
    tryMutations({ name: "bad", topicFormat: "bad", decode }, inputs, { seed: 1, count: 100 });
  const message = (reading: Partial<DecodedReading>): DecodedMessage => ({
    readings: [{ deviceTimeMs: 0, seq: undefined, fields: {}, faults: undefined, ...reading }],
    notices: [],
    ignored: 0,
  });

  it("a decoder that breaks its promises is found out when it throws anything but DECODE_FAILED", () => {
    const plain = tryOut(() => {
      throw new TypeError("no such property");
    });
    const other = tryOut(() => {
      throw new DomainError("ASSET_NOT_FOUND", "no such asset");
    });
    const right = tryOut(() => {
      throw new DomainError("DECODE_FAILED", "no");
    });
    expect([plain.thrown, other.thrown, right.thrown]).toEqual([100, 100, 0]);
    expect(plain.faults[0]).toMatch(/^thrown: TypeError: no such property, \d+ bytes, base64 /);
  });

  it.each([
    ["a speed of 1,001 km/h", { fields: { speed_kmh: 1_001 } }],
    ["a number that is none", { fields: { odd: Number.NaN } }],
    ["half a position", { fields: { latitude: 1 } }],
    ["a name that is none", { fields: { "9": 1 } }],
    ["a time that is none", { deviceTimeMs: Number.NaN }],
    ["half a sequence number", { seq: 0.5 }],
    ["a fault of 20 bits", { faults: [{ spn: 524_288, fmi: 0 }] }],
  ])("a decoder that breaks its promises is found out when it says %s", (_, reading) => {
    expect(tryOut(() => message(reading))).toMatchObject({ decoded: 100, impossible: 100 });
  });

  it("a decoder that breaks its promises is found out when it remembers", () => {
    let calls = 0;
    expect(tryOut(() => message({ seq: calls++ })).unequal).toBe(100);
  });

  it("a decoder that breaks its promises is found out when it is slow every time, not when the machine was busy once", () => {
    let clockMs = 0;
    const timed = (decode: Decoder["decode"]) =>
      tryMutations({ name: "bad", topicFormat: "bad", decode }, inputs, {
        seed: 1,
        count: 100,
        nowMs: () => clockMs,
      });
    // The inputs are decoded as they are before they are broken.
    const first = inputs.length + 1;
    let calls = 0;
    const once = timed(() => {
      calls += 1;
      if (calls === first) clockMs += 6;
      return message({});
    });
    let attempts = 0;
    let slowPayload: Uint8Array | undefined;
    const always = timed((payload) => {
      attempts += 1;
      if (attempts === first) slowPayload = payload;
      if (payload === slowPayload) clockMs += 6;
      return message({});
    });
    expect(once.slow).toBe(0);
    expect(always.slow).toBe(1);
  });
});

describe("mutations", () => {
  const take = (seed: number, count: number) => {
    const inputs = [...goldenInputs("plumbline").values()];
    const taken: Buffer[] = [];
    for (const payload of mutations(inputs, seed)) {
      if (taken.push(payload) === count) break;
    }
    return taken;
  };

  it("mutations are the same for the same seed only", () => {
    expect(take(1, 200)).toEqual(take(1, 200));
    expect(take(1, 200)).not.toEqual(take(2, 200));
  });

  it("mutations include inputs of every size, deep nesting, huge numbers and bytes that are not text", () => {
    // Inputs beyond 200 kB are one of 3,000.
    const taken = take(3, 15_000);
    const texts = taken.map((payload) => payload.toString("latin1"));
    expect(Math.max(...taken.map(({ length }) => length))).toBeGreaterThan(200_000);
    expect(Math.max(...taken.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
    expect(taken.some(({ length }) => length === 0)).toBe(true);
    expect(texts.some((text) => text.includes("[".repeat(1_000)))).toBe(true);
    expect(texts.some((text) => /\d{300}/.test(text))).toBe(true);
    expect(texts.some((text) => text.includes("1e400"))).toBe(true);
    expect(texts.some((text) => /[\x80-\xff]/.test(text))).toBe(true);
  });
});
