import { useSignal } from "@preact/signals";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { ListHead } from "../form/list-head.tsx";
import { Listed } from "../form/loaded.tsx";
import { projectsText } from "../form/project-choice.tsx";
import { StateBadge } from "../form/state-badge.tsx";
import { SwitchActions } from "../form/switch-actions.tsx";
import { ForwarderDialog } from "./forwarder-dialog.tsx";
import { ForwarderProgress } from "./progress.tsx";
import { changeForwarder, deleteForwarder, type Forwarder, readForwarders } from "./requests.ts";

/** How often the list is read, ms: what waits changes with each message. */
const EVERY_MS = 10_000;

/** Where readings are passed on, and how far each is. */
export function ForwardersPart() {
  const list = useAnswer(readForwarders, "", EVERY_MS);
  const editing = useSignal<{ readonly id: string | undefined } | undefined>(undefined);
  const mayChange = may("equipment:write");
  return (
    <>
      <ListHead
        hint={t("fwd.hint")}
        newLabel={t("fwd.new")}
        mayMake={mayChange}
        onNew={() => {
          editing.value = { id: undefined };
        }}
      />
      <Listed answer={list} none={t("fwd.none")} keyOf={({ id }: Forwarder) => id}>
        {(forwarder) => (
          <ForwarderCard
            forwarder={forwarder}
            mayChange={mayChange}
            onEdit={() => {
              editing.value = { id: forwarder.id };
            }}
            onChange={() => void list.read()}
          />
        )}
      </Listed>
      {editing.value === undefined ? null : (
        <ForwarderDialog
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

interface ForwarderCardProps {
  readonly forwarder: Forwarder;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onChange: () => void;
}

function ForwarderCard({ forwarder, mayChange, onEdit, onChange }: ForwarderCardProps) {
  const { id, name, kind, url, topic, project_ids, status, progress, has_credentials } = forwarder;
  return (
    <>
      <div class="set-head">
        <h2>{name}</h2>
        <StateBadge status={status} />
      </div>
      <p>
        <code>{url}</code>
        {topic === undefined ? null : (
          <>
            {" "}
            {t("fwd.topic")}: <code>{topic}</code>
          </>
        )}
      </p>
      <p class="small muted">
        {t(`fwd.kind.${kind}`)} · {projectsText(project_ids)} ·{" "}
        {t(has_credentials ? "set.with_access" : "set.without_access")}
      </p>
      <ForwarderProgress progress={progress} />
      {mayChange ? (
        <SwitchActions
          name={name}
          status={status}
          onEdit={onEdit}
          onChange={onChange}
          disable={() => changeForwarder(id, { status: "disabled" })}
          enable={[
            [
              t("set.skip_missed"),
              () => changeForwarder(id, { status: "active", skip_missed: true }),
            ],
            [t("set.send_missed"), () => changeForwarder(id, { status: "active" })],
          ]}
          remove={() => deleteForwarder(id)}
          hints={{
            disable: t("fwd.disable_hint"),
            enable: t("fwd.enable_hint"),
            delete: t("fwd.delete_hint"),
          }}
        />
      ) : null}
    </>
  );
}
