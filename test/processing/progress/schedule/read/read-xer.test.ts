import { describe, expect, it } from "vitest";
import { readSchedule } from "../../../../../processing/progress/schedule/read/read-schedule.ts";
import { schedulePlan } from "../../../../../processing/progress/schedule/schedule-plan.ts";
import { type XerFields, xerText } from "../../../../support/schedule-files/xer-text.ts";
import { scheduleOf, wall } from "../site-calendars.ts";
import { file, PROJECT, problemsOf, read, task, WBS } from "./xer-site.ts";

describe("a XER in Windows-1252", () => {
  const site = file({
    TASK: [
      task({}),
      task({
        task_id: 2,
        wbs_id: 102,
        clndr_id: 2,
        task_code: "A1010",
        task_name: "Pfähle – Reihe 1",
        target_work_qty: 120,
        target_equip_qty: 24,
        target_start_date: "2026-04-04 07:00",
        target_end_date: "2026-04-11 19:00",
      }),
      task({
        task_id: 3,
        task_code: "M1",
        task_type: "TT_Mile",
        target_start_date: "2026-03-30 08:00",
        target_end_date: "",
        target_drtn_hr_cnt: 0,
      }),
      task({
        task_id: 4,
        task_code: "M2",
        task_type: "TT_FinMile",
        target_start_date: "2026-03-30 08:00",
        target_end_date: "2026-04-11 19:00",
        target_drtn_hr_cnt: 0,
      }),
      task({ task_id: 5, task_code: "LOE", task_type: "TT_LOE" }),
      task({ task_id: 6, task_code: "W", task_type: "TT_WBS" }),
      task({ task_id: 7, task_code: "W2", task_type: "TT_WBS" }),
      task({ task_id: 8, proj_id: 11, task_code: "OTHER" }),
    ],
    ACTVTYPE: [{ actv_code_type_id: 5, actv_code_type: "Zone" }],
    ACTVCODE: [
      { actv_code_id: 50, actv_code_type_id: 5, short_name: "N", actv_code_name: "Nordfläche" },
    ],
    TASKACTV: [{ task_id: 1, actv_code_type_id: 5, actv_code_id: 50 }],
    TASKRSRC: [
      { task_id: 1, rsrc_type: "RT_Labor", target_qty: 80, target_cost: "1200.50" },
      { task_id: 1, rsrc_type: "RT_Mat", target_qty: 300, target_cost: 800 },
      { task_id: 2, rsrc_type: "RT_Equip", target_qty: 9, target_cost: 0 },
    ],
    PROJCOST: [{ task_id: 1, target_cost: "99.5" }],
  });

  it("a XER in Windows-1252 has dates, calendars, budgets, codes and paths", async () => {
    const draft = await read(site);
    expect(draft).toMatchObject({
      format: "xer",
      name: "Hafen – Nord",
      dataDateMin: wall("2026-03-15 00:00"),
      warnings: [
        "1 levels of effort (TT_LOE) are left out",
        "2 WBS summaries (TT_WBS) are left out",
      ],
    });
    expect(draft.tasks).toEqual([
      {
        code: "A1000",
        name: "Gründung",
        wbs: "HAFEN.20",
        zone_codes: ["N", "Nordfläche", "Zone=N"],
        start_min: wall("2026-03-30 08:00"),
        finish_min: wall("2026-04-07 17:00"),
        calendar: 0,
        curve: "linear",
        // 1200.5 + 800 + 99.5; tons of material are not hours.
        cost: 2_100,
        work_h: 80,
        duration_h: 40,
        percent_complete: 0,
      },
      {
        code: "A1010",
        name: "Pfähle – Reihe 1",
        wbs: "HAFEN.20.5",
        zone_codes: [],
        start_min: wall("2026-04-04 07:00"),
        finish_min: wall("2026-04-11 19:00"),
        calendar: 1,
        curve: "linear",
        work_h: 144,
        duration_h: 40,
        percent_complete: 0,
      },
      expect.objectContaining({
        code: "M1",
        curve: "milestone",
        start_min: wall("2026-03-30 08:00"),
        finish_min: wall("2026-03-30 08:00"),
      }),
      expect.objectContaining({
        code: "M2",
        curve: "milestone",
        start_min: wall("2026-04-11 19:00"),
        finish_min: wall("2026-04-11 19:00"),
      }),
    ]);
  });

  it("a XER in Windows-1252 plans by its two calendars, holidays of the base one included", async () => {
    const { tasks, calendars } = await read(site);
    expect(calendars.map(({ name }) => name)).toEqual(["Fünf Tage", "Sechs Tage"]);
    const at = (index: number, time: string): number => {
      const one = tasks.slice(index, index + 1);
      const plan = schedulePlan({ ...scheduleOf(one), calendars }, [], "UTC");
      return plan.plannedPercent(Date.parse(time));
    };
    // Mon to Wed 24 h, Thu 4 h (half day), Good Friday and Easter Monday off, Tue 8 h: 36 h.
    expect(at(0, "2026-04-02T10:00Z")).toBeCloseTo((100 * 26) / 36, 9);
    expect(at(0, "2026-04-06T23:00Z")).toBeCloseTo((100 * 28) / 36, 9);
    // Sat 4 to Sat 11 of 12 h each but for Sunday and Easter Monday: 6 days, 72 h.
    expect(at(1, "2026-04-07T00:00Z")).toBeCloseTo((100 * 12) / 72, 9);
    expect(at(1, "2026-04-07T13:00Z")).toBeCloseTo((100 * 18) / 72, 9);
  });

  it("a XER in Windows-1252 is the same in UTF-8, with and without byte order mark", async () => {
    const expected = await read(site);
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(site)]);
    expect(await readSchedule(Buffer.from(site))).toEqual(expected);
    expect(await readSchedule(marked)).toEqual(expected);
  });
});

describe("figures of activities in a XER", () => {
  it.each<[string, XerFields, number]>([
    ["completed", { status_code: "TK_Complete" }, 100],
    // (40 - 30) / 40
    ["by duration", { status_code: "TK_Active", remain_drtn_hr_cnt: 30 }, 25],
    [
      "physical",
      { status_code: "TK_Active", complete_pct_type: "CP_Phys", phys_complete_pct: 62.5 },
      62.5,
    ],
    // 30 / (30 + 10)
    [
      "by units",
      {
        status_code: "TK_Active",
        complete_pct_type: "CP_Units",
        act_work_qty: 30,
        remain_work_qty: 10,
      },
      75,
    ],
    ["by units without any", { status_code: "TK_Active", complete_pct_type: "CP_Units" }, 0],
  ])("figures of activities in a XER give the percent complete %s", async (_, fields, percent) => {
    const { tasks } = await read(file({ TASK: [task(fields)] }));
    expect(tasks[0]?.percent_complete).toBe(percent);
  });

  it("figures of activities in a XER have decimal commas, and credits among their costs", async () => {
    const { tasks } = await read(
      file({
        TASK: [task({ target_drtn_hr_cnt: "40,5" }), task({ task_id: 2 })],
        TASKRSRC: [
          { task_id: 1, rsrc_type: "RT_Labor", target_qty: "12,25", target_cost: "1000,5" },
        ],
        PROJCOST: [
          { task_id: 1, target_cost: "-200,25" },
          { task_id: 2, target_cost: -5 },
        ],
      }),
    );
    expect(tasks).toMatchObject([{ duration_h: 40.5, work_h: 12.25, cost: 800.25 }, {}]);
    expect(tasks[1]).not.toHaveProperty("cost");
  });

  it("figures of activities in a XER keep target dates whatever the actual dates are", async () => {
    const { tasks } = await read(
      file({ TASK: [task({ act_start_date: "2026-02-01 08:00", status_code: "TK_Active" })] }),
    );
    expect(tasks[0]?.start_min).toBe(wall("2026-03-30 08:00"));
  });
});

describe("several projects in a XER", () => {
  const two = xerText({
    PROJECT: [
      { ...PROJECT, proj_id: 11, proj_short_name: "REF", export_flag: "N" },
      PROJECT,
      { ...PROJECT, proj_id: 12, proj_short_name: "KAI" },
    ],
    PROJWBS: WBS,
    TASK: [
      task({}),
      task({ task_id: 2, proj_id: 11, task_code: "R" }),
      task({ task_id: 3, proj_id: 12, task_code: "K" }),
    ],
  });

  it("of several projects in a XER the named one is read, else the first that is exported", async () => {
    const codes = async (name?: string) => (await read(two, name)).tasks.map(({ code }) => code);
    expect(await codes()).toEqual(["A1000"]);
    expect(await codes("kai")).toEqual(["K"]);
    expect(await codes("Hafen – Nord")).toEqual(["A1000"]);
    expect((await read(two)).warnings).toEqual([
      'of 3 projects in the file "HAFEN" was taken, and left out: "REF", "KAI"',
      "1 activities have no calendar; every day counts for them",
    ]);
    expect(await problemsOf(two, "DOCK")).toEqual([
      'file has no project "DOCK", but "REF", "HAFEN", "KAI"',
    ]);
  });
});
