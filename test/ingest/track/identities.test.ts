import { describe, expect, it } from "vitest";
import type { JournalledNotice } from "../../../ingest/journal-record/notice-list.ts";
import { type Identity, takeIdentity } from "../../../ingest/track/identities.ts";

const T0 = Date.UTC(2026, 5, 1, 8);

const said = (name: string, value: string, atMs: number): JournalledNotice => ({
  kind: "identified",
  occurredAtMs: atMs,
  timeSource: "device",
  data: { name, value },
});

/** Which of the notices are events, and what is known after all of them. */
function take(...notices: readonly JournalledNotice[]) {
  const identities = new Map<string, Identity>();
  const events = notices.map((notice) => takeIdentity(identities, notice));
  return { events, identities: Object.fromEntries(identities) };
}

describe("what a device names in text", () => {
  it("what a device names in text is an event when it changes, and keeps since when it is so", () => {
    const { events, identities } = take(
      said("ibutton", "93171C79000B0001", T0),
      said("ibutton", "93171C79000B0001", T0 + 1_000),
      said("ibutton", "", T0 + 2_000),
      said("vin", "WV1ZZZ2EZ86015388", T0 + 2_000),
    );

    expect(events).toEqual([true, false, true, true]);
    expect(identities).toEqual({
      ibutton: { value: "", sinceMs: T0 + 2_000, lastMs: T0 + 2_000 },
      vin: { value: "WV1ZZZ2EZ86015388", sinceMs: T0 + 2_000, lastMs: T0 + 2_000 },
    });
  });

  it("the first name that a device reports is not an event", () => {
    expect(take(said("ibutton", "", T0), said("ibutton", "", T0 + 1_000)).events).toEqual([
      false,
      false,
    ]);
  });

  it("what a device names in text that comes late is an event where it differs, and never the newest", () => {
    const { events, identities } = take(
      said("ibutton", "B", T0 + 60_000),
      said("ibutton", "A", T0),
      said("ibutton", "B", T0 + 30_000),
    );

    expect(events).toEqual([true, true, false]);
    expect(identities["ibutton"]).toEqual({
      value: "B",
      sinceMs: T0 + 60_000,
      lastMs: T0 + 60_000,
    });
  });

  it("beacons, which come and go with every scan, cause no event", () => {
    const { events, identities } = take(
      said("beacon_1", "a/1/2", T0),
      said("beacon_1", "b/1/2", T0),
    );

    expect(events).toEqual([false, false]);
    expect(identities["beacon_1"]?.value).toBe("b/1/2");
  });

  it("what a device names in text is bounded to 32 names", () => {
    const many = Array.from({ length: 40 }, (_, i) => said(`name_${i}`, "x", T0));

    expect(Object.keys(take(...many).identities)).toHaveLength(32);
  });
});
