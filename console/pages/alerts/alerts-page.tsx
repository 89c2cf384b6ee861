import { useSignal, useSignalEffect } from "@preact/signals";
import { Link } from "wouter-preact";
import { api } from "../../api/client.ts";
import { type Failure, failureOf, NO_ANSWER } from "../../api/failure.ts";
import type { Alert } from "../../api/live-messages.ts";
import { may } from "../../api/session-state.ts";
import { t, tn } from "../../i18n/t.ts";
import { AlertLine } from "../../parts/alert-line.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { alertsFailure, openAlerts, openTotal, readOpenAlerts } from "../../state/alerts.ts";
import { projectId } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { AcknowledgedList } from "./acknowledged-list.tsx";
import { urgentFirst } from "./order.ts";

/** Longest note that the API takes, characters. */
const NOTE_LENGTH = 500;

export function AlertsPage() {
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const failure = useSignal<Failure | undefined>(undefined);
  const isSending = useSignal(false);
  const note = useSignal("");

  const open = urgentFirst([...openAlerts.value.values()]);
  const urgent = open.filter(({ severity }) => severity !== "info");
  const notices = open.filter(({ severity }) => severity === "info");
  // What was resolved meanwhile cannot be acknowledged any more.
  const selected = open.filter(({ id }) => chosen.value.has(id)).map(({ id }) => id);
  const hidden = (openTotal.value ?? 0) - open.length;

  useSignalEffect(() => {
    void projectId.value;
    chosen.value = new Set();
  });

  function choose(ids: readonly string[], isChosen: boolean) {
    const next = new Set(chosen.peek());
    for (const id of ids) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    chosen.value = next;
  }

  async function acknowledge() {
    if (isSending.peek()) return;
    isSending.value = true;
    failure.value = await sendAcknowledgement(selected, note.peek().trim());
    isSending.value = false;
    if (failure.value !== undefined) return;
    chosen.value = new Set();
    note.value = "";
    // The live stream says the same; without it, this does.
    await readOpenAlerts(projectId.peek());
  }

  if (!may("equipment:read")) {
    return (
      <div class="page">
        <PageHead title={t("alerts.title")} />
        <Empty title={t("live.scope", { scope: "equipment:read" })} />
      </div>
    );
  }
  const list = { chosen: chosen.value, choose, mayWrite: may("equipment:write") };
  return (
    <div class="page">
      <PageHead title={t("alerts.title")} />
      {alertsFailure.value === undefined ? null : (
        <FailureNotice
          failure={alertsFailure.value}
          onRetry={() => void readOpenAlerts(projectId.peek())}
        />
      )}
      {list.mayWrite ? null : <p class="notice">{t("alerts.read_only")}</p>}
      <section class="card" aria-labelledby="open-alerts">
        <h2 id="open-alerts">{t("alerts.open")}</h2>
        {openTotal.value === null && alertsFailure.value === undefined ? <Loading /> : null}
        {openTotal.value === 0 ? (
          <Empty title={t("alerts.none")}>{t("alerts.none_hint")}</Empty>
        ) : null}
        <Choices alerts={urgent} {...list} />
        {notices.length === 0 ? null : (
          <details>
            <summary>{tn("alerts.info", notices.length)}</summary>
            <Choices alerts={notices} {...list} />
          </details>
        )}
        {hidden > 0 ? <p class="muted">{t("alerts.more", { n: hidden })}</p> : null}
        {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
        {selected.length === 0 ? null : (
          <form
            class="action-bar"
            onSubmit={(event) => {
              event.preventDefault();
              void acknowledge();
            }}
          >
            <label>
              {t("alerts.note")}
              <input
                value={note.value}
                maxLength={NOTE_LENGTH}
                onInput={(event) => {
                  note.value = event.currentTarget.value;
                }}
              />
            </label>
            <button type="submit" class="main" disabled={isSending.value}>
              {tn("alerts.acknowledge", selected.length)}
            </button>
          </form>
        )}
      </section>
      <AcknowledgedList />
    </div>
  );
}

/** One effect however often it is sent: the answer may be lost, and the person press again. */
async function sendAcknowledgement(ids: string[], note: string): Promise<Failure | undefined> {
  try {
    const { error, response } = await api.POST("/api/v1/equipment/alerts/acknowledge", {
      body: { alert_ids: ids, ...(note === "" ? {} : { note }) },
    });
    return error === undefined ? undefined : failureOf(error, response);
  } catch {
    return NO_ANSWER;
  }
}

interface ChoicesProps {
  readonly alerts: readonly Alert[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (ids: readonly string[], isChosen: boolean) => void;
  readonly mayWrite: boolean;
}

function Choices({ alerts, chosen, choose, mayWrite }: ChoicesProps) {
  if (alerts.length === 0) return null;
  const ids = alerts.map(({ id }) => id);
  return (
    <>
      {mayWrite && alerts.length > 1 ? (
        <label class="check">
          <input
            type="checkbox"
            checked={ids.every((id) => chosen.has(id))}
            onChange={(event) => choose(ids, event.currentTarget.checked)}
          />
          {t("alerts.choose_all")}
        </label>
      ) : null}
      <ul class="choices">
        {alerts.map((alert) => (
          <li key={alert.id}>
            {mayWrite ? (
              <input
                type="checkbox"
                aria-label={t("alerts.choose", { message: alert.message })}
                checked={chosen.has(alert.id)}
                onChange={(event) => choose([alert.id], event.currentTarget.checked)}
              />
            ) : null}
            <AlertLine alert={alert} />
            {alert.asset_id === undefined ? null : (
              <Link class="small" href={toPage("/map", { asset: alert.asset_id })}>
                {t("machines.on_map")}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
