import { describe, expect, it } from "vitest";
import { DE } from "../../console/i18n/de.ts";
import { EN } from "../../console/i18n/en.ts";
import { translator } from "../../console/i18n/translate.ts";
import { type Subject, sentenceOf, type Words } from "../../console/parts/said.ts";

/** Words of a language with formatters that show what they were given. */
function wordsOf(texts: typeof EN | typeof DE, locale: string): Words {
  const t = translator(texts, locale);
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  return {
    t,
    tn: t.count,
    show: {
      number,
      span: (ms) => `${number(ms / 60_000)} min`,
      dateTime: (ms) => new Date(ms).toISOString().slice(11, 16),
      field: (field, value) => `${number(value)} ${field.split("_").at(-1)}`,
    },
  };
}

const ENGLISH = wordsOf(EN, "en-GB");
const GERMAN = wordsOf(DE, "de-DE");

const about = (type: string, data: Subject["data"]): Subject => ({
  type,
  data,
  machine: "Bagger 7",
  fence: "Sprengbereich",
  project: "Hafen",
});

const HOT = {
  ...{ limit_name: "Coolant", field: "coolant_temperature_c", above: 105.5, value: 1_107.5 },
};
const OIL = { name: "Oil", unit: "hours", used: 248.5, every: 250 };
const OUTAGE = {
  ...{ assets_count: 12, reporting_count: 1_400, last_message_at: "2026-11-28T06:00:00Z" },
};

/** Type, fields, English, German. */
const CASES: readonly (readonly [string, Subject["data"], string, string])[] = [
  [
    "equipment.geofence.entered",
    {},
    "Bagger 7 entered Sprengbereich",
    "Bagger 7 ist in Sprengbereich eingefahren",
  ],
  [
    "equipment.geofence.exited",
    { duration_s: 300 },
    "Bagger 7 left Sprengbereich after 5 min",
    "Bagger 7 hat Sprengbereich nach 5 min verlassen",
  ],
  [
    "equipment.limit.exceeded",
    HOT,
    "Bagger 7: Coolant above 105.5 c, it was 1,107.5 c",
    "Bagger 7: Coolant über 105,5 c, es waren 1.107,5 c",
  ],
  [
    "equipment.fault.raised",
    { spn: 100, fmi: 3, spn_name: "engine oil pressure", fmi_name: "voltage above normal" },
    "Bagger 7 reports SPN 100: engine oil pressure; FMI 3: voltage above normal",
    "Bagger 7 meldet SPN 100: engine oil pressure; FMI 3: voltage above normal",
  ],
  [
    "equipment.fault.raised",
    { code: "P0217", description: "hot" },
    "Bagger 7 reports Code P0217; hot",
    "Bagger 7 meldet Code P0217; hot",
  ],
  [
    "equipment.maintenance.due",
    OIL,
    "Bagger 7: Oil is due (248.5 hours of 250 hours)",
    "Bagger 7: Oil ist fällig (248,5 hours von 250 hours)",
  ],
  [
    "equipment.maintenance.warning",
    { name: "Oil", unit: "days", used: null, every: 1 },
    "Bagger 7: Oil is due soon (not known of 1 day)",
    "Bagger 7: Oil wird bald fällig (nicht bekannt von 1 Tag)",
  ],
  [
    "equipment.asset.silent",
    { since: "2026-11-28T06:00:00Z" },
    "Bagger 7 is silent: no message has come since 06:00",
    "Bagger 7 ist stumm: keine Nachricht seit 06:00",
  ],
  [
    "equipment.project.outage",
    OUTAGE,
    "12 of 1,400 machines of Hafen fell silent together; last message 06:00",
    "12 von 1.400 Maschinen von Hafen sind gemeinsam verstummt; letzte Nachricht 06:00",
  ],
];

describe("what an alert or event says", () => {
  it.each(CASES)("%s %j is one sentence in either language", (type, data, english, german) => {
    expect(sentenceOf(about(type, data), ENGLISH)).toBe(english);
    expect(sentenceOf(about(type, data), GERMAN)).toBe(german);
  });

  it.each([
    ["of a type that a later service adds", "equipment.robot.lost", {}],
    ["without the name of its limit", "equipment.limit.exceeded", { ...HOT, limit_name: "" }],
    ["with text for a number", "equipment.limit.exceeded", { ...HOT, above: "hot" }],
    ["of a unit that is not known", "equipment.maintenance.due", { ...OIL, unit: "loads" }],
    ["without a time", "equipment.asset.offline", { since: "soon" }],
  ])("is left to the service where it is one %s", (_why, type, data) => {
    expect(sentenceOf(about(type, data), ENGLISH)).toBeUndefined();
  });
});
