import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import type { Measurement } from "./requests.ts";

/** The report and the files of a measurement; what there is none of is not listed. */
export function FilesPanel({ measurement }: { readonly measurement: Measurement }) {
  const { exports } = measurement;
  const files = [
    ["report", measurement.report_url],
    ["survey_report", measurement.survey_report_url],
    ["survey_pdf", measurement.survey_report_pdf_url],
    ["profile", measurement.profile_url],
    ["surface", measurement.surface_url],
    ["orthophoto", measurement.orthomosaic_url],
    ["model", measurement.model_3d_url],
    ["change", measurement.change_url],
    ["point_cloud", exports.point_cloud],
    ["dtm", exports.dtm],
  ] as const;
  return (
    <>
      <p class="muted small">
        {t("pile.survey_of", { time: show.dateTime(Date.parse(measurement.measured_at)) })}
      </p>
      <ul class="pile-files">
        {files.map(([name, url]) =>
          url === undefined ? null : (
            <li key={name}>
              <a href={url} target="_blank" rel="noreferrer">
                {t(`pile.file.${name}`)}
              </a>
            </li>
          ),
        )}
      </ul>
      <p class="muted small">{t("pile.files_hint")}</p>
    </>
  );
}
