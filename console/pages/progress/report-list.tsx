import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { serviceText } from "../../format/service-text.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { When } from "../../parts/time.tsx";
import { ProgressStatus } from "./headline.tsx";
import { type CurvePoint, printableReport, type Report, readReport } from "./requests.ts";
import { doneText, intervalText } from "./words.ts";

/** Reports that are listed at first: those of the last weeks. */
const SHOWN = 10;

/** Every report, newest first, with its page to print and what people corrected in it. */
export function ReportList({ reports }: { readonly reports: readonly CurvePoint[] }) {
  const isWhole = useSignal(false);
  const newestFirst = reports.toReversed();
  const shown = isWhole.value ? newestFirst : newestFirst.slice(0, SHOWN);
  return (
    <>
      <ul class="report-list">
        {shown.map((report) => (
          <ReportLine key={report.report_id} report={report} />
        ))}
      </ul>
      {shown.length === newestFirst.length ? null : (
        <button
          type="button"
          class="start"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {t("machines.more", { n: show.number(newestFirst.length - shown.length) })}
        </button>
      )}
    </>
  );
}

function ReportLine({ report }: { readonly report: CurvePoint }) {
  const whole = useSignal<Report | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isOpen = useSignal(false);

  async function open() {
    isOpen.value = !isOpen.peek();
    if (!isOpen.peek() || whole.peek() !== undefined) return;
    const outcome = await readReport(report.report_id);
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) whole.value = outcome.value;
  }

  return (
    <li class="stack">
      <div class="report-line">
        <span>
          <When ms={Date.parse(report.capture_date)} />
        </span>
        <span>
          <strong>{doneText(report.progress_percentage, report.seen_percent)}</strong>{" "}
          <span class="muted">
            ({intervalText(report.seen_interval_95)}),{" "}
            {t("progress.planned_short", { planned: show.tenth(report.planned) })}
          </span>
        </span>
        <ProgressStatus status={report.status} />
        <span class="tool-row no-print">
          <a href={printableReport(report.report_id)} target="_blank" rel="noreferrer">
            {t("progress.open_report")}
          </a>
          <button type="button" aria-expanded={isOpen.value} onClick={() => void open()}>
            {t("progress.details")}
          </button>
        </span>
      </div>
      {isOpen.value ? (
        failure.value !== undefined ? (
          <FailureNotice failure={failure.value} />
        ) : whole.value === undefined ? (
          <Loading />
        ) : (
          <Revision report={whole.value} />
        )
      ) : null}
    </li>
  );
}

/** Which revision a report is, by whom and why. */
function Revision({ report }: { readonly report: Report }) {
  const { correction, supersedes, recorded_at, revision, warnings } = report;
  return (
    <dl class="facts">
      <dt>{t("progress.recorded")}</dt>
      <dd>
        <When ms={Date.parse(recorded_at)} />
      </dd>
      <dt>{t("progress.revision")}</dt>
      <dd>
        {show.number(revision)}
        {correction === null
          ? ` · ${t("progress.uncorrected")}`
          : ` · ${t("progress.corrected", { by: correction.by, note: correction.note })}`}{" "}
        {supersedes === null ? null : (
          <a href={printableReport(supersedes)} target="_blank" rel="noreferrer">
            {t("progress.before_correction")}
          </a>
        )}
      </dd>
      <dt>{t("progress.warnings")}</dt>
      <dd>{warnings.length === 0 ? t("progress.no_warnings") : <Warnings of={warnings} />}</dd>
    </dl>
  );
}

/** What a reader must know of a report, in the words of the service. */
export const Warnings = (props: { readonly of: readonly string[] }) => (
  <ul class="warnings" lang="en">
    {props.of.map((warning) => (
      <li key={warning}>{serviceText(warning)}</li>
    ))}
  </ul>
);
