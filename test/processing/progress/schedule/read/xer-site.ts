import { ScheduleError } from "../../../../../processing/progress/schedule/read/draft/schedule-error.ts";
import { readSchedule } from "../../../../../processing/progress/schedule/read/read-schedule.ts";
import {
  calendarData,
  excelSerial,
  windows1252,
  type XerFields,
  xerText,
} from "../../../../support/schedule-files/xer-text.ts";

const DAY = [
  ["08:00", "12:00"],
  ["13:00", "17:00"],
] as const;
const WEEK = [DAY, DAY, DAY, DAY, DAY, [], []];
/** Monday to Saturday from 7 to 19. */
const LONG_WEEK = [0, 1, 2, 3, 4, 5, 6].map((day) =>
  day < 6 ? ([["07:00", "19:00"]] as const) : [],
);

export const PROJECT: XerFields = {
  proj_id: 10,
  proj_short_name: "HAFEN",
  export_flag: "Y",
  clndr_id: 1,
  last_recalc_date: "2026-03-15 00:00",
};

export const task = (fields: XerFields): XerFields => ({
  task_id: 1,
  proj_id: 10,
  wbs_id: 101,
  clndr_id: 1,
  phys_complete_pct: 0,
  complete_pct_type: "CP_Drtn",
  task_type: "TT_Task",
  status_code: "TK_NotStart",
  task_code: "A1000",
  task_name: "Gründung",
  target_drtn_hr_cnt: 40,
  remain_drtn_hr_cnt: 40,
  act_work_qty: 0,
  remain_work_qty: 0,
  target_work_qty: 0,
  target_equip_qty: 0,
  target_start_date: "2026-03-30 08:00",
  target_end_date: "2026-04-07 17:00",
  act_start_date: "",
  act_end_date: "",
  ...fields,
});

export const CALENDARS: readonly XerFields[] = [
  {
    clndr_id: 1,
    clndr_name: "Fünf Tage",
    base_clndr_id: "",
    clndr_data: calendarData(
      WEEK,
      new Map([
        [excelSerial("2026-04-02"), [["08:00", "12:00"]]],
        [excelSerial("2026-04-03"), []],
        [excelSerial("2026-04-06"), []],
      ]),
    ),
  },
  {
    clndr_id: 2,
    clndr_name: "Sechs Tage",
    base_clndr_id: 1,
    clndr_data: calendarData(LONG_WEEK, new Map()),
  },
];

export const WBS: readonly XerFields[] = [
  {
    wbs_id: 100,
    proj_id: 10,
    parent_wbs_id: 7,
    wbs_short_name: "HAFEN",
    wbs_name: "Hafen – Nord",
    proj_node_flag: "Y",
  },
  {
    wbs_id: 101,
    proj_id: 10,
    parent_wbs_id: 100,
    wbs_short_name: "20",
    wbs_name: "Gründung",
    proj_node_flag: "N",
  },
  {
    wbs_id: 102,
    proj_id: 10,
    parent_wbs_id: 101,
    wbs_short_name: "5",
    wbs_name: "Pfähle",
    proj_node_flag: "N",
  },
];

export const file = (tables: Record<string, readonly XerFields[]>): string =>
  xerText({ PROJECT: [PROJECT], CALENDAR: CALENDARS, PROJWBS: WBS, ...tables });

export const read = (text: string, name?: string) => readSchedule(windows1252(text), { name });

/** Problems of a file that cannot be read, as "where message". */
export async function problemsOf(text: string, name?: string): Promise<readonly string[]> {
  try {
    await read(text, name);
  } catch (error) {
    if (error instanceof ScheduleError) {
      return error.problems.map(({ where, message }) => `${where} ${message}`);
    }
    throw error;
  }
  return [];
}
