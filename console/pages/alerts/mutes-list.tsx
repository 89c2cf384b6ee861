import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { eventWords } from "../../parts/event-words.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { When } from "../../parts/time.tsx";
import { alertChanges } from "../../state/alerts.ts";
import { fences, readFences } from "../../state/fences.ts";
import { machineName } from "../../state/machines.ts";
import { now } from "../../state/now.ts";
import { projectId } from "../../state/project.ts";
import { type AlertMute, endMute, readMutes } from "./requests.ts";

/** Pause after a change before the list is read, ms: several changes at once are one read. */
const CHANGED_MS = 500;

/** Mutes in force: what, until when, by whom and why, and a button to end each. */
export function MutesList({ changes }: { readonly changes: Signal<number> }) {
  const mutes = useSignal<readonly AlertMute[] | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);

  useSignalEffect(() => {
    void changes.value;
    const project = projectId.value;
    void read(project);
  });
  // Another person may have made one: their alerts show it.
  useSignalEffect(() => {
    void alertChanges.value;
    const timer = setTimeout(() => void read(projectId.peek()), CHANGED_MS);
    return () => clearTimeout(timer);
  });
  useSignalEffect(() => void readFences(projectId.value));

  async function read(project: string | undefined) {
    const outcome = await readMutes(project);
    if (project !== projectId.peek()) return;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) mutes.value = outcome.value;
  }

  async function end(id: string) {
    const outcome = await endMute(id);
    if ("failure" in outcome) failure.value = outcome.failure;
    else changes.value += 1;
  }

  const shown = mutes.value?.filter(({ until }) => Date.parse(until) > now.value);
  return (
    <section class="card" aria-labelledby="mutes">
      <h2 id="mutes">{t("mutes.list")}</h2>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {shown?.length === 0 ? <p class="muted">{t("mutes.none")}</p> : null}
      <ul class="choices">
        {shown?.map((mute) => (
          <MuteLine key={mute.id} mute={mute} onEnd={end} />
        ))}
      </ul>
    </section>
  );
}

interface MuteLineProps {
  readonly mute: AlertMute;
  readonly onEnd: (id: string) => Promise<void>;
}

function MuteLine({ mute, onEnd }: MuteLineProps) {
  const machine = machineName(mute.asset_id);
  const fence = fences.value.find(({ id }) => id === mute.geofence_id)?.name ?? mute.geofence_id;
  const untilMs = Date.parse(mute.until);
  const what = `${eventWords(mute.type)}, ${machine}`;
  return (
    <li>
      <div class="alert-line">
        <p>
          {what}
          {fence === undefined ? null : `, ${fence}`}
        </p>
        <p class="muted small">
          {t("mutes.until_time", { left: show.span(untilMs - now.value) })} · <When ms={untilMs} />{" "}
          · {t("mutes.by", { name: mute.created_by_name })}
          {mute.max_severity === "critical" ? ` · ${t("mutes.covers_critical")}` : null}
          {mute.note === undefined ? null : `: ${mute.note}`}
        </p>
      </div>
      {may("equipment:write") ? (
        <button
          type="button"
          aria-label={t("mutes.end_of", { what })}
          onClick={() => void onEnd(mute.id)}
        >
          {t("mutes.end")}
        </button>
      ) : null}
    </li>
  );
}
