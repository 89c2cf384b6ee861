import type { ComponentType } from "preact";
import { Link, useParams } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { readSurvey, type Survey } from "./requests.ts";

interface ReadSurveyPageProps {
  /** Heading until the survey is there. */
  readonly title: string;
  readonly Shown: ComponentType<{ readonly survey: Survey }>;
}

/** A page about the survey of the address: reads it, and says why it cannot be shown. */
export function ReadSurveyPage({ title, Shown }: ReadSurveyPageProps) {
  const { id = "" } = useParams<{ readonly id: string }>();
  const mayRead = may("materials:read") || may("progress:read");
  const { data, failure, read } = useAnswer(() => readSurvey(id), id);
  const survey = data.value;
  if (mayRead && survey !== undefined) return <Shown key={survey.id} survey={survey} />;
  return (
    <div class="page">
      <PageHead title={title}>
        <Link href={toPage("/surveys")}>{t("survey.back")}</Link>
      </PageHead>
      {mayRead ? null : (
        <Empty title={t("live.scope", { scope: "materials:read, progress:read" })} />
      )}
      {!mayRead || failure.value !== undefined ? null : <Loading />}
      {!mayRead || failure.value === undefined ? null : (
        <FailureNotice failure={failure.value} onRetry={() => void read()} />
      )}
    </div>
  );
}
