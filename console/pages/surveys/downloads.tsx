import { t } from "../../i18n/t.ts";
import type { Survey } from "./requests.ts";

const EXPORTS = [
  "point_cloud",
  "dtm",
  "contours_geojson",
  "contours_dxf",
  "cameras",
  "opensfm_reconstruction",
  "opensfm_shots",
  "colmap_cameras",
  "colmap_images",
  "colmap_points",
] as const;

/** Files of a survey; only those that there are. */
export function Downloads({ survey }: { readonly survey: Survey }) {
  const { products } = survey;
  const files: readonly (readonly [name: string, address: string | null | undefined])[] = [
    [t("survey.file.report_page"), products.survey_report_url],
    [t("survey.file.report"), products.survey_report_pdf_url],
    [t("survey.file.surface"), products.surface_url],
    [t("survey.file.orthophoto"), products.orthomosaic_url],
    [t("survey.file.model"), products.model_3d_url],
    ...EXPORTS.map((name) => [t(`survey.file.${name}`), products.exports[name]] as const),
  ];
  return (
    <section aria-labelledby="survey-downloads">
      <h2 id="survey-downloads">{t("survey.downloads")}</h2>
      <ul class="download-list">
        {files.map(([name, address]) =>
          address == null ? null : (
            <li key={name}>
              <a href={address}>{name}</a>
            </li>
          ),
        )}
      </ul>
      <p class="muted small">{t("survey.downloads_hint")}</p>
    </section>
  );
}
