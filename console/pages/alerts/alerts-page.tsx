import { useSignal, useSignalEffect } from "@preact/signals";
import { Link } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import type { Alert } from "../../api/live-messages.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { may } from "../../api/session-state.ts";
import { t, tn } from "../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { keepAllInAddress } from "../../state/address.ts";
import { alertsFailure, openAlerts, openTotal, readOpenAlerts } from "../../state/alerts.ts";
import { projectId } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { AcknowledgeAll, NOTE_LENGTH } from "./acknowledge-all.tsx";
import { AcknowledgedList } from "./acknowledged-list.tsx";
import { choiceOf, isAll, isChosen, parametersOf } from "./choice.ts";
import { Choices } from "./choices.tsx";
import { AlertFilters } from "./filters.tsx";
import { MuteDialog } from "./mute-dialog.tsx";
import { MutesList } from "./mutes-list.tsx";
import { NotifyChoice } from "./notify-choice.tsx";
import { urgentFirst } from "./order.ts";
import { acknowledgeIds } from "./requests.ts";
import { SoundChoice } from "./sound-choice.tsx";

export function AlertsPage() {
  const choice = useSignal(choiceOf(location.search));
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const failure = useSignal<Failure | undefined>(undefined);
  const done = useSignal("");
  const isSending = useSignal(false);
  const isAcknowledgingAll = useSignal(false);
  const toMute = useSignal<Alert | undefined>(undefined);
  const muteChanges = useSignal(0);
  const note = useSignal("");
  const keyOf = useRepeatKey();

  const all = urgentFirst([...openAlerts.value.values()]);
  const open = all.filter((alert) => isChosen(choice.value, alert));
  const urgent = open.filter(({ severity }) => severity !== "info");
  const notices = open.filter(({ severity }) => severity === "info");
  // What was resolved meanwhile cannot be acknowledged any more.
  const selected = open.filter(({ id }) => chosen.value.has(id)).map(({ id }) => id);
  const hidden = (openTotal.value ?? 0) - all.length;

  useSignalEffect(() => {
    void projectId.value;
    keepAllInAddress(parametersOf(choice.value));
    chosen.value = new Set();
  });

  function choose(ids: readonly string[], isNow: boolean) {
    const next = new Set(chosen.peek());
    for (const id of ids) {
      if (isNow) next.add(id);
      else next.delete(id);
    }
    chosen.value = next;
  }

  async function acknowledge() {
    if (isSending.peek()) return;
    isSending.value = true;
    const text = note.peek().trim();
    const outcome = await acknowledgeIds(selected, text, keyOf([selected, text]));
    isSending.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) await acknowledged(outcome.value);
  }

  /** The live stream says the same; without it, a read does. */
  async function acknowledged(count: number) {
    done.value = tn("alerts.done", count);
    chosen.value = new Set();
    note.value = "";
    isAcknowledgingAll.value = false;
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
  const list = {
    chosen: chosen.value,
    choose,
    mayWrite: may("equipment:write"),
    onMute(alert: Alert) {
      toMute.value = alert;
    },
  };
  return (
    <div class="page">
      <PageHead title={t("alerts.title")}>
        <NotifyChoice />
        <SoundChoice />
        <Link href={toPage("/events")}>{t("nav.events")}</Link>
      </PageHead>
      {alertsFailure.value === undefined ? null : (
        <FailureNotice
          failure={alertsFailure.value}
          onRetry={() => void readOpenAlerts(projectId.peek())}
        />
      )}
      {list.mayWrite ? null : <p class="notice">{t("alerts.read_only")}</p>}
      <AlertFilters choice={choice} />
      <section class="card" aria-labelledby="open-alerts">
        <header class="card-head">
          <h2 id="open-alerts">{t("alerts.open")}</h2>
          {list.mayWrite && (openTotal.value ?? 0) > 0 ? (
            <button
              type="button"
              onClick={() => {
                isAcknowledgingAll.value = true;
              }}
            >
              {t(isAll(choice.value) ? "alerts.acknowledge_all" : "alerts.acknowledge_matching")}
            </button>
          ) : null}
        </header>
        <p class="muted small" role="status">
          {done.value}
        </p>
        {openTotal.value === null && alertsFailure.value === undefined ? <Loading /> : null}
        {openTotal.value === 0 ? (
          <Empty title={t("alerts.none")}>{t("alerts.none_hint")}</Empty>
        ) : null}
        {open.length === 0 && all.length > 0 ? (
          <Empty title={t("alerts.no_match")}>{t("machines.no_match_hint")}</Empty>
        ) : null}
        <Choices alerts={urgent} {...list} />
        {notices.length === 0 ? null : (
          <details open={choice.value.severity === "info"}>
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
      <MutesList changes={muteChanges} />
      <AcknowledgedList />
      {isAcknowledgingAll.value ? (
        <AcknowledgeAll
          choice={choice.value}
          onDone={(count) => void acknowledged(count)}
          onClose={() => {
            isAcknowledgingAll.value = false;
          }}
        />
      ) : null}
      {toMute.value === undefined ? null : (
        <MuteDialog
          alert={toMute.value}
          onMuted={() => {
            done.value = t("mutes.done");
            toMute.value = undefined;
            muteChanges.value += 1;
          }}
          onClose={() => {
            toMute.value = undefined;
          }}
        />
      )}
    </div>
  );
}
