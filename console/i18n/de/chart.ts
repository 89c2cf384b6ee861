import type { EN_CHART } from "../en/chart.ts";

/** Words of every chart, in German. */
export const DE_CHART: Readonly<Record<keyof typeof EN_CHART, string>> = {
  "chart.no_values": "In dieser Zeit wurde nichts gemessen.",
  "chart.at": "Um {time}",
  "chart.pointed": "Ein Zeiger auf dem Diagramm zeigt die Werte einer Zeit.",
  "chart.table_show": "Als Tabelle zeigen",
  "chart.table_hide": "Tabelle ausblenden",
  "chart.table_of": "Werte zu: {title}",
  "chart.table_rows": "{rows} von {total} Zeiten, gleichmäßig ausgewählt.",
  "chart.time": "Zeit",
  "chart.no_value": "kein Wert",
};
