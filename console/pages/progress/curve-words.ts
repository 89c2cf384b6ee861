import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { Curve, CurvePoint } from "./requests.ts";
import { dateOf, intervalText, namesText } from "./words.ts";

/** What a curve says, as sentences. */
export function curveWords(curve: Curve): readonly string[] {
  const newest = curve.actual.at(-1);
  return [
    newest === undefined ? t("progress.say.no_report") : stateWords(newest),
    ...(newest === undefined ? [] : basisWords(newest)),
    planWords(curve),
    forecastWords(curve),
    ...(curve.left_out === 0
      ? []
      : [t("progress.say.left_out", { n: show.number(curve.left_out) })]),
  ];
}

function stateWords({
  capture_date,
  progress_percentage,
  planned,
  seen_interval_95,
  seen_percent,
}: CurvePoint): string {
  if (seen_percent === 0) return t("progress.say.nothing_seen", { date: dateOf(capture_date) });
  return t("progress.say.now", {
    date: dateOf(capture_date),
    percent: show.tenth(progress_percentage),
    interval: intervalText(seen_interval_95),
    planned: show.tenth(planned),
  });
}

/** What of the figure rests on work that was not seen. */
function basisWords(point: CurvePoint): readonly string[] {
  const { seen_percent, unseen_zones: unseen, earlier_zones: earlier, interval_95 } = point;
  const texts: string[] = [];
  if (seen_percent > 0 && seen_percent < 100) {
    texts.push(
      t("progress.say.unseen", {
        percent: show.tenth(seen_percent),
        zones: namesText(unseen),
        interval: intervalText(interval_95),
      }),
    );
  }
  if (earlier.length > 0) texts.push(t("progress.say.earlier", { zones: namesText(earlier) }));
  return texts;
}

function planWords({ plan }: Curve): string {
  if (plan === null) return t("progress.say.no_plan");
  const places = { start: dateOf(plan.start), finish: dateOf(plan.finish) };
  return plan.basis === "schedule"
    ? t("progress.say.schedule", { ...places, n: plan.revision ?? "" })
    : t("progress.say.dates", places);
}

function forecastWords({ earned_value: forecast, actual, plan }: Curve): string {
  const newest = actual.at(-1);
  if (newest === undefined) return t("progress.say.forecast_no_report");
  if (forecast === null) {
    return t(
      plan?.basis === "schedule" ? "progress.say.forecast_later" : "progress.say.forecast_none",
    );
  }
  if (newest.progress_percentage >= 100 && forecast.forecast_finish !== null) {
    return t("progress.say.finished", { date: dateOf(forecast.forecast_finish) });
  }
  if (forecast.forecast_finish === null) return t("progress.say.no_pace");
  const [early, late] = forecast.forecast_finish_interval_95 ?? [];
  const date = dateOf(forecast.forecast_finish);
  if (early === undefined || late === undefined) return t("progress.say.forecast_open", { date });
  return t("progress.say.forecast", { date, early: dateOf(early), late: dateOf(late) });
}
