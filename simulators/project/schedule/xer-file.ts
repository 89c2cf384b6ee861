import type { WorkCalendar, WorkSpan } from "../../../domain/sites/schedule.ts";
import { type Activity, type SchedulePlan, wallText } from "./activities.ts";

/** Days of a calendar's dates count from here (as in spreadsheets): 1899-12-30. */
const SERIAL_DAY_0 = 25_569;
/** What Primavera writes for a line's end within a field. */
const FIELD_LINE = "\u007f\u007f";

const TASK_TYPES: Readonly<Record<Activity["kind"], string>> = {
  task: "TT_Task",
  start_milestone: "TT_Mile",
  finish_milestone: "TT_FinMile",
  loe: "TT_LOE",
};

/** The plan as Primavera P6 exports it: tables of tab-separated text in Windows-1252. */
export function xerFile(plan: SchedulePlan): Uint8Array {
  const start = wallText(plan.startMin, " ");
  const finish = wallText(plan.finishMin, " ");
  const calendarId = (calendar: WorkCalendar) => 101 + plan.calendars.indexOf(calendar);
  const wbsId = (zone: string | undefined) =>
    zone === undefined ? 200 : 201 + plan.zones.findIndex(({ code }) => code === zone);
  const codeId = (zone: string) => 401 + plan.zones.findIndex(({ code }) => code === zone);
  const hours = (min: number) => String(Math.round((min / 60) * 100) / 100);
  const inZones = plan.activities.flatMap((activity, i) =>
    activity.zone === undefined ? [] : [{ activity, taskId: 501 + i, zone: activity.zone }],
  );
  const tables: readonly (readonly [string, readonly string[], readonly (readonly string[])[]])[] =
    [
      [
        "PROJECT",
        [
          "proj_id",
          "proj_short_name",
          "clndr_id",
          "plan_start_date",
          "plan_end_date",
          "last_recalc_date",
        ],
        [["100", plan.wbs, "102", start, finish, start]],
      ],
      [
        "CALENDAR",
        [
          "clndr_id",
          "default_flag",
          "clndr_name",
          "proj_id",
          "clndr_type",
          "day_hr_cnt",
          "clndr_data",
        ],
        plan.calendars.map((calendar, i) => [
          ...[String(101 + i), i === 1 ? "Y" : "N", calendar.name, "", "CA_Base"],
          ...[hours(minutesOf(calendar.week[0] ?? [])), calendarText(calendar)],
        ]),
      ],
      [
        "PROJWBS",
        [
          "wbs_id",
          "proj_id",
          "seq_num",
          "proj_node_flag",
          "wbs_short_name",
          "wbs_name",
          "parent_wbs_id",
        ],
        [
          ["200", "100", "0", "Y", plan.wbs, plan.name, ""],
          ...plan.zones.map(({ code, name }, i) => [
            ...[String(201 + i), "100", String(i + 1), "N", code, name, "200"],
          ]),
        ],
      ],
      [
        "ACTVTYPE",
        [
          "actv_code_type_id",
          "actv_short_len",
          "seq_num",
          "actv_code_type",
          "proj_id",
          "actv_code_type_scope",
        ],
        [["300", "10", "1", "Zone", "100", "AS_Project"]],
      ],
      [
        "ACTVCODE",
        [
          "actv_code_id",
          "parent_actv_code_id",
          "actv_code_type_id",
          "actv_code_name",
          "short_name",
          "seq_num",
        ],
        plan.zones.map(({ code, name }, i) => [
          ...[String(401 + i), "", "300", name, code, String(i + 1)],
        ]),
      ],
      [
        "RSRC",
        ["rsrc_id", "rsrc_short_name", "rsrc_name", "rsrc_type"],
        [["900", "CREW", "Crew and plant, £", "RT_Labor"]],
      ],
      [
        "TASK",
        [
          ...["task_id", "proj_id", "wbs_id", "clndr_id", "phys_complete_pct", "complete_pct_type"],
          ...["task_type", "status_code", "task_code", "task_name"],
          ...["target_drtn_hr_cnt", "remain_drtn_hr_cnt", "target_work_qty", "remain_work_qty"],
          ...[
            "act_work_qty",
            "act_start_date",
            "act_end_date",
            "target_start_date",
            "target_end_date",
          ],
          ...["early_start_date", "early_end_date"],
        ],
        plan.activities.map((activity, i) => {
          const from = wallText(activity.startMin, " ");
          const to = wallText(activity.finishMin, " ");
          const duration = hours(activity.workMin);
          return [
            ...[String(501 + i), "100", String(wbsId(activity.zone))],
            ...[String(calendarId(activity.calendar)), "0", "CP_Drtn", TASK_TYPES[activity.kind]],
            ...[
              "TK_NotStart",
              activity.code,
              activity.name,
              duration,
              duration,
              duration,
              duration,
            ],
            // A milestone has one of its two dates only.
            ...["0", "", "", activity.kind === "finish_milestone" ? "" : from],
            ...[activity.kind === "start_milestone" ? "" : to, from, to],
          ];
        }),
      ],
      [
        "TASKACTV",
        ["task_id", "actv_code_type_id", "actv_code_id", "proj_id"],
        inZones.map(({ taskId, zone }) => [String(taskId), "300", String(codeId(zone)), "100"]),
      ],
      [
        "TASKRSRC",
        [
          "taskrsrc_id",
          "task_id",
          "proj_id",
          "rsrc_id",
          "target_qty",
          "remain_qty",
          "target_cost",
          "remain_cost",
        ],
        plan.activities.flatMap((activity, i) =>
          activity.cost === 0
            ? []
            : [
                [
                  ...[String(700 + i), String(501 + i), "100", "900", hours(activity.workMin)],
                  ...[hours(activity.workMin), String(activity.cost), String(activity.cost)],
                ],
              ],
        ),
      ],
    ];
  const lines = [
    [
      "ERMHDR",
      "19.12",
      start.slice(0, 10),
      "Project",
      "simulator",
      "Simulator",
      "dbxDatabaseNoName",
    ],
    ...tables.flatMap(([name, fields, rows]) => [
      ["%T", name],
      ["%F", ...fields],
      ...rows.map((row) => ["%R", ...row]),
    ]),
    ["%E"],
  ];
  return windows1252(`${lines.map((line) => line.join("\t")).join("\r\n")}\r\n`);
}

/** P6's own text of a calendar: nested lists in brackets; day 1 is Sunday. */
function calendarText(calendar: WorkCalendar): string {
  const days = Array.from({ length: 7 }, (_, i) => {
    const spans = calendar.week[(i + 6) % 7] ?? [];
    return `(0||${i + 1}()(${spansText(spans)}))`;
  });
  const exceptions = calendar.exceptions.map(
    ({ day, spans }, i) => `(0||${i}(d|${day + SERIAL_DAY_0})(${spansText(spans)}))`,
  );
  return (
    `(0||CalendarData()(${FIELD_LINE}(0||DaysOfWeek()(${FIELD_LINE}${days.join(FIELD_LINE)}))` +
    `(0||VIEW(ShowTotal|N)())(0||Exceptions()(${FIELD_LINE}${exceptions.join(FIELD_LINE)}))))`
  );
}

const spansText = (spans: readonly WorkSpan[]): string =>
  spans.map(([from, to], i) => `(0||${i}(s|${clock(from)}|f|${clock(to)})())`).join("");

const clock = (min: number): string =>
  `${String(Math.floor(min / 60)).padStart(2, "0")}:${String(min % 60).padStart(2, "0")}`;

const minutesOf = (spans: readonly WorkSpan[]): number =>
  spans.reduce((sum, [from, to]) => sum + to - from, 0);

/** Characters that Windows-1252 has and Latin-1 has not, as far as the plan uses them. */
const ABOVE_LATIN_1: Readonly<Record<string, number>> = { "–": 0x96, "’": 0x92, "€": 0x80 };

function windows1252(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => {
    const code = ABOVE_LATIN_1[character] ?? character.charCodeAt(0);
    if (code > 0xff) throw new RangeError(`Windows-1252 has no "${character}"`);
    return code;
  });
}
