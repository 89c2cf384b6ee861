import { Link } from "wouter-preact";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { fatesOfCapture, fatesOfMeasurement } from "./fates.ts";
import { ImageFates } from "./image-fates.tsx";
import { readCapture, readMeasurement } from "./requests.ts";

/** The volume with its interval, and what it rests on. */
export function MeasureResult({ pileId, id }: { readonly pileId: string; readonly id: string }) {
  const { data, failure } = useAnswer(() => readMeasurement(pileId, id), id);
  if (failure.value !== undefined) return <FailureNotice failure={failure.value} />;
  const measured = data.value;
  if (measured === undefined) return <Loading />;
  const { current_volume_m3, uncertainty_95_m3, is_current, accuracy_note, warnings } = measured;
  return (
    <>
      <p class="total">{t("jobs.volume", show.bounded(current_volume_m3, uncertainty_95_m3))}</p>
      <p class="muted small">
        {t("jobs.measured", { time: show.dateTime(Date.parse(measured.measured_at)) })}{" "}
        {is_current ? "" : t("jobs.not_current")}
      </p>
      <p>{accuracy_note}</p>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      <ImageFates fates={fatesOfMeasurement(measured)} />
    </>
  );
}

/** What a flight, or other pictures, of a project gave. */
export function CaptureResult({ id }: { readonly id: string }) {
  const { data, failure } = useAnswer(() => readCapture(id), id);
  if (failure.value !== undefined) return <FailureNotice failure={failure.value} />;
  const capture = data.value;
  if (capture === undefined) return <Loading />;
  return (
    <>
      {capture.no_report === null ? null : <p>{capture.no_report}</p>}
      {capture.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      <ImageFates fates={fatesOfCapture(capture)} />
      {/* Pictures of fixed cameras and by hand leave no surface, and so no survey. */}
      {capture.capture_type === "drone" ? (
        <Link href={toPage(`/surveys/${id}`)}>{t("jobs.to_survey")}</Link>
      ) : null}
      {capture.report_id === null ? null : (
        <Link href={toPage(`/progress/${capture.project_id}`)}>{t("jobs.to_report")}</Link>
      )}
    </>
  );
}
