import { describe, expect, it } from "vitest";
import { ScheduleError } from "../../../../../processing/progress/schedule/read/draft/schedule-error.ts";
import { readSchedule } from "../../../../../processing/progress/schedule/read/read-schedule.ts";
import { wall } from "../site-calendars.ts";

const HEADER = "zone,task,start,finish,weight,curve";
const read = (text: string | Buffer) => readSchedule(Buffer.from(text));

/** Start and finish of the only task of a file with this row. */
async function spanOf(row: string): Promise<readonly [number | undefined, number | undefined]> {
  const { tasks } = await read(`${HEADER}\n${row}\n`);
  return [tasks[0]?.start_min, tasks[0]?.finish_min];
}

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

describe("a CSV of activities", () => {
  it("a CSV of activities has zones, weights as costs, curves, and the end of the day for a finish that is a date", async () => {
    const draft = await read(
      `${HEADER}\nNorth,"Slab, level 1",2026-03-02,2026-03-06,12.5,s_curve\nSouth,,2026-03-02 07:30,2026-03-02 16:00,,\n,Handover,,2026-03-31,0,milestone\n`,
    );
    expect(draft).toEqual({
      format: "csv",
      name: "Schedule",
      dataDateMin: undefined,
      calendars: [],
      warnings: [],
      tasks: [
        {
          code: "Slab, level 1",
          name: "Slab, level 1",
          wbs: "",
          zone_codes: ["North"],
          start_min: wall("2026-03-02 00:00"),
          finish_min: wall("2026-03-07 00:00"),
          curve: "s_curve",
          cost: 12.5,
          duration_h: 120,
        },
        {
          code: "South",
          name: "South",
          wbs: "",
          zone_codes: ["South"],
          start_min: wall("2026-03-02 07:30"),
          finish_min: wall("2026-03-02 16:00"),
          curve: "linear",
          duration_h: 8.5,
        },
        {
          code: "Handover",
          name: "Handover",
          wbs: "",
          zone_codes: [],
          start_min: wall("2026-04-01 00:00"),
          finish_min: wall("2026-04-01 00:00"),
          curve: "milestone",
          cost: 0,
        },
      ],
    });
  });

  it.each([
    ["dates alone", "N,T,2026-03-02,2026-03-02,,", "2026-03-02 00:00", "2026-03-03 00:00"],
    ["the month first", "N,T,03-02-2026,3-31-2026,,", "2026-03-02 00:00", "2026-04-01 00:00"],
    ["times", "N,T,2026-03-02T08:00,2026-03-02 17:15:30,,", "2026-03-02 08:00", "2026-03-02 17:15"],
    [
      "an hour of one figure",
      "N,T,2026-03-02 7:05,03-02-2026 9:10,,",
      "2026-03-02 07:05",
      "2026-03-02 09:10",
    ],
    [
      "the last minute",
      "N,T,2026-03-02,2026-03-02 24:00,,",
      "2026-03-02 00:00",
      "2026-03-03 00:00",
    ],
    [
      "formulas of Excel",
      'N,T,"=""2026-03-02""",="2026-03-02",,',
      "2026-03-02 00:00",
      "2026-03-03 00:00",
    ],
  ])("a CSV of activities takes %s", async (_, row, start, finish) => {
    expect(await spanOf(row)).toEqual([wall(start), wall(finish)]);
  });

  it.each<[string, string | Buffer]>([
    [
      "semicolons and decimal commas",
      "zone;task;start;finish;weight;curve\r\nNörd;T;2026-03-02;2026-03-03;1,5;\r\n",
    ],
    ["tabs", "zone\ttask\tstart\tfinish\tweight\tcurve\nNörd\tT\t2026-03-02\t2026-03-03\t1,5\t\n"],
    [
      "a line that names the separator",
      'sep=;\r\nzone;task;start;finish;weight\r\nNörd;T;2026-03-02;2026-03-03;"1,5"\r\n',
    ],
    ["a byte order mark", `\ufeff${HEADER}\r\nNörd,T,2026-03-02,2026-03-03,1.5,\r\n`],
    [
      "UTF-16 of Excel",
      Buffer.from(
        "\ufeffzone\ttask\tstart\tfinish\tweight\nNörd\tT\t2026-03-02\t2026-03-03\t1,5\n",
        "utf16le",
      ),
    ],
    ["Windows-1252", Buffer.from(`${HEADER}\r\nNörd,T,2026-03-02,2026-03-03,1.5,\r\n`, "latin1")],
    [
      "other order and case, blanks, empty rows and columns",
      ' Task , Finish,START,Zone,"Weight",,\n\nT,2026-03-03, 2026-03-02 ,Nörd,1.5,,\n,,,,,,\n \n',
    ],
  ])("a CSV of activities is read with %s", async (_, content) => {
    const { tasks } = await read(content);
    expect(tasks).toMatchObject([
      {
        zone_codes: ["Nörd"],
        name: "T",
        start_min: wall("2026-03-02 00:00"),
        finish_min: wall("2026-03-04 00:00"),
        cost: 1.5,
      },
    ]);
  });

  it("a CSV of activities says which columns it does not read", async () => {
    const draft = await read("start,finish,task,Trade\n2026-03-02,2026-03-03,T,concrete\n");
    expect(draft.warnings).toEqual(['columns that are not read: "trade"']);
  });

  const DATE =
    "must be a date such as 2026-03-31 or 03-31-2026 (month first), with or without a time such as 07:30, of the years 1970 to 2200, not";
  it.each([
    ["the day first", "N,T,31-03-2026,2026-04-01,,", `line 2, start ${DATE} "31-03-2026"`],
    [
      "slashes, which say neither",
      "N,T,03/04/2026,2026-04-01,,",
      `line 2, start ${DATE} "03/04/2026"`,
    ],
    [
      "an offset",
      "N,T,2026-03-02T08:00+01:00,2026-04-01,,",
      `line 2, start ${DATE} "2026-03-02T08:00+01:00"`,
    ],
    ["a day that is none", "N,T,2026-02-29,2026-04-01,,", `line 2, start ${DATE} "2026-02-29"`],
    [
      "an hour that is none",
      "N,T,2026-02-20 24:01,2026-04-01,,",
      `line 2, start ${DATE} "2026-02-20 24:01"`,
    ],
    ["a year before all", "N,T,1969-12-31,2026-04-01,,", `line 2, start ${DATE} "1969-12-31"`],
    ["no finish", "N,T,2026-03-02,,,", "line 2, finish is empty"],
    [
      "a finish before the start",
      "N,T,2026-03-02,2026-03-01 23:59,,",
      "line 2, finish is before the start",
    ],
    ["neither zone nor task", ",,2026-03-02,2026-03-03,,", "line 2 has neither a zone nor a task"],
    [
      "a negative weight",
      "N,T,2026-03-02,2026-03-03,-1,",
      "line 2, weight must be a number from 0 to 100000000000",
    ],
    [
      "a weight in words",
      "N,T,2026-03-02,2026-03-03,1e99,",
      "line 2, weight must be a number from 0 to 100000000000",
    ],
    [
      "a curve that is none",
      "N,T,2026-03-02,2026-03-03,,bell",
      'line 2, curve must be one of linear, s_curve, front, back, milestone, not "bell"',
    ],
    [
      "text behind a closing quote",
      'N,"T" x,2026-03-02,2026-03-03,,',
      "line 2 has text between a closing quote and the next separator",
    ],
    [
      "a quote that stays open",
      'N,"T,2026-03-02,2026-03-03,,',
      "line 2 has a quote that is not closed within 50 lines",
    ],
  ])("a CSV of activities names the line of %s", async (_, row, expected) => {
    expect(await problemsOf(`${HEADER}\n${row}\n`)).toEqual([expected]);
  });

  it("a CSV of activities reads quotes within quotes, separators, blanks around them, and quotes that are text", async () => {
    const cells = ['"say ""hi"", N"', ' "a,b" ', 'a "b" c', '""', '""""', '"two\r\nlines"'];
    const rows = cells.map((cell) => `N,${cell},2026-03-02,2026-03-03`);
    const { tasks } = await read(`${HEADER}\r\n${rows.join("\r\n")}\r\n`);
    expect(tasks.map(({ name }) => name)).toEqual([
      'say "hi", N',
      "a,b",
      'a "b" c',
      "N",
      '"',
      "two lines",
    ]);
  });

  it("a CSV of activities is read with the line breaks of old Macs", async () => {
    const { tasks } = await read(
      `${HEADER}\rN,T,2026-03-02,2026-03-03,,\rS,T,2026-03-02,2026-03-03,,\r`,
    );
    expect(tasks.map(({ zone_codes }) => zone_codes)).toEqual([["N"], ["S"]]);
  });

  it("a CSV of activities counts lines as editors do, over cells with line breaks", async () => {
    const text = `${HEADER}\nN,"two\nlines",2026-03-02,2026-03-03,,\n\nN,T,x,2026-03-03,,\n`;
    expect(await problemsOf(text)).toEqual([`line 5, start ${DATE} "x"`]);
  });

  it.each([
    [
      "one row too long",
      `${HEADER}\n${"x".repeat(20_000)}\n`,
      /^line 2 is a row of more than 16384 characters$/,
    ],
    [
      "more activities than there may be",
      `${HEADER}\n${"N,T,2026-03-02,2026-03-03,,\n".repeat(50_001)}`,
      /^file has more than 50000 activities$/,
    ],
    ["no row", `${HEADER}\n`, /^file has no activity to plan by$/],
    ["a column twice", "zone,zone,start,finish\n", /^line 1 names the column "zone" twice$/],
    [
      "other columns",
      "a,b\n1,2\n",
      /^line 1 must name the columns zone, task, start, .*; it has "a, b"$/,
    ],
  ])("a CSV of activities refuses %s", async (_, text, expected) => {
    const [problem] = await problemsOf(text);
    expect(problem).toMatch(expected);
  });
});

describe("a CSV of control points", () => {
  it("a CSV of control points makes one activity of each zone, whatever the order of its rows", async () => {
    const draft = await read(
      "date,zone,planned_percent\n2026-03-31,North,100\n2026-03-01 12:00,South,5\n2026-03-10,north,12.5%\n2026-03-05,South,5\n",
    );
    const same = { wbs: "", curve: "points" };
    expect(draft.tasks).toEqual([
      {
        ...same,
        code: "North",
        name: "North",
        zone_codes: ["North"],
        start_min: wall("2026-03-11 00:00"),
        finish_min: wall("2026-04-01 00:00"),
        points: [
          [wall("2026-03-11 00:00"), 12.5],
          [wall("2026-04-01 00:00"), 100],
        ],
      },
      {
        ...same,
        code: "South",
        name: "South",
        zone_codes: ["South"],
        start_min: wall("2026-03-01 12:00"),
        finish_min: wall("2026-03-06 00:00"),
        points: [
          [wall("2026-03-01 12:00"), 5],
          [wall("2026-03-06 00:00"), 5],
        ],
      },
    ]);
    expect(draft.warnings).toEqual([
      "1 zones have no point of 100 percent: they stay at their last one",
    ]);
  });

  it.each([
    [
      "a percent that falls",
      "2026-03-02,N,50\n2026-03-03,N,49",
      'line 3, planned_percent of "N" falls from 50 (line 2) to 49; it may only rise',
    ],
    [
      "a time twice",
      "2026-03-02,N,50\n2026-03-03 00:00,N,51",
      'line 3, date gives "N" a second point at the time of line 2',
    ],
    [
      "more than all",
      "2026-03-02,N,101",
      'line 2, planned_percent must be a number from 0 to 100, not "101"',
    ],
    ["nothing", "2026-03-02,N,", 'line 2, planned_percent must be a number from 0 to 100, not ""'],
    ["no zone", "2026-03-02,,5", "line 2, zone is empty"],
  ])("a CSV of control points refuses %s", async (_, rows, expected) => {
    expect(await problemsOf(`date,zone,planned_percent\n${rows}\n`)).toEqual([expected]);
  });
});
