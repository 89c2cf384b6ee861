import { useSignal } from "@preact/signals";
import type { Failure } from "../../../api/failure.ts";
import { useRepeatKey } from "../../../api/repeat-key.ts";
import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { ListHead } from "../form/list-head.tsx";
import { Listed } from "../form/loaded.tsx";
import { StateBadge } from "../form/state-badge.tsx";
import { SwitchActions } from "../form/switch-actions.tsx";
import { LastPoll } from "./last-poll.tsx";
import {
  changeSource,
  deleteSource,
  type FleetSource,
  pollSource,
  readSources,
} from "./requests.ts";
import { SourceDialog } from "./source-dialog.tsx";

/** How often the list is read, ms: a poll that was asked for is seen within seconds. */
const EVERY_MS = 5_000;

/** Servers of makers that machines are read from, and what the last poll of each brought. */
export function SourcesPart() {
  const list = useAnswer(readSources, "", EVERY_MS);
  const editing = useSignal<{ readonly id: string | undefined } | undefined>(undefined);
  const mayChange = may("equipment:write");
  return (
    <>
      <ListHead
        hint={t("src.hint")}
        newLabel={t("src.new")}
        mayMake={mayChange}
        onNew={() => {
          editing.value = { id: undefined };
        }}
      />
      <Listed answer={list} none={t("src.none")} keyOf={({ id }: FleetSource) => id}>
        {(source) => (
          <SourceCard
            source={source}
            mayChange={mayChange}
            onEdit={() => {
              editing.value = { id: source.id };
            }}
            onChange={() => void list.read()}
          />
        )}
      </Listed>
      {editing.value === undefined ? null : (
        <SourceDialog
          id={editing.value.id}
          onDone={() => {
            editing.value = undefined;
            void list.read();
          }}
          onClose={() => {
            editing.value = undefined;
          }}
        />
      )}
    </>
  );
}

interface SourceCardProps {
  readonly source: FleetSource;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onChange: () => void;
}

function SourceCard({ source, mayChange, onEdit, onChange }: SourceCardProps) {
  const { id, name, first_page, auth, interval_s, series, status } = source;
  return (
    <>
      <div class="set-head">
        <h2>{name}</h2>
        <StateBadge status={status} />
      </div>
      <p>
        <code>{first_page}</code>
      </p>
      <p class="small muted">
        {t("src.every", { time: show.span(interval_s * 1_000) })} · {t(`src.auth.${auth.kind}`)} ·{" "}
        {series.length === 0 ? t("src.no_series") : series.join(", ")}
      </p>
      <LastPoll source={source} />
      {mayChange ? (
        <SwitchActions
          name={name}
          status={status}
          onEdit={onEdit}
          onChange={onChange}
          disable={() => changeSource(id, { status: "disabled" })}
          enable={[[t("set.enable"), () => changeSource(id, { status: "active" })]]}
          remove={() => deleteSource(id)}
          hints={{
            disable: t("src.disable_hint"),
            enable: t("src.enable_hint"),
            delete: t("src.delete_hint"),
          }}
        >
          {status === "active" ? <PollButton id={id} name={name} onPolled={onChange} /> : null}
        </SwitchActions>
      ) : null}
    </>
  );
}

interface PollButtonProps {
  readonly id: string;
  readonly name: string;
  readonly onPolled: () => void;
}

function PollButton({ id, name, onPolled }: PollButtonProps) {
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const isAsked = useSignal(false);
  const keyOf = useRepeatKey();

  async function poll() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await pollSource(id, keyOf(id));
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    isAsked.value = "value" in outcome;
    if (!("value" in outcome)) return;
    keyOf.done();
    onPolled();
  }

  return (
    <>
      <button
        type="button"
        aria-label={t("src.poll_named", { name })}
        disabled={isBusy.value}
        onClick={() => void poll()}
      >
        {t("src.poll")}
      </button>
      <span role="status" class="small">
        {isAsked.value ? t("src.polled") : null}
      </span>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
    </>
  );
}
