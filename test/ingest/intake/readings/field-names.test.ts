import { describe, expect, it } from "vitest";
import { FieldNames } from "../../../../ingest/intake/readings/field-names.ts";

const reading = (fields: Readonly<Record<string, number>>) => ({
  deviceTimeMs: undefined,
  seq: undefined,
  fields,
  faults: undefined,
});

describe("the names of an asset's own fields", () => {
  it("the names of an asset's own fields never shut out a field with a meaning or the mark of a mocked position", () => {
    const names = new FieldNames();
    for (let i = 0; i < 2_000; i += 1) names.take([reading({ [`n${i}`]: i })]);
    const fields = { latitude: 52.5, longitude: 13.4, position_mocked: 1 };

    expect(names.take([reading({ ...fields, another: 1 })])).toMatchObject([
      { fields, remarks: [{ kind: "fields_left_out", name: "another", value: 1 }] },
    ]);
  });
});
