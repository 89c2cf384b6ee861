import { useSignal, useSignalEffect } from "@preact/signals";
import { api } from "../../api/client.ts";
import type { Failure } from "../../api/failure.ts";
import type { Alert } from "../../api/live-messages.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { t } from "../../i18n/t.ts";
import { AlertLine } from "../../parts/alert-line.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { alertChanges } from "../../state/alerts.ts";
import { projectId } from "../../state/project.ts";

/** Rows of the list: who wants to know what was acknowledged looks at the last ones. */
const ROWS = 20;
/** Pause after a change before the list is read, ms: acknowledging a hundred is a hundred changes and one read. */
const CHANGED_MS = 500;

/** Alerts that somebody acknowledged and that are not resolved, with who, when and the note. */
export function AcknowledgedList() {
  const alerts = useSignal<readonly Alert[] | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);

  useSignalEffect(() => {
    void alertChanges.value;
    const project = projectId.value;
    const timer = setTimeout(() => void read(project), CHANGED_MS);
    return () => clearTimeout(timer);
  });

  async function read(project: string | undefined) {
    const outcome = await outcomeOf(
      api.GET("/api/v1/equipment/alerts", {
        params: {
          query: {
            status: ["acknowledged"],
            limit: ROWS,
            ...(project === undefined ? {} : { project_id: project }),
          },
        },
      }),
    );
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) alerts.value = outcome.value.data;
  }

  return (
    <section class="card" aria-labelledby="acknowledged-alerts">
      <h2 id="acknowledged-alerts">{t("alerts.acknowledged")}</h2>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {alerts.value?.length === 0 ? <p class="muted">{t("alerts.none_acknowledged")}</p> : null}
      {alerts.value?.map((alert) => (
        <AlertLine key={alert.id} alert={alert} />
      ))}
    </section>
  );
}
