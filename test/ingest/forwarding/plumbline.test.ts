import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { plumbline } from "../../../ingest/decoders/plumbline/plumbline.ts";
import { plumblineMessage } from "../../../ingest/forwarding/plumbline-reading.ts";
import { fillTopic, topicProblem } from "../../../ingest/forwarding/topic-template.ts";
import { FIRST_FIX_MS, readingOf } from "../../support/readings.ts";

const context = { assetId: "a1" as AssetId, receivedAtMs: FIRST_FIX_MS };

describe("plumblineMessage", () => {
  it("plumblineMessage is read back by our own decoder exactly", () => {
    const fields = fc.record(
      {
        latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        longitude: fc.double({ min: -180, max: 180, noNaN: true }),
        speed_kmh: fc.double({ min: 0, max: 1_000, noNaN: true }),
        engine_on: fc.integer({ min: 0, max: 1 }),
        own_field: fc.double({ noNaN: true, noDefaultInfinity: true }),
      },
      { requiredKeys: ["latitude", "longitude"] },
    );
    fc.assert(
      fc.property(fields, fc.nat(), fc.integer({ min: 0, max: 4e12 }), (given, seq, timeMs) => {
        // JSON has no -0.
        const sent = Object.fromEntries(Object.entries(given).map(([k, v]) => [k, v + 0]));
        const faults = [{ source: 3, spn: 110, fmi: 0, occurrence_count: 5 }];
        const text = plumblineMessage(readingOf(sent, timeMs, { seq, faults }));
        const [back] = plumbline.decode(Buffer.from(text), context).readings;
        expect(back).toEqual({ deviceTimeMs: timeMs, seq, fields: sent, faults });
      }),
      { numRuns: 100, seed: 8 },
    );
  });

  it("plumblineMessage leaves out what the device did not say, and a field that would be taken for the time", () => {
    const text = plumblineMessage(readingOf({ engine_hours: 5, timestamp: 7 }));
    expect(JSON.parse(text)).toEqual({ timestamp: "2026-03-05T12:00:00.000Z", engine_hours: 5 });
  });
});

describe("plumblineMessage of the past", () => {
  it("plumblineMessage of the past says so, and is read back as such", () => {
    const past = {
      ...readingOf({ engine_hours: 5, is_historical: 0 }),
      isHistorical: true,
    } as const;
    const text = plumblineMessage(past);
    expect(JSON.parse(text)).toMatchObject({ is_historical: true });
    expect(plumbline.decode(Buffer.from(text), context).readings).toStrictEqual([
      {
        deviceTimeMs: FIRST_FIX_MS,
        seq: undefined,
        fields: { engine_hours: 5 },
        faults: undefined,
        isHistorical: true,
      },
    ]);
  });
});

describe("topic templates", () => {
  it("topic templates are filled with project, asset and hardware id, as often as they are named", () => {
    const names = { project: "p1", asset: "a1", hardware_id: "plant/line{asset}" };
    expect(fillTopic("sites/{project}/assets/{asset}/telemetry", names)).toBe(
      "sites/p1/assets/a1/telemetry",
    );
    // What was filled in is not scanned again.
    expect(fillTopic("{hardware_id}/{asset}{asset}", names)).toBe("plant/line{asset}/a1a1");
  });

  it.each([
    ["", "1 to 256 bytes"],
    ["a".repeat(257), "1 to 256 bytes"],
    ["$SYS/{asset}", "begin with $"],
    ["sites/+/x", "must not contain +"],
    ["sites/#", "must not contain +"],
    ["a\u0000b", "control characters"],
    ["sites/{Asset}", "{Asset}"],
    ["sites/{}", "{}"],
    ["sites/{asset", "brace"],
    ["sites/asset}", "brace"],
  ])("topic templates refuse %j", (template, problem) => {
    expect(topicProblem(template)).toContain(problem);
  });

  it("may be of one topic for all", () => {
    expect(topicProblem("yard/positions")).toBeUndefined();
    expect(topicProblem("sites/{project}/{asset}/{hardware_id}")).toBeUndefined();
  });
});
