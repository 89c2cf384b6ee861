import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { Curve } from "./requests.ts";
import { dateOf, doneText, intervalText } from "./words.ts";

/** The figures of a curve: of each report, and the ends of plan and forecast. */
export function CurveTable({ curve }: { readonly curve: Curve }) {
  const { plan, actual, earned_value: forecast } = curve;
  const heads = {
    done: t("progress.done"),
    interval: t("progress.interval"),
    whole: t("progress.interval_whole"),
    planned: t("progress.planned"),
    seen: t("progress.seen"),
  };
  const ends = [
    ...(plan === null
      ? []
      : [
          { name: t("progress.plan_start"), at: plan.start },
          { name: t("progress.plan_finish"), at: plan.finish },
        ]),
    ...(forecast?.forecast_finish == null
      ? []
      : [{ name: t("progress.forecast_finish"), at: forecast.forecast_finish }]),
  ];
  return (
    <>
      <table class="table">
        <caption class="hidden">{t("progress.curve_table")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("progress.report_of")}</th>
            {Object.entries(heads).map(([key, head]) => (
              <th key={key} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {actual.map((report) => (
            <tr key={report.report_id}>
              <th scope="row">{show.dateTime(Date.parse(report.capture_date))}</th>
              <td data-label={heads.done}>
                {doneText(report.progress_percentage, report.seen_percent)}
              </td>
              <td data-label={heads.interval}>{intervalText(report.seen_interval_95)}</td>
              <td data-label={heads.whole}>{intervalText(report.interval_95)}</td>
              <td data-label={heads.planned}>{show.tenth(report.planned)}</td>
              <td data-label={heads.seen}>{show.tenth(report.seen_percent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="facts">
        {ends.map(({ name, at }) => (
          <div key={name} class="fact-pair">
            <dt>{name}</dt>
            <dd>{dateOf(at)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
