import { mspdiText, STANDARD_WEEK } from "./mspdi-text.ts";
import { calendarData, windows1252, xerText } from "./xer-text.ts";

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2026, 0, 5);
const ZONES = 40;

/** Start and finish of the i-th of many tasks, YYYY-MM-DD: 1 to 30 days within three years. */
function datesOf(i: number): readonly [start: string, finish: string] {
  const startMs = FIRST_MS + ((i * 7) % 1_060) * DAY_MS;
  const finishMs = startMs + (i % 30) * DAY_MS;
  return [iso(startMs), iso(finishMs)];
}

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const WEEK = [0, 1, 2, 3, 4, 5, 6].map((weekday) =>
  weekday < 5
    ? ([
        ["08:00", "12:00"],
        ["13:00", "17:00"],
      ] as const)
    : [],
);

/** A XER in Windows-1252 with costs and an activity code for each task. */
export function largeXer(tasks: number): Buffer {
  const indices = Array.from({ length: tasks }, (_, i) => i);
  const text = xerText({
    PROJECT: [
      {
        proj_id: 1,
        proj_short_name: "GROSS",
        export_flag: "Y",
        clndr_id: 7,
        last_recalc_date: "2026-01-05 00:00",
      },
    ],
    CALENDAR: [{ clndr_id: 7, clndr_name: "Fünf Tage", clndr_data: calendarData(WEEK, new Map()) }],
    PROJWBS: Array.from({ length: ZONES + 1 }, (_, i) => ({
      wbs_id: 100 + i,
      proj_id: 1,
      parent_wbs_id: i === 0 ? "" : 100,
      wbs_short_name: i === 0 ? "GROSS" : `B${i}`,
      wbs_name: i === 0 ? "Großbaustelle" : `Bauteil ${i}`,
      proj_node_flag: i === 0 ? "Y" : "N",
    })),
    ACTVTYPE: [{ actv_code_type_id: 3, actv_code_type: "Zone" }],
    ACTVCODE: Array.from({ length: ZONES }, (_, i) => ({
      actv_code_id: 300 + i,
      actv_code_type_id: 3,
      short_name: `Z${i}`,
      actv_code_name: `Zone ${i}`,
    })),
    TASK: indices.map((i) => {
      const [start, finish] = datesOf(i);
      return {
        task_id: 1_000 + i,
        proj_id: 1,
        wbs_id: 101 + (i % ZONES),
        clndr_id: 7,
        phys_complete_pct: 0,
        complete_pct_type: "CP_Drtn",
        task_type: "TT_Task",
        status_code: "TK_NotStart",
        task_code: `A${i}`,
        task_name: `Vorgang ${i} in Gründung und Fundament`,
        target_drtn_hr_cnt: 8 * (1 + (i % 30)),
        remain_drtn_hr_cnt: 8 * (1 + (i % 30)),
        target_work_qty: 40,
        target_equip_qty: 0,
        target_start_date: `${start} 08:00`,
        target_end_date: `${finish} 17:00`,
      };
    }),
    TASKACTV: indices.map((i) => ({
      task_id: 1_000 + i,
      actv_code_type_id: 3,
      actv_code_id: 300 + (i % ZONES),
    })),
    TASKRSRC: indices.map((i) => ({
      taskrsrc_id: i,
      task_id: 1_000 + i,
      rsrc_type: "RT_Labor",
      target_qty: 40,
      target_cost: 1_000 + (i % 500),
    })),
  });
  return windows1252(text);
}

/** An MSPDI with a baseline for each task; what MS Project writes beside is left out, to stay below 20 MB. */
export function largeMspdi(tasks: number): Buffer {
  const text = mspdiText({
    Title: "Großbaustelle",
    CalendarUID: 1,
    Calendars: {
      Calendar: { UID: 1, Name: "Standard", IsBaseCalendar: 1, WeekDays: STANDARD_WEEK },
    },
    Tasks: {
      Task: Array.from({ length: tasks }, (_, i) => {
        const [start, finish] = datesOf(i);
        return {
          UID: i + 1,
          Name: `Vorgang ${i} in Gründung`,
          WBS: `1.${1 + (i % ZONES)}.${i}`,
          Start: `${start}T08:00:00`,
          Finish: `${finish}T17:00:00`,
          Cost: 100_000 + (i % 500),
          Baseline: {
            Number: 0,
            Start: `${start}T08:00:00`,
            Finish: `${finish}T17:00:00`,
            Work: "PT40H0M0S",
            Cost: 100_000 + (i % 500),
          },
        };
      }),
    },
  });
  // Line breaks between elements are half as many as MS Project's.
  return Buffer.from(text);
}

/** A CSV of activities with S-curves. */
export function largeCsv(tasks: number): Buffer {
  const lines = Array.from({ length: tasks }, (_, i) => {
    const [start, finish] = datesOf(i);
    return `Zone ${i % ZONES},"Vorgang ${i}, Gründung",${start},${finish},${1_000 + (i % 500)},s_curve`;
  });
  return Buffer.from(`zone,task,start,finish,weight,curve\r\n${lines.join("\r\n")}\r\n`);
}
