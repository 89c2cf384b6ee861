import { describe, expect, it } from "vitest";
import type { WorkZoneId } from "../../../../domain/ids.ts";
import type { ScheduleFormat, ScheduleTask } from "../../../../domain/sites/schedule.ts";
import { matchZones } from "../../../../processing/progress/schedule/match-zones.ts";
import { task } from "./site-calendars.ts";

type Activities = Partial<{ codes: string[]; wbs: string[]; names: string[] }>;

/** Which of the tasks a zone of these activities has. */
function matched(
  activities: Activities,
  tasks: readonly Partial<ScheduleTask>[],
  format: ScheduleFormat = "xer",
): readonly number[] | undefined {
  const zone = {
    id: "z-1" as WorkZoneId,
    name: "Hall A",
    activities: { codes: [], wbs: [], names: [], ...activities },
  };
  const full = tasks.map((one) => task("2026-03-02", "2026-03-03", one));
  return matchZones({ format, tasks: full }, [zone]).tasksByZone.get(zone.id);
}

describe("activities of a zone", () => {
  it("activities of a zone are found by activity code in any case", () => {
    const tasks = [{ zone_codes: ["B", "a1"] }, { zone_codes: ["A10"] }, { zone_codes: [" A1 "] }];
    expect(matched({ codes: ["A1"] }, tasks)).toEqual([0, 2]);
  });

  it("activities of a zone are found by their path and all above it, at dots only", () => {
    const tasks = [{ wbs: "PRJ.20" }, { wbs: "prj.20.5" }, { wbs: "PRJ.200" }, { wbs: "PRJ" }];
    expect(matched({ wbs: ["PRJ.20"] }, tasks)).toEqual([0, 1]);
    expect(matched({ wbs: ["PRJ"] }, tasks)).toEqual([0, 1, 2, 3]);
  });

  it("activities of a zone are found by name or code, with * for any text", () => {
    const tasks = [
      { name: "Slab of hall A", code: "A100" },
      { name: "Roof", code: "A200" },
      { name: "slab a", code: "B100" },
      { name: "A*", code: "x" },
    ];
    expect(matched({ names: ["slab*A"] }, tasks)).toEqual([0, 2]);
    expect(matched({ names: ["A*"] }, tasks)).toEqual([0, 1, 3]);
    expect(matched({ names: ["*"] }, tasks)).toEqual([0, 1, 2, 3]);
    expect(matched({ names: ["roof", "b100"] }, tasks)).toEqual([1, 2]);
    expect(matched({ names: ["*l*b*"] }, tasks)).toEqual([0, 2]);
    expect(matched({ names: ["slab"] }, tasks)).toEqual([]);
  });

  it("are found by the zone column of a CSV, which is the zone's id or name", () => {
    const tasks = [{ zone_codes: ["HALL A"] }, { zone_codes: ["Z-1"] }, { zone_codes: ["Hall B"] }];
    expect(matched({}, tasks, "csv")).toEqual([0, 1]);
    expect(matched({}, tasks, "xer")).toEqual([]);
  });

  it("activities of a zone are none by empty texts", () => {
    const tasks = [{ name: "", code: "", wbs: "", zone_codes: [""] }];
    expect(matched({ codes: [""], wbs: [""], names: [""] }, tasks)).toEqual([]);
  });

  it("the match of activities takes a hostile pattern in time that grows with the lengths only", () => {
    const tasks = [{ name: "a".repeat(500) }];
    expect(matched({ names: [`${"*a".repeat(100)}*b`] }, tasks)).toEqual([]);
  });
});
