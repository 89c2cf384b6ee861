import type { WorkCalendar, WorkSpan } from "../../../domain/sites/schedule.ts";
import { type Activity, type SchedulePlan, wallText } from "./activities.ts";

/** The plan as Microsoft Project writes it (mspdi_pj12.xsd); levels of effort are not among its tasks. */
export function mspdiFile(plan: SchedulePlan): string {
  const start = dateTime(plan.startMin);
  const finish = dateTime(plan.finishMin);
  const shown = plan.activities.filter(({ kind }) => kind !== "loe");
  const general = shown.filter(({ zone }) => zone === undefined);
  let uid = 0;
  const tasks: string[] = [];
  const add = (lines: readonly Line[], inner: readonly string[] = []) => {
    uid += 1;
    tasks.push(element("Task", [["UID", uid], ["ID", uid], ...lines], inner));
  };
  const addActivity = (activity: Activity, outline: string, wbs: string) => {
    const calendar = plan.calendars.indexOf(activity.calendar) + 1;
    const fields = [...datesOf(activity), ["Cost", activity.cost * 100] as const];
    add(activityLines(activity, calendar, outline, wbs), [
      element("Baseline", [["Number", 0], ...fields]),
    ]);
  };
  add(summaryLines(plan.name, "1", plan.wbs, start, finish));
  for (const [i, activity] of general.entries()) {
    addActivity(activity, `1.${i + 1}`, `${plan.wbs}.${activity.code}`);
  }
  for (const [k, { code, name }] of plan.zones.entries()) {
    const own = shown.filter(({ zone }) => zone === code);
    const outline = `1.${general.length + k + 1}`;
    const from = dateTime(Math.min(...own.map(({ startMin }) => startMin)));
    const to = dateTime(Math.max(...own.map(({ finishMin }) => finishMin)));
    add(summaryLines(name, outline, `${plan.wbs}.${code}`, from, to));
    for (const [i, activity] of own.entries()) {
      addActivity(activity, `${outline}.${i + 1}`, `${plan.wbs}.${code}.${activity.code}`);
    }
  }
  const calendars = plan.calendars.map((calendar, i) => calendarElement(calendar, i + 1));
  return (
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n` +
    `<Project xmlns="http://schemas.microsoft.com/project">\n` +
    [
      ...fields([
        ["Name", `${plan.wbs}.xml`],
        ["Title", plan.name],
        ["StartDate", start],
        ["FinishDate", finish],
        ["StatusDate", start],
        ["CalendarUID", 2],
        ["MinutesPerDay", 480],
        ["MinutesPerWeek", 2_400],
        ["CurrencyCode", "GBP"],
      ]),
      `<Calendars>\n${calendars.join("\n")}\n</Calendars>`,
      `<Tasks>\n${tasks.join("\n")}\n</Tasks>`,
    ].join("\n") +
    `\n</Project>\n`
  );
}

type Line = readonly [name: string, value: string | number];

const fields = (lines: readonly Line[]): string[] =>
  lines.map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>`);

const element = (name: string, lines: readonly Line[], inner: readonly string[] = []): string =>
  `<${name}>${[...fields(lines), ...inner].join("")}</${name}>`;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const dateTime = (min: number): string => `${wallText(min, "T")}:00`;

function summaryLines(
  name: string,
  outline: string,
  wbs: string,
  from: string,
  to: string,
): Line[] {
  return [
    ["Name", name],
    ["IsNull", 0],
    ["WBS", wbs],
    ["OutlineNumber", outline],
    ["OutlineLevel", outline.split(".").length],
    ["Start", from],
    ["Finish", to],
    ["Milestone", 0],
    ["Summary", 1],
    ["PercentComplete", 0],
  ];
}

function activityLines(activity: Activity, calendar: number, outline: string, wbs: string): Line[] {
  return [
    ["Name", activity.name],
    ["IsNull", 0],
    ["WBS", wbs],
    ["OutlineNumber", outline],
    ["OutlineLevel", outline.split(".").length],
    ...datesOf(activity),
    ["DurationFormat", 7],
    ["Milestone", activity.kind === "task" ? 0 : 1],
    ["Summary", 0],
    ["PercentComplete", 0],
    // Money is in hundredths.
    ["Cost", activity.cost * 100],
    ["CalendarUID", calendar],
    ["Active", 1],
  ];
}

function datesOf({ kind, startMin, finishMin, workMin }: Activity): Line[] {
  const worked = kind === "task" ? `PT${Math.floor(workMin / 60)}H${workMin % 60}M0S` : "PT0H0M0S";
  return [
    ["Start", dateTime(startMin)],
    ["Finish", dateTime(finishMin)],
    ["Duration", worked],
    ["Work", worked],
  ];
}

/** Day 1 is Sunday. */
function calendarElement(calendar: WorkCalendar, uid: number): string {
  const days = Array.from({ length: 7 }, (_, i) => {
    const spans = calendar.week[(i + 6) % 7] ?? [];
    const head: Line[] = [
      ["DayType", i + 1],
      ["DayWorking", spans.length > 0 ? 1 : 0],
    ];
    return element("WeekDay", head, workingTimes(spans));
  });
  const exceptions = calendar.exceptions.map(({ day, spans }) => {
    const date = wallText(day * 1_440, "T").slice(0, 10);
    const period = element("TimePeriod", [
      ["FromDate", `${date}T00:00:00`],
      ["ToDate", `${date}T23:59:00`],
    ]);
    const rest: Line[] = [
      ["Occurrences", 1],
      ["Name", spans.length > 0 ? "Half day" : "Holiday"],
      ["Type", 1],
      ["DayWorking", spans.length > 0 ? 1 : 0],
    ];
    const inner = [period, ...fields(rest), ...workingTimes(spans)];
    return element("Exception", [["EnteredByOccurrences", 0]], inner);
  });
  return element(
    "Calendar",
    [
      ["UID", uid],
      ["Name", calendar.name],
      ["IsBaseCalendar", 1],
      ["BaseCalendarUID", -1],
    ],
    [`<WeekDays>${days.join("")}</WeekDays>`, `<Exceptions>${exceptions.join("")}</Exceptions>`],
  );
}

function workingTimes(spans: readonly WorkSpan[]): string[] {
  if (spans.length === 0) return [];
  const times = spans.map(([from, to]) =>
    element("WorkingTime", [
      ["FromTime", `${wallText(from, "T").slice(11)}:00`],
      ["ToTime", `${wallText(to, "T").slice(11)}:00`],
    ]),
  );
  return [`<WorkingTimes>${times.join("")}</WorkingTimes>`];
}
