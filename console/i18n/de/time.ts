import type { EN_TIME } from "../en/time.ts";

/** Words of time zones and units, in German. */
export const DE_TIME: Readonly<Record<keyof typeof EN_TIME, string>> = {
  "zone.project": "Zeiten in {zone}, der Zeitzone des Projekts",
  "zone.fleet": "Zeiten in {zone}, der Zeitzone aller gezeigten Projekte",
  "zone.several": "Zeiten in {zone}, der Zeitzone dieses Browsers: die Projekte haben mehrere",
  "zone.browser": "Zeiten in {zone}, der Zeitzone dieses Browsers",
  "zone.unfamiliar":
    "Zeiten in {zone}, der Zeitzone dieses Browsers, der die des Projekts nicht kennt: {wanted}",
  "zone.utc": "Zeiten in UTC",
  "zone.choice": "Zeiten in",
  "zone.choice.project": "Zeitzone des Projekts",
  "zone.choice.browser": "Zeitzone dieses Browsers",
  "zone.choice.utc": "UTC",
  "zone.days": "Tage der Zeitzone des Projekts: {zones}",
  "zone.field": "In {zone}",
  "zone.skipped": "Diese Zeit gibt es nicht: Die Uhren werden über sie hinweg vorgestellt.",
  "zone.double":
    "Die Uhren werden zurückgestellt: Diese Zeit kommt zweimal, gemeint ist die erste.",
  "quantity.field": "{name}, {unit}",
  "quantity.wrong": "Eine Zahl ab 0 nötig",
  "export.units": "Dateien haben metrische Einheiten und Zeiten in UTC.",
};
