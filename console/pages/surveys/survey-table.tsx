import { Link } from "wouter-preact";
import { t } from "../../i18n/t.ts";
import { Age, When } from "../../parts/time.tsx";
import { projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import type { ListedSurvey } from "./requests.ts";
import { accuracyText, findingsText, sampleText, sourceText } from "./words.ts";

/** Surveys with what each is worth, one a row. */
export function SurveyTable({ surveys }: { readonly surveys: readonly ListedSurvey[] }) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{t("surveys.flown")}</th>
          <th scope="col">{t("surveys.age")}</th>
          <th scope="col">{t("surveys.for")}</th>
          <th scope="col">{t("surveys.accuracy")}</th>
          <th scope="col">{t("surveys.sample")}</th>
          <th scope="col">{t("surveys.findings")}</th>
        </tr>
      </thead>
      <tbody>
        {surveys.map((survey) => (
          <SurveyRow key={survey.id} survey={survey} />
        ))}
      </tbody>
    </table>
  );
}

function SurveyRow({ survey }: { readonly survey: ListedSurvey }) {
  const ms = Date.parse(survey.captured_at);
  const project = projects.value.find(({ id }) => id === survey.project_id);
  return (
    <tr>
      <th scope="row">
        <Link href={toPage(`/surveys/${survey.id}`)}>
          <When ms={ms} />
        </Link>
      </th>
      <td data-label={t("surveys.age")}>
        <Age ms={ms} />
      </td>
      <td data-label={t("surveys.for")}>
        {sourceText(survey)}
        <span class="muted small block">{project?.name ?? survey.project_id}</span>
        {survey.bounds === null ? <span class="small block">{t("surveys.gone")}</span> : null}
      </td>
      <td data-label={t("surveys.accuracy")}>{accuracyText(survey.accuracy)}</td>
      <td data-label={t("surveys.sample")}>{sampleText(survey)}</td>
      <td data-label={t("surveys.findings")}>{findingsText(survey)}</td>
    </tr>
  );
}
