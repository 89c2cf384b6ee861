import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DECODER_NAMES } from "../../../domain/equipment/asset.ts";
import {
  type DecodedReading,
  FIELD_NAME,
  FIELD_RANGES,
  type RefusedReadings,
} from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { DECODERS, decoderOfFormat } from "../../../ingest/decoders/registry.ts";
import { goldenMapping, goldenOptions } from "./golden-mapping.ts";

const CASES = join(import.meta.dirname, "../cases");
const context = { assetId: "a1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };

/** Bounds what a decoder may ever put out, whatever the payload. */
function expectPhysical(reading: DecodedReading): void {
  for (const [name, value] of Object.entries(reading.fields)) {
    const { min, max } = FIELD_RANGES[name] ?? { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };
    expect(name).toMatch(FIELD_NAME);
    expect(value).toBeGreaterThanOrEqual(min);
    expect(value).toBeLessThanOrEqual(max);
  }
  expect("latitude" in reading.fields).toBe("longitude" in reading.fields);
}

/** The payload as text, or in hexadecimal where it is none. */
function shownRefused({ reason, payload }: RefusedReadings): object {
  if (payload === undefined) return { reason };
  const bytes = Buffer.from(payload);
  return { reason, payload: isUtf8(bytes) ? bytes.toString() : bytes.toString("hex") };
}

describe("decoder registry", () => {
  it("holds every decoder that an asset may be registered with", () => {
    expect(DECODERS.map(({ name }) => name).sort()).toEqual([...DECODER_NAMES].sort());
  });

  it("finds a decoder by the last level of its topic, and none for other formats", () => {
    expect(decoderOfFormat("telemetry")?.name).toBe("plumbline");
    expect(decoderOfFormat("toString")).toBeUndefined();
  });
});

describe.each(DECODERS)("$name", (decoder) => {
  const folder = join(CASES, decoder.name);
  const names = readdirSync(folder);

  it("has cases", () => {
    expect(names.length).toBeGreaterThan(0);
  });

  it.each(names)("case %s", (name) => {
    const inputs = ["input.json", "input.txt", "input.bin"].map((file) => join(folder, name, file));
    const payload = readFileSync(inputs.find((file) => existsSync(file)) ?? "");
    const expected = JSON.parse(readFileSync(join(folder, name, "expected.json"), "utf8"));

    let outcome: unknown;
    try {
      const { readings, notices, ignored, refused } = decoder.decode(payload, {
        ...context,
        mapping: goldenMapping(decoder.name, name),
        options: goldenOptions(decoder.name, name),
      });
      readings.forEach(expectPhysical);
      outcome = {
        readings,
        ...(notices.length > 0 ? { notices } : {}),
        ...(ignored > 0 ? { ignored } : {}),
        ...(refused === undefined ? {} : { refused: shownRefused(refused) }),
      };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      outcome = { error: error.code, message: error.message };
    }

    expect(outcome).toEqual(expected);
  });
});
