import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { api } from "../../api/client.ts";
import type { Failure } from "../../api/failure.ts";
import type { Alert } from "../../api/live-messages.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { AlertLine } from "../../parts/alert-line.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { alertChanges } from "../../state/alerts.ts";
import { projectId } from "../../state/project.ts";

/** Rows at first, and how many more a button adds. */
const ROWS = 20;
/** Most rows of one answer. */
const PAGE = 100;
/** Pause after a change before the list is read, ms: acknowledging a hundred is a hundred changes and one read. */
const CHANGED_MS = 500;

interface Acknowledged {
  readonly alerts: readonly Alert[];
  /** How many there are, those that are not shown included. */
  readonly total: number;
}

/** Alerts that somebody acknowledged and that are not resolved, with who, when and the note. */
export function AcknowledgedList() {
  const list = useSignal<Acknowledged | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const rows = useSignal(ROWS);
  const newest = useRef(0);

  useSignalEffect(() => {
    void alertChanges.value;
    const project = projectId.value;
    const timer = setTimeout(() => void read(project), CHANGED_MS);
    return () => clearTimeout(timer);
  });

  /** All that are shown: one that was resolved moves those behind it, and none may be left out. */
  async function read(project: string | undefined) {
    newest.current += 1;
    const own = newest.current;
    const outcome = await readAcknowledged(project, rows.peek());
    if (own !== newest.current) return;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) list.value = outcome.value;
  }

  const { alerts, total = 0 } = list.value ?? {};
  const rest = total - (alerts?.length ?? 0);
  return (
    <section class="card" aria-labelledby="acknowledged-alerts">
      <h2 id="acknowledged-alerts">{t("alerts.acknowledged")}</h2>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {alerts?.length === 0 ? <p class="muted">{t("alerts.none_acknowledged")}</p> : null}
      {alerts?.map((alert) => (
        <AlertLine key={alert.id} alert={alert} />
      ))}
      {rest > 0 ? (
        <>
          <p class="muted small">
            {t("alerts.acknowledged_of", {
              n: show.number(total - rest),
              all: show.number(total),
            })}
          </p>
          <button
            type="button"
            onClick={() => {
              rows.value += ROWS;
              void read(projectId.peek());
            }}
          >
            {t("events.older")}
          </button>
        </>
      ) : null}
    </section>
  );
}

/** The newest of them, as many as asked for. */
async function readAcknowledged(
  project: string | undefined,
  rows: number,
): Promise<Outcome<Acknowledged>> {
  const byId = new Map<string, Alert>();
  for (let offset = 0; ; offset += PAGE) {
    const limit = Math.min(PAGE, rows - offset);
    const outcome = await outcomeOf(
      api.GET("/api/v1/equipment/alerts", {
        params: {
          query: {
            status: ["acknowledged"],
            limit,
            offset,
            ...(project === undefined ? {} : { project_id: project }),
          },
        },
      }),
    );
    if ("failure" in outcome) return outcome;
    const { data, pagination } = outcome.value;
    // One that came meanwhile moves the others: the next answer has some again.
    for (const alert of data) byId.set(alert.id, alert);
    if (!pagination.has_more || offset + limit >= rows) {
      return { value: { alerts: [...byId.values()], total: pagination.total } };
    }
  }
}
