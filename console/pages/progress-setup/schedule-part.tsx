import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { workZones } from "../../state/site-places.ts";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { Warnings } from "../progress/report-list.tsx";
import { dateOf } from "../progress/words.ts";
import { MatchTable } from "./match-table.tsx";
import { type Assignments, assigned, NO_ASSIGNMENTS, stillUnmatched } from "./matching.ts";
import {
  type DryRun,
  dryRunSchedule,
  readRevisions,
  readSchedule,
  type Schedule,
} from "./requests.ts";
import { RevisionList } from "./revision-list.tsx";
import { storeMatchesAndImport } from "./store-import.ts";

/** Largest file that the service takes, bytes. */
const MOST_BYTES = 20 * 1_048_576;
/** Flaws of a file that are listed; one with more is wrong throughout. */
const FLAWS = 20;

/** A file of a schedule: what it would match, what a person gives to zones, and then the import. */
export function SchedulePart({ project }: { readonly project: string }) {
  const file = useSignal<File | undefined>(undefined);
  const dryRun = useSignal<DryRun | undefined>(undefined);
  const assignments = useSignal<Assignments>(NO_ASSIGNMENTS);
  const imported = useSignal<Schedule | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const current = useAnswer(() => readSchedule(project), project);
  const revisions = useAnswer(() => readRevisions(project), project);

  async function choose(chosen: File | undefined) {
    file.value = chosen;
    dryRun.value = undefined;
    imported.value = undefined;
    failure.value = undefined;
    assignments.value = NO_ASSIGNMENTS;
    if (chosen === undefined || chosen.size > MOST_BYTES) return;
    isBusy.value = true;
    const outcome = await dryRunSchedule(project, chosen);
    isBusy.value = false;
    // Another file was chosen meanwhile.
    if (file.peek() !== chosen) return;
    if ("failure" in outcome) failure.value = outcome.failure;
    else dryRun.value = outcome.value;
  }

  async function send() {
    const chosen = file.peek();
    if (chosen === undefined || isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await storeMatchesAndImport(project, chosen, assignments.peek());
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("failure" in outcome) return;
    imported.value = outcome.value;
    dryRun.value = undefined;
    void workZones.read([project]);
    void current.read();
    void revisions.read();
  }

  const isLarge = (file.value?.size ?? 0) > MOST_BYTES;
  return (
    <section class="card" aria-label={t("setup.schedule")}>
      <h2>{t("setup.schedule")}</h2>
      <CurrentSchedule schedule={current.data.value} status={current.failure.value?.status} />
      {may("progress:write") ? (
        <Field
          name={t("setup.schedule_file")}
          hint={t("setup.schedule_hint")}
          error={isLarge ? t("fences.file_large", { most: MOST_BYTES / 1_048_576 }) : undefined}
        >
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".xer,.xml,.csv"
              onChange={(event) => void choose(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
      ) : (
        <p class="notice">{t("setup.read_only")}</p>
      )}
      {isBusy.value ? <p role="status">{t("setup.working")}</p> : null}
      {failure.value === undefined ? null : <ImportFailure failure={failure.value} />}
      {dryRun.value === undefined ? null : (
        <DryRunView
          dryRun={dryRun.value}
          assignments={assignments.value}
          onAssign={(matches, zoneId) => {
            assignments.value = matches.reduce(
              (before, match) => assigned(before, match, zoneId),
              assignments.peek(),
            );
          }}
          isBusy={isBusy.value}
          onImport={() => void send()}
        />
      )}
      {imported.value === undefined ? null : (
        <p class="notice" role="status">
          {t("setup.imported", { n: imported.value.revision })}{" "}
          {tn("setup.unmatched", imported.value.unmatched_activities)}{" "}
          <Link href={toPage(`/progress/${project}`)}>{t("setup.to_curve")}</Link>
        </p>
      )}
      <RevisionList answer={revisions} />
    </section>
  );
}

interface CurrentScheduleProps {
  readonly schedule: Schedule | undefined;
  /** HTTP status of a failed read. */
  readonly status: number | undefined;
}

function CurrentSchedule({ schedule, status }: CurrentScheduleProps) {
  if (schedule === undefined) {
    return status === 404 ? <p class="muted">{t("setup.no_schedule")}</p> : null;
  }
  return (
    <>
      <p>
        {t("setup.current", {
          n: schedule.revision,
          name: schedule.name,
          start: dateOf(schedule.start),
          finish: dateOf(schedule.finish),
        })}{" "}
        {tn("setup.activities", schedule.activities)}{" "}
        {tn("setup.unmatched", schedule.unmatched_activities)}
      </p>
      {schedule.plan_warnings.length === 0 ? null : <Warnings of={schedule.plan_warnings} />}
    </>
  );
}

function ImportFailure({ failure }: { readonly failure: Failure }) {
  const details = failure.details ?? [];
  return (
    <>
      <FailureNotice failure={failure} />
      {details.length === 0 ? null : (
        <ul class="flaws small" aria-label={t("fences.flaws")} lang="en">
          {details.slice(0, FLAWS).map(({ parameter, message }) => (
            <li key={`${parameter} ${message}`}>
              <code>{parameter}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface DryRunViewProps {
  readonly dryRun: DryRun;
  readonly assignments: Assignments;
  readonly onAssign: Parameters<typeof MatchTable>[0]["onAssign"];
  readonly isBusy: boolean;
  readonly onImport: () => void;
}

/** What an import would be; nothing is stored before the button is pressed. */
function DryRunView({ dryRun, assignments, onAssign, isBusy, onImport }: DryRunViewProps) {
  const [least, most] = stillUnmatched(dryRun, assignments);
  const warnings = [...dryRun.warnings, ...dryRun.plan_warnings];
  return (
    <section class="stack" aria-label={t("setup.dry_run")}>
      <h3>{t("setup.dry_run")}</h3>
      <p>
        {t("setup.dry_run_of", {
          format: t(`setup.format.${dryRun.format}`),
          name: dryRun.name,
          start: dateOf(dryRun.start),
          finish: dateOf(dryRun.finish),
        })}{" "}
        {tn("setup.activities", dryRun.activities)}
      </p>
      {dryRun.is_newest ? (
        <p class="notice">{t("setup.is_newest", { n: dryRun.revision - 1 })}</p>
      ) : null}
      <p role="status">
        <strong>
          {least === most
            ? tn("setup.unmatched", most)
            : t("setup.unmatched_range", { least: show.number(least), most: show.number(most) })}
        </strong>{" "}
        {t("setup.unmatched_hint")}
      </p>
      {warnings.length === 0 ? null : <Warnings of={warnings} />}
      <MatchTable dryRun={dryRun} assignments={assignments} onAssign={onAssign} />
      <div class="action-bar">
        <button type="button" class="main" disabled={isBusy} onClick={onImport}>
          {assignments.size === 0
            ? t("setup.import")
            : tn("setup.import_matched", assignments.size)}
        </button>
      </div>
    </section>
  );
}
