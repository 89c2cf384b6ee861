import { Link, useSearch } from "wouter-preact";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { When } from "../../parts/time.tsx";
import { projectId, projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { JobCard } from "./job-card.tsx";
import { type Job, readJobs } from "./requests.ts";

/** How often the list is asked for while the page is looked at, ms. */
const POLL_MS = 5_000;

/** What is worked on and was, and one job in full (`?job=`). */
export function JobsPage() {
  const project = projectId.value;
  const { data, failure } = useAnswer(() => readJobs(project), project ?? "", POLL_MS);
  const query = new URLSearchParams(useSearch());
  const jobs = data.value;
  // A flight of a project is known by its capture until the list has its job: the newest one.
  const newest = query.has("capture") ? jobs?.find(({ kind }) => kind === "capture") : undefined;
  const open = query.get("job") ?? newest?.id;
  return (
    <div class="page">
      <PageHead title={t("jobs.title")}>
        <p class="head-link">
          <Link href={toPage("/upload")}>{t("jobs.send_flight")}</Link>
        </p>
      </PageHead>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {open === undefined ? null : <JobCard key={open} id={open} />}
      {jobs === undefined ? <Loading /> : <JobList jobs={jobs} open={open} />}
    </div>
  );
}

interface JobListProps {
  readonly jobs: readonly Job[];
  readonly open: string | undefined;
}

function JobList({ jobs, open }: JobListProps) {
  if (jobs.length === 0) return <Empty title={t("jobs.none")}>{t("jobs.none_hint")}</Empty>;
  return (
    <ul class="rows" aria-label={t("jobs.list")}>
      {jobs.map(({ id, kind, status, progress_percent, created_at, project_id }) => (
        <li key={id}>
          <Link href={toPage("/jobs", { job: id })} aria-current={id === open ? "true" : undefined}>
            {t(`jobs.kind.${kind}`)}
          </Link>
          <span>
            {t(`jobs.status.${status}`)}
            {status === "running" ? ` · ${show.percent(Math.floor(progress_percent))}` : ""}
          </span>
          <span class="muted small">
            {projects.value.find((project) => project.id === project_id)?.name ?? project_id} ·{" "}
            <When ms={Date.parse(created_at)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
