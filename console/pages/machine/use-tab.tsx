import { useSignal } from "@preact/signals";
import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { csvOf } from "../../format/csv.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { ExportNote } from "../../parts/export-note.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { saveCsv } from "../../parts/save-file.ts";
import { Select } from "../../parts/select.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { zonesOf } from "../../state/zone.ts";
import { DayBars } from "./day-bars.tsx";
import type { TabProps } from "./tab.ts";
import { idleOf, lastDays, type UseFigure } from "./use-figures.ts";

type Day = components["schemas"]["UtilizationDay"];
type Figure = components["schemas"]["UtilizationFigure"];

const RANGES = [7, 14, 31, 92] as const;
const NAMES = ["working", "overtime", "engine_on", "distance"] as const;

/** What the machine did on each day, with bounds and basis of each figure. */
export function UseTab({ asset }: TabProps) {
  const days = useSignal<number>(RANGES[1]);
  const use = useAnswer(
    () =>
      outcomeOf(
        api.GET("/api/v1/equipment/assets/{asset_id}/utilization", {
          params: {
            path: { asset_id: asset.id },
            query: { from: lastDays(days.value, serviceNow(), zonesOf([asset.project_id])).from },
          },
        }),
      ),
    `${asset.id} ${days.value} ${zonesOf([asset.project_id])}`,
  );
  const { value } = use.data;
  const failure = use.failure.value;
  // The newest first: that is what is looked for.
  const rows = value?.data.toReversed() ?? [];
  return (
    <section class="card" aria-labelledby="use">
      <h2 id="use">{t("use.title")}</h2>
      <div class="filters">
        <label>
          {t("use.days")}{" "}
          <Select
            value={days.value}
            choices={RANGES.map((one) => [one, t("use.days_n", { n: one })])}
            onChoose={(chosen) => {
              days.value = chosen;
            }}
          />
        </label>
        {rows.length === 0 ? null : (
          <>
            <button
              type="button"
              onClick={() => saveCsv(`use-${asset.id}.csv`, csvOf(csvRows(rows)))}
            >
              {t("use.csv")}
            </button>
            <ExportNote />
          </>
        )}
      </div>
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void use.read()} />
      )}
      {value === undefined && failure === undefined ? <Loading /> : null}
      {value !== undefined && rows.length === 0 ? <Empty title={t("use.none")} /> : null}
      {value === undefined || rows.length === 0 ? null : (
        <>
          <p class="muted small">{t("zone.days", { zones: value.time_zone })}</p>
          <DayBars days={value.data} from={value.from} to={value.to} />
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{t("use.day")}</th>
                <th scope="col">{t("use.worked")}</th>
                <th scope="col">{t("use.overtime")}</th>
                <th scope="col">{t("use.idle")}</th>
                <th scope="col">{t("use.engine")}</th>
                <th scope="col">{t("use.distance")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((day) => (
                <DayRow key={day.day} day={day} isLast={day.day === value.to} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

function DayRow({ day, isLast }: { readonly day: Day; readonly isLast: boolean }) {
  const { working, overtime, engine_on, distance } = day.figures;
  return (
    <tr>
      <th scope="row">
        {show.day(day.day)}
        {isLast ? <span class="muted small block">{t("use.today")}</span> : null}
      </th>
      <td data-label={t("use.worked")}>
        <Known figure={working} format={show.hours} />
        {day.utilization === null ? null : (
          <span class="muted small block">
            {t("use.share")}: {show.percent(day.utilization)}
          </span>
        )}
      </td>
      <td data-label={t("use.overtime")}>
        <Known figure={overtime} format={show.hours} />
      </td>
      <td data-label={t("use.idle")}>
        <Idle figure={idleOf(day.figures)} />
      </td>
      <td data-label={t("use.engine")}>
        <Known figure={engine_on} format={show.hours} />
      </td>
      <td data-label={t("use.distance")}>
        <Known figure={distance} format={show.distance} />
      </td>
    </tr>
  );
}

type Format = (value: number) => string;

/** A figure, its bounds, and what it rests on. */
function Known({ figure, format }: { readonly figure: Figure; readonly format: Format }) {
  const { value, basis, seen_percent, reason } = figure;
  if (value === null) {
    return (
      <span class="muted">
        {reason === undefined ? t("use.unknown") : t("use.unknown_because", { reason })}
      </span>
    );
  }
  return (
    <>
      {format(value)}
      <Bounds figure={figure} format={format} />
      <span class="muted small block">
        {t(`use.basis.${basis}`)}
        {seen_percent === null
          ? null
          : `; ${t("use.seen", { percent: show.percent(seen_percent) })}`}
      </span>
    </>
  );
}

function Idle({ figure }: { readonly figure: UseFigure }) {
  if (figure.value === null) return <span class="muted">{t("use.unknown")}</span>;
  return (
    <>
      {show.hours(figure.value)}
      <Bounds figure={figure} format={show.hours} />
      <span class="muted small block">{t("use.idle_basis")}</span>
    </>
  );
}

function Bounds({ figure, format }: { readonly figure: UseFigure; readonly format: Format }) {
  const { lower, upper } = figure;
  const text =
    lower === null || upper === null
      ? t("use.no_bounds")
      : t("use.bounds", { lower: format(lower), upper: format(upper) });
  return <span class="muted small block">{text}</span>;
}

function csvRows(days: readonly Day[]) {
  const head = NAMES.flatMap((name) => {
    const unit = name === "distance" ? "m" : "s";
    return [`${name}_${unit}`, `${name}_lower_${unit}`, `${name}_upper_${unit}`, `${name}_basis`];
  });
  return [
    ["day", "utilization_percent", ...head, "idle_s", "idle_lower_s", "idle_upper_s"],
    ...days.map((day) => [
      day.day,
      day.utilization ?? undefined,
      ...NAMES.flatMap((name) => {
        const { value, lower, upper, basis } = day.figures[name];
        return [value ?? undefined, lower ?? undefined, upper ?? undefined, basis];
      }),
      ...idleCells(idleOf(day.figures)),
    ]),
  ];
}

const idleCells = ({ value, lower, upper }: UseFigure) => [
  value ?? undefined,
  lower ?? undefined,
  upper ?? undefined,
];
