import { useSignal } from "@preact/signals";
import { may, seesEveryProject } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { SureDialog } from "../../../parts/sure-dialog.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { EditActions } from "../form/edit-actions.tsx";
import { ListHead } from "../form/list-head.tsx";
import { Listed } from "../form/loaded.tsx";
import { MappingEditor } from "./mapping-editor.tsx";
import { deleteMapping, readMappings, type TypeMapping } from "./requests.ts";

/** Mappings by type of machine, and the editor of one. */
export function MappingsPart() {
  const list = useAnswer(readMappings, "");
  const editing = useSignal<{ readonly type: string | undefined } | undefined>(undefined);
  const deleted = useSignal<string | undefined>(undefined);
  const mayChange = may("equipment:write") && seesEveryProject();

  function done() {
    editing.value = undefined;
    deleted.value = undefined;
    void list.read();
  }

  if (editing.value !== undefined) {
    return (
      <MappingEditor
        type={editing.value.type}
        onDone={done}
        onClose={() => {
          editing.value = undefined;
        }}
      />
    );
  }
  return (
    <>
      <ListHead
        hint={t("mapping.hint")}
        newLabel={t("mapping.new")}
        mayMake={mayChange}
        onNew={() => {
          editing.value = { type: undefined };
        }}
      />
      <Listed answer={list} none={t("mapping.none")} keyOf={(one: TypeMapping) => one.asset_type}>
        {({ asset_type: type, mapping, updated_at }) => (
          <>
            <h2>{type}</h2>
            <p>
              {tn("mapping.count", Object.keys(mapping.fields).length, {
                names: Object.keys(mapping.fields).join(", "),
              })}
            </p>
            <p class="muted small">
              {t("mapping.updated", { time: show.dateTime(Date.parse(updated_at)) })}
            </p>
            {mayChange ? (
              <EditActions
                name={type}
                onEdit={() => {
                  editing.value = { type };
                }}
                onDelete={() => {
                  deleted.value = type;
                }}
              />
            ) : null}
          </>
        )}
      </Listed>
      {deleted.value === undefined ? null : (
        <DeleteDialog
          type={deleted.value}
          onDone={done}
          onClose={() => {
            deleted.value = undefined;
          }}
        />
      )}
    </>
  );
}

interface DeleteDialogProps {
  readonly type: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ type, onDone, onClose }: DeleteDialogProps) {
  return (
    <SureDialog
      title={t("mapping.delete_title", { type })}
      ways={[[t("set.delete"), () => deleteMapping(type)]]}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t("mapping.delete_hint")}</p>
    </SureDialog>
  );
}
