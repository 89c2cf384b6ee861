import { describe, expect, it } from "vitest";
import {
  calendarData,
  type XerFields,
  xerText,
} from "../../../../support/schedule-files/xer-text.ts";
import { CALENDARS, file, PROJECT, problemsOf, read, task } from "./xer-site.ts";

describe("a XER that cannot be read", () => {
  const withTask = (fields: XerFields) => file({ TASK: [task(fields)] });
  /** Lines: header, PROJECT 2-4, CALENDAR 5-8, PROJWBS 9-13, TASK 14-15 and its row. */
  const LINE = "line 16";

  it.each<[string, string, string]>([
    ["no project", xerText({}), "file has no project (table PROJECT)"],
    ["no activity", file({}), "file has no activity to plan by"],
    [
      "a date that is none",
      withTask({ target_start_date: "2026-02-30 08:00" }),
      `${LINE}, target_start_date of "A1000" must be a date such as 2026-03-02 08:00 of the years 1970 to 2200, not "2026-02-30 08:00"`,
    ],
    [
      "a year too far",
      withTask({ target_end_date: "2201-01-01 08:00" }),
      `${LINE}, target_end_date of "A1000" must be a date such as 2026-03-02 08:00 of the years 1970 to 2200, not "2201-01-01 08:00"`,
    ],
    [
      "no date",
      withTask({ target_start_date: "" }),
      `${LINE}, target_start_date of "A1000" is missing`,
    ],
    [
      "an end before the start",
      withTask({ target_end_date: "2026-03-30 07:59" }),
      `${LINE}, target_end_date of "A1000" is before its target_start_date`,
    ],
    [
      "a negative amount",
      withTask({ target_work_qty: -1 }),
      `${LINE}, target_work_qty must be a number from 0 to 100000000000`,
    ],
    [
      "a long name",
      withTask({ task_name: "x".repeat(513) }),
      `${LINE}, task_name has 513 characters; at most 512 are kept`,
    ],
    ["a task twice", file({ TASK: [task({}), task({})] }), 'line 17, task_id "1" is there twice'],
    [
      "a row without fields",
      file({}).replace("%E", "%T\tTASK\r\n%R\t1\r\n%E"),
      'line 15 is a row of "TASK", whose fields are not named',
    ],
    [
      "a damaged calendar",
      xerText({
        PROJECT: [PROJECT],
        CALENDAR: [{ clndr_id: 1, clndr_name: "Fünf", clndr_data: "(0||CalendarData()(" }],
        TASK: [task({})],
      }),
      'line 7, clndr_data of "Fünf" is damaged at character 20',
    ],
    [
      "a shift without times",
      xerText({
        PROJECT: [PROJECT],
        CALENDAR: [
          { clndr_id: 1, clndr_name: "Fünf", clndr_data: calendarData([[["8", "12"]]], new Map()) },
        ],
        TASK: [task({})],
      }),
      'line 7, clndr_data of "Fünf" has a shift without times (s|8|f|12)',
    ],
  ])("says where: %s", async (_, text, expected) => {
    expect(await problemsOf(text)).toEqual([expected]);
  });

  it("a XER that cannot be read lists at most eight problems and is read no further", async () => {
    const tasks = Array.from({ length: 50 }, (_, i) =>
      task({ task_id: i, target_start_date: "x" }),
    );
    const problems = await problemsOf(file({ TASK: tasks }));
    expect(problems).toHaveLength(8);
    expect(problems[7]).toMatch(/^line 23, target_start_date /);
  });

  it("a XER whose damage has no consequence can be read", async () => {
    const circle: XerFields[] = [
      {
        wbs_id: 100,
        proj_id: 10,
        parent_wbs_id: 101,
        wbs_short_name: "A",
        wbs_name: "",
        proj_node_flag: "N",
      },
      {
        wbs_id: 101,
        proj_id: 10,
        parent_wbs_id: 100,
        wbs_short_name: "B",
        wbs_name: "",
        proj_node_flag: "N",
      },
    ];
    const unused: XerFields = {
      clndr_id: 9,
      clndr_name: "Unused",
      base_clndr_id: 9,
      clndr_data: "(((",
    };
    const text = xerText({
      PROJECT: [PROJECT],
      CALENDAR: [...CALENDARS, unused],
      PROJWBS: circle,
      TASK: [task({}), task({ task_id: 2, clndr_id: 404 })],
    });
    const draft = await read(text);
    // Parents in a circle are cut where they are entered; a calendar that is not there is the project's.
    expect(draft.tasks.map(({ wbs, calendar }) => [wbs, calendar])).toEqual([
      ["A.B", 0],
      ["A.B", 0],
    ]);
  });

  it("a XER calendar that says nothing has 8 hours from Monday to Friday", async () => {
    const empty: XerFields = { clndr_id: 1, clndr_name: "Leer", clndr_data: "" };
    const draft = await read(xerText({ PROJECT: [PROJECT], CALENDAR: [empty], TASK: [task({})] }));
    expect(draft.calendars[0]?.week.map((spans) => spans.length)).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(draft.warnings).toEqual([
      'the calendar "Leer" names no working days; Monday to Friday, 08:00 to 16:00, are assumed',
    ]);
  });
});
