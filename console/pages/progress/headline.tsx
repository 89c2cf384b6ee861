import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { When } from "../../parts/time.tsx";
import type { Report } from "./requests.ts";
import { doneText, intervalText } from "./words.ts";

type Status = Report["status"];

/** A sign of each status, so that its colour is not needed. */
const SIGNS: Readonly<Record<Status, string>> = {
  ahead_of_schedule: "▲",
  on_schedule: "●",
  behind_schedule: "▼",
  completed: "✓",
};

export function ProgressStatus({ status }: { readonly status: Status }) {
  return (
    <span class={`progress-status progress-${status}`}>
      <span aria-hidden="true">{SIGNS[status]} </span>
      {t(`progress.status.${status}`)}
    </span>
  );
}

/** How far a project is, within which bounds, against which plan, and how sure that is. */
export function Headline({ report }: { readonly report: Report }) {
  const { schedule, status_confidence: confidence, seen_percent: seen } = report;
  return (
    <section class="card headline" aria-label={t("progress.headline")}>
      <p>
        <span class="headline-percent">{doneText(report.progress_percentage, seen)}</span>{" "}
        <span>{t("progress.with_95", { interval: intervalText(report.seen_interval_95) })}</span>
      </p>
      <p>
        <ProgressStatus status={report.status} />{" "}
        {t("progress.against", {
          planned: show.tenth(schedule.planned),
          variance: show.change(schedule.variance),
          tolerance: show.points(schedule.tolerance_points),
        })}
      </p>
      <p class={confidence === "low" ? "notice" : "muted"}>
        {t(`progress.confidence.${confidence}`)}
      </p>
      <p class="muted small">
        {schedule.basis === "schedule"
          ? t("progress.basis.schedule", { n: schedule.revision ?? "" })
          : t("progress.basis.project_dates")}{" "}
        {t("progress.weights", { weights: t(`progress.weights.${report.weight_basis}`) })}{" "}
        {seen < 100
          ? t("progress.part_seen", {
              percent: show.tenth(seen),
              interval: intervalText(report.interval_95),
            })
          : t("progress.all_seen", { interval: intervalText(report.interval_95) })}
      </p>
      <p class="muted small">
        {t("progress.images_of")} <When ms={Date.parse(report.capture_date)} isPressable />
        {report.correction === null
          ? null
          : ` · ${t("progress.corrected_by", {
              n: report.revision,
              by: report.correction.by,
              note: report.correction.note,
            })}`}
      </p>
    </section>
  );
}
