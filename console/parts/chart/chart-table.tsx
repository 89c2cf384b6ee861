import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { type ChartSeries, tableRows } from "./series.ts";

/** Rows of a table: more is nothing that one reads, and the chart's own data can be exported. */
const ROWS = 60;

/** Words about a time, which no line has. */
export interface ChartRemark {
  readonly name: string;
  readonly at: (ms: number) => string | undefined;
}

interface ChartTableProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly remark?: ChartRemark | undefined;
}

/** The lines of a chart as a table, behind a button. */
export function ChartTable({ title, series, remark }: ChartTableProps) {
  const isOpen = useSignal(false);
  const id = useId();
  return (
    <div class="chart-table">
      <button
        type="button"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.peek();
        }}
      >
        {t(isOpen.value ? "chart.table_hide" : "chart.table_show")}
      </button>
      <div id={id}>
        {isOpen.value ? <Rows title={title} series={series} remark={remark} /> : null}
      </div>
    </div>
  );
}

function Rows({ title, series, remark }: ChartTableProps) {
  const { rows, total } = tableRows(series, ROWS);
  return (
    <>
      {rows.length < total ? (
        <p class="muted small">
          {t("chart.table_rows", { rows: show.number(rows.length), total: show.number(total) })}
        </p>
      ) : null}
      <table class="table">
        <caption class="hidden">{t("chart.table_of", { title })}</caption>
        <thead>
          <tr>
            <th scope="col">{t("chart.time")}</th>
            {series.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
            {remark === undefined ? null : <th scope="col">{remark.name}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ ms, values }) => (
            <tr key={ms}>
              <th scope="row">{show.dateTime(ms)}</th>
              {series.map(({ key, name, format }, line) => {
                const value = values[line];
                return (
                  <td key={key} data-label={name}>
                    {value === undefined || value === null ? t("chart.no_value") : format(value)}
                  </td>
                );
              })}
              {remark === undefined ? null : <td data-label={remark.name}>{remark.at(ms)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
