import type { EN_UTILISATION } from "../en/utilisation.ts";

/** Words of the utilisation of the fleet and of the columns of tables, in German. */
export const DE_UTILISATION: Readonly<Record<keyof typeof EN_UTILISATION, string>> = {
  "nav.utilisation": "Auslastung",
  "fleet.title": "Auslastung der Flotte",
  "fleet.figure": "Größe",
  "fleet.days": "Tage",
  "fleet.rows": "Zeilen",
  "fleet.rows.asset": "Maschinen",
  "fleet.rows.type": "Arten",
  "fleet.rows.project": "Projekte",
  "fleet.range": "{from} bis {to}",
  "fleet.table": "{figure}, {rows} je Tag",
  "fleet.machine": "Maschine",
  "fleet.type": "Art",
  "fleet.project": "Projekt",
  "fleet.sum": "Summe",
  "fleet.all": "Alle",
  "fleet.unknown": "unbekannt",
  "fleet.no_report": "keine Meldung",
  "fleet.partly": "{known} von {all} Maschinentagen bekannt",
  "fleet.share": "{percent} {basis}",
  "fleet.computed": "berechnet aus: {basis}",
  "fleet.legend":
    "Je kräftiger die Farbe einer Zelle, desto höher der Wert. „Unbekannt“ ist nicht 0: Die Maschine hat zu wenig gemeldet. „Keine Meldung“: An diesem Tag kam nichts. Unter einem Wert stehen seine Grenzen und worauf er beruht: Was weder vom Zähler kommt noch erschlossen ist, wurde beobachtet.",
  "fleet.today": "bisher",
  "fleet.csv": "Als CSV speichern",
  "fleet.print": "Drucken",
  "fleet.empty": "Nichts zu zeigen",
  "fleet.empty_hint": "In dieser Zeit hat sich keine Maschine gemeldet.",
  "fleet.machines_one": "{n} Maschine",
  "fleet.machines_other": "{n} Maschinen",
  "fleet.more": "{n} weitere zeigen",

  "columns.choose": "Spalten",
  "columns.csv": "Als CSV speichern",
};
