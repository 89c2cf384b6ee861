import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { fatesOfFailure, idsOfPath } from "./fates.ts";
import { ImageFates } from "./image-fates.tsx";
import { cancelJob, type JobDetail, readJob } from "./requests.ts";
import { CaptureResult, MeasureResult } from "./results.tsx";

/** How often a job is asked for while the page is looked at, ms. */
const POLL_MS = 3_000;

/** One job: what is worked on, how long still, and at its end what came of it and of each image. */
export function JobCard({ id }: { readonly id: string }) {
  const { data, failure, read } = useAnswer(() => readJob(id), id, POLL_MS);
  const refused = useSignal<Failure | undefined>(undefined);
  const job = data.value;

  async function cancel() {
    const outcome = await cancelJob(id);
    refused.value = "failure" in outcome ? outcome.failure : undefined;
    await read();
  }

  if (job === undefined) {
    return failure.value === undefined ? <Loading /> : <FailureNotice failure={failure.value} />;
  }
  const isOpen = job.status === "queued" || job.status === "running";
  const area = job.kind === "measure" ? "materials:write" : "progress:write";
  return (
    <section class="card stack" aria-labelledby="job-title">
      <h2 id="job-title">{t(`jobs.kind.${job.kind}`)}</h2>
      <p role="status">{t(`jobs.status.${job.status}`)}</p>
      {isOpen ? <Progress job={job} /> : null}
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {refused.value === undefined ? null : <FailureNotice failure={refused.value} />}
      {isOpen && may(area) ? (
        <button type="button" disabled={job.cancel_requested} onClick={() => void cancel()}>
          {t(job.cancel_requested ? "jobs.canceling" : "jobs.cancel")}
        </button>
      ) : null}
      {job.status === "failed" ? (
        <>
          <p class="notice notice-bad">{job.error?.message ?? t("jobs.failed_without")}</p>
          {(job.error?.details ?? []).map(({ advice }) =>
            advice === undefined ? null : <p key={advice}>{advice}</p>,
          )}
          <ImageFates fates={fatesOfFailure(job)} />
        </>
      ) : null}
      {job.result === null ? null : <Result job={job} path={job.result} />}
    </section>
  );
}

function Progress({ job }: { readonly job: JobDetail }) {
  const { progress_percent, stage, seconds_left } = job;
  return (
    <div class="block">
      <progress max={100} value={progress_percent} aria-label={t("jobs.progress")} />
      <p>
        {show.percent(Math.floor(progress_percent))} · {stage === "" ? t("jobs.waiting") : stage}
      </p>
      {seconds_left === null ? null : (
        <p class="muted small">
          {t("jobs.left", { time: show.duration(Math.ceil(seconds_left) * 1_000) })}
        </p>
      )}
      <p class="muted small">{t("jobs.may_close")}</p>
    </div>
  );
}

function Result({ job, path }: { readonly job: JobDetail; readonly path: string }) {
  const { owner, id } = idsOfPath(path);
  if (job.kind === "measure") {
    return (
      <>
        <MeasureResult pileId={owner} id={id} />
        <Link href={toPage(`/stockpiles/${owner}`)}>{t("jobs.to_pile")}</Link>
      </>
    );
  }
  if (job.kind !== "capture") return null;
  return <CaptureResult id={id} />;
}
