import { describe, expect, it } from "vitest";
import type { WorkZoneId } from "../../../domain/ids.ts";
import type { Schedule } from "../../../domain/sites/schedule.ts";
import {
  makeSchedule,
  readSchedule,
} from "../../../processing/progress/schedule/read/read-schedule.ts";
import { schedulePlan } from "../../../processing/progress/schedule/schedule-plan.ts";
import { createSchedule, plannedPercent } from "../../../simulators/project/schedule/activities.ts";
import { pointTable, taskTable } from "../../../simulators/project/schedule/csv-files.ts";
import { mspdiFile } from "../../../simulators/project/schedule/mspdi-file.ts";
import {
  EARTHWORKS_CALENDAR,
  STRUCTURES_CALENDAR,
  workedMin,
} from "../../../simulators/project/schedule/site-calendar.ts";
import { xerFile } from "../../../simulators/project/schedule/xer-file.ts";
import { drawZones } from "../../../simulators/project/zone/catalogue.ts";
import { createRandom } from "../../../simulators/randomness/random.ts";

const zones = drawZones([], createRandom("schedule-test"));
const plan = createSchedule(zones, 12, Date.UTC(2025, 4, 5));
/** Minutes since 1970 of a wall clock. */
const wall = (text: string) => Date.parse(`${text}Z`) / 60_000;

describe("workedMin", () => {
  it.each([
    // Monday to Saturday noon: 5 x 9 h and 5 h.
    [EARTHWORKS_CALENDAR, "2025-05-12T00:00", "2025-05-19T00:00", 50],
    // With the Monday off.
    [EARTHWORKS_CALENDAR, "2025-05-26T00:00", "2025-06-02T00:00", 41],
    // Friday the 19th ends at noon: 4 h less.
    [EARTHWORKS_CALENDAR, "2025-06-16T00:00", "2025-06-23T00:00", 46],
    [EARTHWORKS_CALENDAR, "2025-05-12T08:30", "2025-05-12T12:30", 3.5],
    [STRUCTURES_CALENDAR, "2025-05-23T16:00", "2025-05-27T09:00", 2],
    [STRUCTURES_CALENDAR, "2025-05-24T00:00", "2025-05-27T00:00", 0],
  ])("workedMin counts by %o from %s to %s %d h", (calendar, from, to, hours) => {
    expect(workedMin(calendar, wall(from), wall(to))).toBe(60 * hours);
  });
});

describe("createSchedule", () => {
  it("createSchedule has a level of effort, two milestones, and each zone's activities one after the other", () => {
    const kinds = plan.activities.map(({ kind }) => kind).filter((kind) => kind !== "task");
    expect(kinds).toEqual(["start_milestone", "loe", "finish_milestone"]);
    for (const { code } of zones) {
      const own = plan.activities.filter(({ zone }) => zone === code);
      expect(own.length).toBeGreaterThanOrEqual(4);
      for (const [i, { startMin, finishMin, workMin }] of own.entries()) {
        expect(finishMin).toBeGreaterThan(startMin);
        expect(workMin).toBeGreaterThan(0);
        expect(startMin).toBeGreaterThanOrEqual(own[i - 1]?.finishMin ?? 0);
      }
    }
  });

  it("createSchedule plans 0 at the start, 100 at the finish, and by hand in between", () => {
    expect(plannedPercent(plan, plan.startMin)).toBe(0);
    expect(plannedPercent(plan, plan.finishMin)).toBeCloseTo(100, 9);
    const [first] = plan.activities.filter(({ zone }) => zone === "EMB");
    if (first === undefined) throw new Error("no activity of EMB");
    // The first of four activities has 5 % of the cost; one of its working days has 9 of its hours.
    const day = Math.floor(first.startMin / 1_440) * 1_440 + 1_440;
    const percent = (5 * 9 * 60) / first.workMin;
    expect(plannedPercent(plan, day, "EMB")).toBeCloseTo(percent, 2);
  });
});

describe("files of one plan", () => {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const matched = zones.map(({ code }) => ({
    ...{ id: code as WorkZoneId, name: code },
    activities: { codes: [code], wbs: [`SITE.${code}`], names: [] },
  }));
  const read = async (content: Uint8Array) => {
    const facts = {
      ...{ id: "sch_1", project_id: "site", revision: 1, sha256: "" },
      ...{ imported_by: "", imported_at: "" },
    } as Parameters<typeof makeSchedule>[1];
    const schedule: Schedule = makeSchedule(await readSchedule(content), facts);
    return { schedule, plan: schedulePlan(schedule, matched, "Europe/London") };
  };
  const sundays = Array.from({ length: 16 }, (_, i) =>
    Date.UTC(2025, 4, 4 + 7 * i, 10 + (i % 3), 17),
  );

  it.each([
    ["schedule.xer", xerFile(plan)],
    ["schedule.xml", utf8(mspdiFile(plan))],
    ["schedule.csv", utf8(taskTable(plan))],
  ])("%s plans for each Sunday, zone and the project what the truth says", async (_, content) => {
    const imported = await read(content);
    for (const atMs of sundays) {
      const atMin = atMs / 60_000;
      expect(imported.plan.plannedPercent(atMs)).toBeCloseTo(plannedPercent(plan, atMin), 5);
      for (const { id } of matched) {
        const planned = imported.plan.zonePlannedPercent(id, atMs);
        expect(planned).toBeCloseTo(plannedPercent(plan, atMin, id), 5);
      }
    }
  });

  it("schedule-points.csv plans for each Sunday and zone what the truth says", async () => {
    const imported = await read(utf8(pointTable(plan)));
    for (const atMs of sundays) {
      for (const { id } of matched) {
        const planned = imported.plan.zonePlannedPercent(id, atMs);
        expect(planned).toBeCloseTo(plannedPercent(plan, atMs / 60_000, id), 3);
      }
    }
  });

  it("schedule.xer and schedule.xml say the same between Sundays too, in working hours", async () => {
    const [xer, xml] = [await read(xerFile(plan)), await read(utf8(mspdiFile(plan)))];
    for (const text of ["2025-05-27T09:30Z", "2025-06-20T12:00Z", "2025-07-03T14:45Z"]) {
      const atMs = Date.parse(text);
      expect(xer.plan.plannedPercent(atMs)).toBeCloseTo(xml.plan.plannedPercent(atMs), 9);
      // London is an hour ahead of UTC in summer.
      expect(xer.plan.plannedPercent(atMs)).toBeCloseTo(
        plannedPercent(plan, atMs / 60_000 + 60),
        9,
      );
    }
  });

  it("schedule.xer is in Windows-1252: an en dash is 0x96, é is 0xE9", async () => {
    const bytes = [...xerFile(plan)];
    expect(bytes).toContain(0x96);
    expect(bytes).toContain(0xe9);
    const { schedule } = await read(xerFile(plan));
    expect(schedule.summary.name).toBe("Simulated site – harbour yard");
    expect(schedule.tasks.some(({ name }) => name.startsWith("Béton podium"))).toBe(true);
  });
});
