/** Words of every chart, in English. */
export const EN_CHART = {
  "chart.no_values": "Nothing was measured in this time.",
  "chart.at": "At {time}",
  "chart.pointed": "Point at the chart to read the values of a time.",
  "chart.table_show": "Show as a table",
  "chart.table_hide": "Hide the table",
  "chart.table_of": "Values of: {title}",
  "chart.table_rows": "{rows} of {total} times, evenly chosen.",
  "chart.time": "Time",
  "chart.no_value": "no value",
} as const;
