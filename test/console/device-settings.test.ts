import { describe, expect, it } from "vitest";
import {
  afterRead,
  changeOf,
  filledFrom,
} from "../../console/pages/machine/device/settings-form.ts";
import type { TaggedAsset } from "../../console/pages/machine/tagged-asset.ts";

const stored = (etag: string, asset: object): TaggedAsset => ({
  etag,
  asset: { id: "digger", decoder: "plumbline", ...asset } as TaggedAsset["asset"],
});

describe("the settings of a device while the machine is read again and again", () => {
  const before = stored('"1"', { hardware_id: "1234" });
  const after = stored('"2"', { hardware_id: "9999", decoder: "teltonika" });

  it("are filled anew while nobody has changed them, and name the new state", () => {
    expect(afterRead(filledFrom(before), after)).toEqual({
      base: after,
      form: { decoder: "teltonika", hardwareId: "9999" },
    });
  });

  it("keep what was typed, and the state that it was typed over", () => {
    const typed = { base: before, form: { decoder: "plumbline", hardwareId: "12345" } as const };
    expect(afterRead(typed, after)).toBe(typed);
  });

  it("send what was changed alone, an empty id as none", () => {
    const form = { decoder: "plumbline", hardwareId: " 1234 " } as const;
    expect(changeOf(before.asset, form)).toEqual({});
    expect(changeOf(before.asset, { ...form, hardwareId: " " })).toEqual({ hardware_id: null });
    expect(changeOf(before.asset, { ...form, decoder: "osmand" })).toEqual({ decoder: "osmand" });
  });
});
