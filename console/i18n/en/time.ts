/** Words of time zones and units, in English. */
export const EN_TIME = {
  "zone.project": "Times in {zone}, the time zone of the project",
  "zone.fleet": "Times in {zone}, the time zone of all projects shown",
  "zone.several": "Times in {zone}, the time zone of this browser: the projects are in several",
  "zone.browser": "Times in {zone}, the time zone of this browser",
  "zone.unfamiliar":
    "Times in {zone}, the time zone of this browser, which does not know that of the project, {wanted}",
  "zone.utc": "Times in UTC",
  "zone.choice": "Times in",
  "zone.choice.project": "Time zone of the project",
  "zone.choice.browser": "Time zone of this browser",
  "zone.choice.utc": "UTC",
  "zone.days": "Days of the time zone of the project: {zones}",
  "zone.field": "In {zone}",
  "zone.skipped": "There is no such time: clocks are put forward over it.",
  "zone.double": "Clocks are put back: this time comes twice, and the first is meant.",
  "quantity.field": "{name}, {unit}",
  "quantity.wrong": "Needs a number from 0",
  "export.units": "Files have metric units and times in UTC.",
} as const;
