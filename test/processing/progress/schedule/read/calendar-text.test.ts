import { describe, expect, it } from "vitest";
import { readCalendarText } from "../../../../../processing/progress/schedule/read/xer/calendar-text.ts";
import { excelSerial } from "../../../../support/schedule-files/xer-text.ts";
import { day } from "../site-calendars.ts";

const NL = "\u007f\u007f";

describe("clndr_data of P6", () => {
  it("clndr_data of P6 has hours of one figure, whole days, and line marks anywhere between its parts", () => {
    const friday = excelSerial("2026-05-01");
    const text = `${NL}(0||CalendarData()(${NL}  (0||DaysOfWeek()(${NL}    (0||1()())(0||2()(${NL} (0||0(s|8:00|f|16:30)())))(0||7()((0||0(s|00:00|f|00:00)())))))(0||Exceptions()(${NL}(0||0(d|${friday})())${NL} (0||0(d|${friday + 3})(${NL}      (0||0(f|17:00|s|9:00)())))))))`;
    const { week, exceptions } = readCalendarText(text);
    // Days count from Sunday = 1; days that are not named are free.
    expect(week).toEqual([[[480, 990]], [], [], [], [], [[0, 0]], []]);
    expect([...exceptions]).toEqual([
      [day("2026-05-01"), []],
      [day("2026-05-04"), [[540, 1_020]]],
    ]);
  });

  it("clndr_data of P6 passes over exceptions of years that no schedule names", () => {
    const text =
      "(0||CalendarData()((0||Exceptions()((0||0(d|1)())(0||1(d|25569)())(0||2(d|999999)())))))";
    const { week, exceptions } = readCalendarText(text);
    expect(week).toBeUndefined();
    expect([...exceptions.keys()]).toEqual([0]);
  });

  it.each([
    ["(0||DaysOfWeek()((0||8()())))", "has a day of the week 8, outside 1 to 7"],
    ["(0||Exceptions()((0||0(x|1)())))", "has an exception without a date (x|1)"],
    ["(0||DaysOfWeek()(", "is damaged at character 18"],
    ["DaysOfWeek", "is damaged at character 1"],
    ["(0||A()((0||B()((0||C()(".repeat(10), "is damaged at character 136"],
  ])("clndr_data of P6 refuses %s", (text, message) => {
    expect(() => readCalendarText(text)).toThrow(message);
  });
});
