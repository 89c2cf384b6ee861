import { Link } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { When } from "../../parts/time.tsx";
import { projectId, projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { ProgressStatus } from "./headline.tsx";
import { type Overview, readOverview, readReport } from "./requests.ts";
import { doneText, intervalText } from "./words.ts";
import "./progress.css";

type Listed = NonNullable<Overview["progress"]>["reports"][number];

/** Every project with its last report, `/progress`. */
export function ProjectsPage() {
  const overview = useAnswer(readOverview, "");
  if (!may("progress:read")) {
    return (
      <div class="page">
        <PageHead title={t("progress.title")} />
        <Empty title={t("live.scope", { scope: "progress:read" })} />
      </div>
    );
  }
  const { value } = overview.data;
  const failure = overview.failure.value;
  const shown = projects.value.filter(
    ({ id }) => projectId.value === undefined || id === projectId.value,
  );
  const reports = new Map(value?.progress?.reports.map((one) => [one.project_id, one]));
  return (
    <div class="page">
      <PageHead title={t("progress.title")} />
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void overview.read()} />
      )}
      {value === undefined ? (
        failure === undefined ? (
          <Loading />
        ) : null
      ) : (
        <ul class="cards" aria-label={t("progress.projects")}>
          {shown.map(({ id, name }) => (
            <li key={id} class="card">
              <h2>
                <Link href={toPage(`/progress/${id}`)}>{name}</Link>
              </h2>
              <LastReport
                listed={reports.get(id)}
                isUnsure={value.progress?.reports_complete === false}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface LastReportProps {
  readonly listed: Listed | undefined;
  /** There are more projects than the overview has reports of. */
  readonly isUnsure: boolean;
}

function LastReport({ listed, isUnsure }: LastReportProps) {
  if (listed === undefined) {
    return <p class="muted">{t(isUnsure ? "progress.open_project" : "overview.no_reports")}</p>;
  }
  return <ReportFigures listed={listed} />;
}

function ReportFigures({ listed }: { readonly listed: Listed }) {
  const report = useAnswer(() => readReport(listed.id), listed.id);
  const { value } = report.data;
  const { comparison } = listed;
  return (
    <>
      <p>
        <span class="total">{doneText(comparison.actual, comparison.seen_percent)}</span>{" "}
        <span class="muted">
          {value === undefined
            ? t("progress.interval_loading")
            : t("progress.with_95", { interval: intervalText(value.seen_interval_95) })}
        </span>
      </p>
      <p>
        <ProgressStatus status={listed.status} />{" "}
        {t("progress.planned_short", { planned: show.tenth(comparison.planned) })}
      </p>
      {value === undefined ? null : (
        <p class="small">{t(`progress.confidence.${value.status_confidence}`)}</p>
      )}
      <p class="muted small">
        {t(`overview.basis.${comparison.basis}`)} ·{" "}
        {t("progress.seen_share", { percent: show.tenth(comparison.seen_percent) })} ·{" "}
        <When ms={Date.parse(listed.capture_date)} />
      </p>
    </>
  );
}
