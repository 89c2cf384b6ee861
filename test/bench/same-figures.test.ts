import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CLOCK_START_MS,
  isClockEvent,
  plain,
  withoutBatches,
  withoutRunningLength,
} from "../../bench/same-figures/by-nature.ts";
import { CONTROL, compareItems, isSame } from "../../bench/same-figures/compare.ts";
import { createTranslator, readRenames } from "../../bench/same-figures/renames.ts";
import { differenceText } from "../../bench/same-figures/report-text.ts";

const items = (given: Record<string, unknown>) => new Map(Object.entries(given));
const CONTROLLED = { [`volumes/${CONTROL}/x`]: 1 };

describe("what differs by nature", () => {
  const run = (id: string, minute: string) => ({
    id: `msr_${id}`,
    measured_at: "2026-05-01T10:00:00.000Z",
    created_at: `2026-12-24T12:${minute}:00.000Z`,
    received_ms: CLOCK_START_MS + Number(minute),
    report_url: `http://127.0.0.1:4${minute}/r/msr_${id}?expires=1${minute}&signature=a-${minute}`,
    volume_m3: 12.345,
  });

  it("two runs that differ by clock, random ids and addresses alone are equal", () => {
    expect(plain(run("A".repeat(16), "10"))).toEqual(plain(run("B".repeat(16), "59")));
  });

  it("figures and times of inputs are kept as they are", () => {
    expect(plain(run("A".repeat(16), "10"))).toMatchObject({
      measured_at: "2026-05-01T10:00:00.000Z",
      volume_m3: 12.345,
      id: "<id 1>",
      report_url: "<service>/r/<id 1>?expires=<expires>&signature=<signature>",
    });
  });

  it("an id that refers to another thing than before is a difference", () => {
    const [a, b] = [`evt_${"a1".repeat(8)}`, `evt_${"b2".repeat(8)}`];
    expect(plain([a, b, a])).toEqual(["<id 1>", "<id 2>", "<id 1>"]);
    expect(plain([a, b, b])).not.toEqual(plain([a, b, a]));
  });

  it("of an event revision and place in the list do not count, and its time does", () => {
    const event = { occurred_at: "2026-05-01T10:00:00.000Z", revision: 2, sequence: 9 };
    expect(withoutBatches(event)).toEqual({ occurred_at: event.occurred_at });
  });

  it("ids that are digests are random too, and words of small letters are not", () => {
    expect(plain("evt_s-X5hQdD5U5nHVu4SY-qU1")).toBe("<id 1>");
    expect(plain("alt__pNfHlav6Voa8DGpDahZSj")).toBe("<id 1>");
    const word = "not_georeferencedatallbyus";
    expect(plain(word)).toBe(word);
  });

  it("the length of a visit counts once it has ended", () => {
    const ended = { exited_at: "2026-05-01T10:00:00.000Z", duration_s: 60 };
    expect(withoutRunningLength(ended)).toEqual(ended);
    const [early, late] = [{ duration_s: 61 }, { duration_s: 62 }].map(withoutRunningLength);
    expect(early).toEqual(late);
  });

  it("an event of a quiet device is the clock's, one of a fence is not", () => {
    expect(isClockEvent("equipment.asset.silent")).toBe(true);
    expect(isClockEvent("equipment.geofence.entered")).toBe(false);
  });
});

describe("the comparison", () => {
  const compared = (before: unknown, after: unknown, control = 2) =>
    compareItems(
      items({ ...CONTROLLED, "volumes/pile/measurement": before }),
      items({ [`volumes/${CONTROL}/x`]: control, "volumes/pile/measurement": after }),
    );

  it("equal items with a control that is found are the same", () => {
    const row = compared({ volume_m3: 1.5, list: [1, 2] }, { list: [1, 2], volume_m3: 1.5 });
    expect(row).toMatchObject({ compared: 1, equal: 1, controls: 1, controlsFound: 1 });
    expect(isSame(row)).toBe(true);
  });

  it("a difference is named by its path, with both values", () => {
    const row = compared({ ends: [{ low: 1 }] }, { ends: [{ low: 2 }] });
    expect(isSame(row)).toBe(false);
    expect(row.differences.map(differenceText)).toEqual([
      "differs: volumes/pile/measurement /ends/0/low: 1 before, 2 after",
    ]);
  });

  it("a field, an entry or an item that one side lacks is a difference", () => {
    expect(compared({ a: 1 }, { a: 1, b: null }).equal).toBe(0);
    expect(compared([1], [1, 2]).equal).toBe(0);
    expect(compared([], {}).equal).toBe(0);
    const row = compareItems(items({ "volumes/pile/x": 1 }), items({}));
    expect(row.differences).toHaveLength(1);
  });

  it("a comparison that does not find its control is blind", () => {
    expect(isSame(compared(1, 1, 1))).toBe(false);
    const without = compareItems(items({ "volumes/p/x": 1 }), items({ "volumes/p/x": 1 }));
    expect(isSame(without)).toBe(false);
  });
});

describe("renames", () => {
  const RENAMES = {
    fields: { interval_95: "interval_95_percent" },
    only_before: ["pagination"],
    only_after: ["next"],
    requests: { "page=": "offset=" },
  };

  it("are applied to the earlier side at any depth, and counted", () => {
    const before = createTranslator("before", RENAMES);
    const after = createTranslator("after", RENAMES);
    const old = { data: [{ interval_95: [1, 2] }, { interval_95: [3, 4] }], pagination: {} };
    const next = { data: [{ interval_95_percent: [1, 2] }, { interval_95_percent: [3, 4] }] };
    expect(before.answer(old)).toEqual(next);
    expect(after.answer({ ...next, next: null })).toEqual(next);
    expect(before.request("/assets?page=2")).toBe("/assets?offset=2");
    expect(after.request("/assets?page=2")).toBe("/assets?page=2");
    expect([...before.counts]).toEqual([
      ["interval_95 -> interval_95_percent", 2],
      ["pagination (only before)", 1],
      ["request: page= -> offset=", 1],
    ]);
    expect([...after.counts]).toEqual([["next (only after)", 1]]);
  });

  it("of another form are refused", async () => {
    const folder = await mkdtemp(join(tmpdir(), "plumbline-renames-"));
    const file = join(folder, "renames.json");
    await writeFile(file, JSON.stringify(RENAMES));
    expect(await readRenames(file)).toEqual(RENAMES);
    await writeFile(file, JSON.stringify({ field: {} }));
    await expect(readRenames(file)).rejects.toThrow(file);
    await rm(folder, { recursive: true });
  });
});
