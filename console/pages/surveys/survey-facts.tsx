import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Fact } from "../../parts/facts.tsx";
import { Age, When } from "../../parts/time.tsx";
import type { Survey } from "./requests.ts";
import {
  figureText,
  fineOrUnknown,
  gateText,
  heightOrUnknown,
  placedText,
  sampleText,
} from "./words.ts";

/** What a survey is worth: when it was flown, how exact it is, and what its figures count from. */
export function SurveyFacts({ survey }: { readonly survey: Survey }) {
  const { accuracy, vertical_datum } = survey;
  return (
    <section aria-labelledby="survey-facts">
      <h2 id="survey-facts">{t("survey.facts")}</h2>
      <dl class="facts">
        <Fact name={t("surveys.flown")}>
          <When ms={Date.parse(survey.captured_at)} isPressable />
        </Fact>
        <Fact name={t("surveys.age")}>
          <Age ms={Date.parse(survey.captured_at)} />
        </Fact>
        <Fact name={t("survey.placed")}>{placedText(accuracy)}</Fact>
        <Fact name={t("survey.scale")}>
          {accuracy.scale_sigma_percent === null
            ? t("value.unknown")
            : t("survey.sigma_percent", { value: show.number(accuracy.scale_sigma_percent) })}
        </Fact>
        <Fact name={t("survey.reprojection")}>
          {accuracy.reprojection_rms_px === null
            ? t("value.unknown")
            : t("survey.pixels", { value: show.number(accuracy.reprojection_rms_px) })}
        </Fact>
        <Fact name={t("survey.control")}>{fineOrUnknown(accuracy.control_rms_m)}</Fact>
        <Fact name={t("survey.check")}>{fineOrUnknown(accuracy.check_rms_m)}</Fact>
        <Fact name={t("surveys.sample")}>{sampleText(survey)}</Fact>
        <Fact name={t("survey.cell")}>{fineOrUnknown(survey.cell_m)}</Fact>
        <Fact name={t("survey.lowest")}>{heightOrUnknown(survey.lowest_m)}</Fact>
        <Fact name={t("survey.highest")}>{heightOrUnknown(survey.highest_m)}</Fact>
        <Fact name={t("survey.datum")}>
          {t(`survey.datum.${vertical_datum.kind}`)}
          <span class="muted small block">{vertical_datum.name}</span>
        </Fact>
        <Fact name={t("survey.system")}>{survey.coordinate_system ?? t("value.unknown")}</Fact>
      </dl>
    </section>
  );
}

/** What the checks of a survey found, each with its limit and what to do, and the warnings. */
export function Findings({ survey }: { readonly survey: Survey }) {
  const { findings, warnings } = survey;
  return (
    <section aria-labelledby="survey-findings">
      <h2 id="survey-findings">{t("surveys.findings")}</h2>
      {findings === null ? <p>{t("survey.findings_unknown")}</p> : null}
      {findings?.length === 0 && warnings.length === 0 ? <p>{t("survey.findings_none")}</p> : null}
      <ul class="stack">
        {(findings ?? []).map((finding) => (
          <li key={`${finding.gate} ${finding.advice}`} class="notice">
            <strong class="block">
              {t(`survey.severity.${finding.severity}`, { gate: gateText(finding.gate) })}
            </strong>
            <span class="block">
              {t("survey.measured_limit", {
                measured: figureText(finding.measured),
                limit: figureText(finding.limit),
              })}
            </span>
            <span class="block">{finding.advice}</span>
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning} class="small">
            {warning}
          </li>
        ))}
      </ul>
    </section>
  );
}
