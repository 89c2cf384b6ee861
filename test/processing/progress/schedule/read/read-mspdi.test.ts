import { describe, expect, it } from "vitest";
import { ScheduleError } from "../../../../../processing/progress/schedule/read/draft/schedule-error.ts";
import { readSchedule } from "../../../../../processing/progress/schedule/read/read-schedule.ts";
import { schedulePlan } from "../../../../../processing/progress/schedule/schedule-plan.ts";
import {
  mspdiText,
  STANDARD_WEEK,
  workingDay,
  type XmlNode,
} from "../../../../support/schedule-files/mspdi-text.ts";
import { day, scheduleOf, wall } from "../site-calendars.ts";

const task = (fields: XmlNode): XmlNode => ({
  UID: 1,
  ID: 1,
  Name: "Gründung & Pfähle",
  Active: 1,
  WBS: "1.1",
  Start: "2026-03-30T08:00:00",
  Finish: "2026-04-08T17:00:00",
  Milestone: 0,
  Summary: 0,
  CalendarUID: -1,
  ...fields,
});

const STANDARD: XmlNode = {
  UID: 1,
  Name: "Standard",
  IsBaseCalendar: 1,
  BaseCalendarUID: -1,
  WeekDays: STANDARD_WEEK,
};

const period = (from: string, to: string): XmlNode => ({
  TimePeriod: { FromDate: `${from}T00:00:00`, ToDate: `${to}T23:59:00` },
});

const project = (tasks: readonly XmlNode[], calendars: readonly XmlNode[] = [STANDARD]): string =>
  mspdiText({
    Name: "hafen.xml",
    Title: "Hafen Nord",
    StatusDate: "2026-03-15T17:00:00",
    CalendarUID: 1,
    Calendars: { Calendar: calendars },
    Tasks: { Task: tasks },
  });

const read = (text: string | Buffer) => readSchedule(Buffer.from(text));

/** Problems of a file that cannot be read, as "where message". */
async function problemsOf(content: string | Buffer): Promise<readonly string[]> {
  try {
    await read(content);
  } catch (error) {
    if (error instanceof ScheduleError) {
      return error.problems.map(({ where, message }) => `${where} ${message}`);
    }
    throw error;
  }
  return [];
}

describe("an MSPDI", () => {
  it("an MSPDI has the dates, work and cost of baseline 0 where there is one", async () => {
    const text = project([
      task({ UID: 0, Name: "Hafen Nord" }),
      task({ UID: 5, Summary: 1, Name: "Rohbau" }),
      task({
        UID: 12,
        PercentComplete: 30,
        Cost: 999,
        Baseline: [
          { Number: 1, Start: "2025-01-01T08:00:00", Finish: "2025-01-02T17:00:00" },
          {
            Number: 0,
            Start: "2026-03-02T08:00:00",
            Finish: "2026-03-06T17:00:00",
            Duration: "PT40H0M0S",
            Work: "PT81H30M0S",
            Cost: 1_250_000,
          },
        ],
      }),
      task({ UID: 13, Duration: "PT44H0M0S", Work: "PT0H0M0S", Cost: 0 }),
      task({ UID: 14, Milestone: 1, Start: "2026-04-08T17:00:00", Duration: "PT0H0M0S" }),
      task({ UID: 15, Active: 0 }),
      { UID: 16, IsNull: 1 },
    ]);
    const draft = await read(text);
    expect(draft).toMatchObject({
      format: "mspdi",
      name: "Hafen Nord",
      dataDateMin: wall("2026-03-15 17:00"),
      warnings: [
        "2 summaries are left out",
        "1 inactive tasks are left out",
        "2 tasks have not a baseline 0: the dates of the file are taken as planned",
      ],
    });
    const same = { name: "Gründung & Pfähle", wbs: "1.1", zone_codes: [], calendar: 0 };
    expect(draft.tasks).toEqual([
      {
        ...same,
        code: "12",
        start_min: wall("2026-03-02 08:00"),
        finish_min: wall("2026-03-06 17:00"),
        curve: "linear",
        cost: 12_500,
        work_h: 81.5,
        duration_h: 40,
        percent_complete: 30,
      },
      {
        ...same,
        code: "13",
        start_min: wall("2026-03-30 08:00"),
        finish_min: wall("2026-04-08 17:00"),
        curve: "linear",
        duration_h: 44,
        percent_complete: 0,
      },
      {
        ...same,
        code: "14",
        start_min: wall("2026-04-08 17:00"),
        finish_min: wall("2026-04-08 17:00"),
        curve: "milestone",
        percent_complete: 0,
      },
    ]);
  });

  it("an MSPDI plans by holidays and half days of a calendar and of the one that it is based on", async () => {
    const base: XmlNode = {
      ...STANDARD,
      Exceptions: {
        Exception: [
          { Name: "Karfreitag", ...period("2026-04-03", "2026-04-03"), Type: 1, ...workingDay() },
          { Name: "Ostermontag", ...period("2026-04-06", "2026-04-06"), ...workingDay() },
        ],
      },
    };
    const own: XmlNode = {
      UID: 2,
      Name: "Kran",
      BaseCalendarUID: 1,
      WeekDays: { WeekDay: [{ DayType: 7, ...workingDay(["07:00", "12:00"]) }] },
      Exceptions: {
        Exception: [
          {
            Name: "Gründonnerstag",
            ...period("2026-04-02", "2026-04-02"),
            ...workingDay(["08:00", "12:00"]),
          },
        ],
      },
    };
    const { tasks, calendars } = await read(project([task({ CalendarUID: 2 })], [base, own]));
    const plan = schedulePlan({ ...scheduleOf(tasks), calendars }, [], "UTC");
    const at = (time: string) => plan.plannedPercent(Date.parse(time));
    // Mon to Wed 24 h, Thu 4 h, Sat 5 h, Tue and Wed 16 h: 49 h.
    expect(at("2026-04-02T12:00Z")).toBeCloseTo((100 * 28) / 49, 9);
    expect(at("2026-04-04T09:00Z")).toBeCloseTo((100 * 30) / 49, 9);
    expect(at("2026-04-07T08:00Z")).toBeCloseTo((100 * 33) / 49, 9);
    expect(calendars.map(({ name }) => name)).toEqual(["Kran"]);
  });

  it("an MSPDI without a list of exceptions has days of type 0 as exceptions", async () => {
    const old: XmlNode = {
      ...STANDARD,
      WeekDays: {
        WeekDay: [
          ...(STANDARD_WEEK["WeekDay"] as readonly XmlNode[]),
          { DayType: 0, DayWorking: 0, ...period("2026-04-03", "2026-04-06") },
          { DayType: 0, ...workingDay(["09:00", "10:30"]), ...period("2026-04-07", "2026-04-07") },
        ],
      },
    };
    const { calendars } = await read(project([task({})], [old]));
    expect(calendars[0]?.exceptions).toEqual([
      { day: day("2026-04-03"), spans: [] },
      { day: day("2026-04-04"), spans: [] },
      { day: day("2026-04-05"), spans: [] },
      { day: day("2026-04-06"), spans: [] },
      { day: day("2026-04-07"), spans: [[540, 630]] },
    ]);
  });

  it("an MSPDI reads working weeks of a period, below exceptions", async () => {
    const winter: XmlNode = {
      ...STANDARD,
      Exceptions: { Exception: [{ ...period("2026-04-02", "2026-04-02"), ...workingDay() }] },
      WorkWeeks: {
        WorkWeek: [
          {
            ...period("2026-03-30", "2026-04-05"),
            Name: "Kurz",
            WeekDays: {
              WeekDay: [
                { DayType: 5, ...workingDay(["08:00", "12:00"]) },
                { DayType: 6, ...workingDay() },
              ],
            },
          },
        ],
      },
    };
    const { calendars } = await read(project([task({})], [winter]));
    expect(calendars[0]?.exceptions).toEqual([
      { day: day("2026-04-02"), spans: [] },
      { day: day("2026-04-03"), spans: [] },
    ]);
  });

  it("an MSPDI has own fields and outline codes as codes, with their names", async () => {
    const text = mspdiText({
      ExtendedAttributes: {
        ExtendedAttribute: [{ FieldID: 188743731, FieldName: "Text1", Alias: "Zone" }],
      },
      OutlineCodes: {
        OutlineCode: [
          {
            FieldID: 188744588,
            Alias: "Bauteil",
            Values: { Value: [{ ValueID: 7, Value: "B7" }] },
          },
        ],
      },
      Tasks: {
        Task: [
          task({
            ExtendedAttribute: [
              { FieldID: 188743731, Value: "Nord" },
              { FieldID: 5, Value: "x" },
            ],
            OutlineCode: [{ FieldID: 188744588, ValueID: 7 }],
          }),
        ],
      },
    });
    const draft = await read(text);
    expect(draft.tasks[0]?.zone_codes).toEqual(["Nord", "Zone=Nord", "x", "B7", "Bauteil=B7"]);
    expect(draft.warnings).toContain(
      "there are activities without a calendar; every day counts for them",
    );
  });

  it.each<[string, (text: string) => Buffer]>([
    ["UTF-16 with its mark", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-8 with its mark", (text) => Buffer.from(`\ufeff${text}`)],
    ["declared Latin-1", (text) => Buffer.from(text.replace('"UTF-8"', '"ISO-8859-1"'), "latin1")],
  ])("is read in %s", async (_, encode) => {
    const text = project([task({})]);
    expect((await read(encode(text))).tasks).toEqual((await read(text)).tasks);
  });
});

describe("an XML that is refused", () => {
  const laughs = Array.from({ length: 9 }, (_, i) =>
    i === 0 ? '<!ENTITY l0 "lol">' : `<!ENTITY l${i} "${`&l${i - 1};`.repeat(10)}">`,
  ).join("");
  const NO_DTD = "has a document type (DTD), which is refused: MS Project writes none";

  it.each<[string, string, string]>([
    [
      "a billion laughs",
      `<?xml version="1.0"?><!DOCTYPE Project [${laughs}]><Project>&l8;</Project>`,
      `line 1 ${NO_DTD}`,
    ],
    [
      "an external entity",
      '<?xml version="1.0"?>\n<!DOCTYPE Project [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<Project><Title>&x;</Title></Project>',
      `line 2 ${NO_DTD}`,
    ],
    [
      "an external DTD",
      '<!DOCTYPE Project SYSTEM "http://site.example/x.dtd">\n<Project/>',
      `line 1 ${NO_DTD}`,
    ],
    [
      "an entity that nobody declared",
      "<Project>\n<Title>&x;</Title></Project>",
      "line 2 is not well-formed XML: undefined entity.",
    ],
    ["another root", "<html></html>", `line 1 begins a "html", which is not MS Project's XML`],
    [
      "Primavera's own",
      "<APIBusinessObjects/>",
      "file is Primavera's own XML: export it as XER or as MS Project XML",
    ],
    [
      "an end that is missing",
      "<Project>\n<Tasks>",
      "line 2 is not well-formed XML: unclosed tag: Tasks",
    ],
    [
      "too deep a nesting",
      `<Project>${"<a>".repeat(60)}`,
      "line 1 is nested deeper than 32 elements",
    ],
    [
      "too many attributes",
      `<Project ${Array.from({ length: 40 }, (_, i) => `a${i}=""`).join(" ")}>`,
      "line 1 has more than 32 attributes",
    ],
    [
      "a long text",
      `<Project><Title>${"x".repeat(9_000)}</Title></Project>`,
      "line 1 has a Title of more than 8192 characters",
    ],
    [
      "an unknown encoding",
      '<?xml version="1.0" encoding="EBCDIC-CP-US"?><Project/>',
      'line 1 declares the encoding "EBCDIC-CP-US", which is not read; UTF-8 is',
    ],
    ["no task", "<Project/>", "file has no activity to plan by"],
  ])("%s", async (_, text, expected) => {
    expect(await problemsOf(text)).toEqual([expected]);
  });

  it("an XML with bytes that are not text is refused", async () => {
    const text = Buffer.from(project([task({})]), "latin1");
    expect(await problemsOf(text)).toEqual(["file has bytes that are not text in its encoding"]);
  });

  it.each<[string, XmlNode, string]>([
    [
      "no start",
      { Start: "" },
      'Start of "Gründung & Pfähle" is missing; it must be a date such as 2026-03-02T08:00:00 of the years 1970 to 2200',
    ],
    [
      "NA",
      { Finish: "NA" },
      'Finish of "Gründung & Pfähle" is "NA"; it must be a date such as 2026-03-02T08:00:00 of the years 1970 to 2200',
    ],
    [
      "a finish before the start",
      { Finish: "2026-03-29T17:00:00" },
      'Finish of "Gründung & Pfähle" is before its Start',
    ],
    [
      "a duration in words",
      { Duration: "5 days" },
      'Duration of "Gründung & Pfähle" must be a time such as PT8H0M0S, not "5 days"',
    ],
    ["a negative cost", { Cost: -5 }, "Cost must be a number from 0 to 100000000000"],
  ])("names the line of a task with %s", async (_, fields, expected) => {
    const [problem] = await problemsOf(project([task(fields)]));
    expect(problem).toMatch(/^line \d+, /);
    expect(problem?.replace(/^line \d+, /, "")).toBe(expected);
  });

  it("an XML with more exceptions in its calendars than are read is refused", async () => {
    const always = { ...period("1970-01-01", "2200-12-31"), ...workingDay() };
    const calendar: XmlNode = { ...STANDARD, Exceptions: { Exception: [always, always, always] } };
    const long = task({ Start: "1970-01-01T08:00:00", Finish: "2200-12-01T17:00:00" });
    expect(await problemsOf(project([long], [calendar]))).toEqual([
      "file has more exceptions in its calendars than are read (200000 days)",
    ]);
  });
});
