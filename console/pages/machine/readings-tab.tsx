import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { csvOf } from "../../format/csv.ts";
import { fieldName } from "../../format/field-name.ts";
import { fieldShown, unitSymbol } from "../../format/field-units.ts";
import { show } from "../../format/show.ts";
import { locale, t, tn } from "../../i18n/t.ts";
import type { ChartSeries } from "../../parts/chart/series.ts";
import { TimeChart } from "../../parts/chart/time-chart.tsx";
import { ExportNote } from "../../parts/export-note.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { saveCsv } from "../../parts/save-file.ts";
import { Select } from "../../parts/select.tsx";
import { preferences } from "../../state/preferences.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { drawableFields, extremesOf, gapOf, samplesOf, timeOf } from "./readings.ts";
import type { TabProps } from "./tab.ts";

type Telemetry = components["schemas"]["Telemetry"];

const HOURS = [1, 6, 24, 72, 168] as const;
const HOUR_MS = 3_600_000;
/** More points than a chart is wide are not seen. */
const POINTS = 1_000;
const CHOSEN_FIRST = 2;

/** Values of the device over time, a chart for each. */
export function ReadingsTab({ asset }: TabProps) {
  const fields = drawableFields(asset.latest);
  const hours = useSignal<number>(HOURS[0]);
  const chosen = useSignal<readonly string[]>(fields.slice(0, CHOSEN_FIRST));
  const at = useSignal<number | undefined>(undefined);
  const readings = useAnswer(
    () => readRows(asset.id, chosen.value, hours.value),
    `${asset.id} ${hours.value} ${chosen.value.join()}`,
  );
  const { value } = readings.data;
  const gapMs = gapOf(hours.value * HOUR_MS, POINTS);
  const failure = readings.failure.value;
  if (fields.length === 0) return <Empty title={t("readings.none")} />;
  return (
    <section class="readings" aria-labelledby="readings">
      <h2 id="readings">{t("readings.title")}</h2>
      <div class="filters">
        <label>
          {t("readings.range")}{" "}
          <Select
            value={hours.value}
            choices={HOURS.map((one) => [one, tn("readings.hours", one)])}
            onChoose={(chosen) => {
              hours.value = chosen;
            }}
          />
        </label>
        {value === undefined || value.data.length === 0 ? null : (
          <>
            <button
              type="button"
              onClick={() =>
                saveCsv(`readings-${asset.id}.csv`, csvOf(csvRows(value, chosen.value)))
              }
            >
              {t("readings.csv")}
            </button>
            <ExportNote />
          </>
        )}
      </div>
      <fieldset class="check-row">
        <legend>{t("readings.fields")}</legend>
        {fields.map((field) => (
          <label key={field} class="check">
            <input
              type="checkbox"
              checked={chosen.value.includes(field)}
              onChange={(event) => {
                const others = chosen.peek().filter((one) => one !== field);
                chosen.value = event.currentTarget.checked ? [...others, field] : others;
              }}
            />
            {fieldName(field)}
          </label>
        ))}
      </fieldset>
      {chosen.value.length === 0 ? <p class="muted">{t("readings.choose")}</p> : null}
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void readings.read()} />
      )}
      {value === undefined && failure === undefined && chosen.value.length > 0 ? <Loading /> : null}
      {value === undefined
        ? null
        : chosen.value.map((field) => (
            <FieldChart key={field} field={field} telemetry={value} gapMs={gapMs} at={at} />
          ))}
      <p class="muted small">
        {t("readings.thinned", { n: show.number(POINTS), gap: show.duration(gapMs) })}
      </p>
    </section>
  );
}

interface FieldChartProps {
  readonly field: string;
  readonly telemetry: Telemetry;
  readonly gapMs: number;
  readonly at: Parameters<typeof TimeChart>[0]["at"];
}

function FieldChart({ field, telemetry, gapMs, at }: FieldChartProps) {
  const language = locale.value;
  const { units } = preferences.value;
  // The chart draws anew for another array.
  const series = useMemo<readonly ChartSeries[]>(
    () => [
      {
        key: field,
        name: fieldName(field),
        unit: unitSymbol(field, units, language),
        samples: samplesOf(telemetry.data, field, (value) => fieldShown(field, value, units)),
        format: (shown) => show.shownField(field, shown),
      },
    ],
    [field, telemetry, units, language],
  );
  const range = { fromMs: Date.parse(telemetry.from), toMs: Date.parse(telemetry.to) };
  const name = fieldName(field);
  const extremes = extremesOf(series[0]?.samples ?? []);
  const message =
    extremes === undefined
      ? t("readings.no_message", { name })
      : t("readings.message", {
          name,
          min: show.shownField(field, extremes.min),
          max: show.shownField(field, extremes.max),
          last: show.shownField(field, extremes.last),
        });
  return (
    <TimeChart title={name} message={message} series={series} gapMs={gapMs} range={range} at={at} />
  );
}

async function readRows(assetId: string, fields: readonly string[], hours: number) {
  const to = serviceNow();
  const times = {
    from: new Date(to - hours * HOUR_MS).toISOString(),
    to: new Date(to).toISOString(),
  };
  if (fields.length === 0) {
    return {
      value: { ...times, asset_id: assetId, data: [], pagination: { limit: 0, has_more: false } },
    };
  }
  return outcomeOf(
    api.GET("/api/v1/equipment/assets/{asset_id}/telemetry", {
      params: {
        path: { asset_id: assetId },
        query: { ...times, fields: [...fields], max_points: POINTS },
      },
    }),
  );
}

function csvRows({ data }: Telemetry, fields: readonly string[]) {
  return [
    ["timestamp", ...fields],
    ...data.map((row) => [
      timeOf(row),
      ...fields.map((field) => {
        const value = row[field];
        return typeof value === "number" ? value : undefined;
      }),
    ]),
  ];
}
