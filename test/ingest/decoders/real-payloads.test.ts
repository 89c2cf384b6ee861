import { describe, expect, it } from "vitest";
import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { DECODERS } from "../../../ingest/decoders/registry.ts";
import { goldenMapping } from "./golden-mapping.ts";
import { goldenInputs } from "./mutations-trial.ts";

/** What cases are called that were written as other people's trackers and servers send them. */
const PREFIX = "real-";
const context = { assetId: "a1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };

const payloads = DECODERS.flatMap((decoder) =>
  [...goldenInputs(decoder.name)]
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, payload]) => ({ decoder, name, payload })),
);

describe("payloads as other people's trackers send them", () => {
  it("the real payloads are 40 or more, in 9 or more formats, with values that no machine has", () => {
    expect(payloads.length).toBeGreaterThanOrEqual(40);
    expect(new Set(payloads.map(({ decoder }) => decoder.name)).size).toBeGreaterThanOrEqual(9);
  });

  it.each(payloads)("real payloads keep their position: $decoder.name $name", ({
    decoder,
    name,
    payload,
  }) => {
    const mapping = goldenMapping(decoder.name, name);
    const { readings } = decoder.decode(payload, { ...context, mapping });

    expect(readings).toHaveLength(1);
    for (const { fields, remarks } of readings) {
      expect(Number.isFinite(fields["latitude"]) && Number.isFinite(fields["longitude"])).toBe(
        true,
      );
      // Each value that is not believed is marked by its name, and never under a name with a meaning.
      const marked = Object.keys(fields).filter((field) => field.startsWith("suspect_"));
      expect(marked.filter((field) => Object.hasOwn(FIELD_RANGES, field))).toEqual([]);
      const suspects = remarks?.filter(({ kind }) => kind === "suspect_value") ?? [];
      expect(suspects.length).toBeGreaterThanOrEqual(marked.length);
    }
  });
});
