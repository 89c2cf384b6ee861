import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Outcome } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { SureDialog } from "../../../parts/sure-dialog.tsx";

type Way = readonly [name: string, act: () => Promise<Outcome<unknown>>];

interface SwitchActionsProps {
  readonly name: string;
  readonly status: "active" | "disabled";
  readonly onEdit: () => void;
  readonly onChange: () => void;
  readonly disable: () => Promise<Outcome<unknown>>;
  /** One or several ways, such as with or without what was missed. */
  readonly enable: readonly Way[];
  readonly remove: () => Promise<Outcome<unknown>>;
  /** What follows from each. */
  readonly hints: Readonly<Record<"disable" | "enable" | "delete", string>>;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** Edit, switch on or off, delete; all but the first are asked before. */
export function SwitchActions(props: SwitchActionsProps) {
  const { name, status, onEdit, onChange, disable, enable, remove, hints, children } = props;
  const asked = useSignal<"disable" | "enable" | "delete" | undefined>(undefined);
  const close = () => {
    asked.value = undefined;
  };
  const what = asked.value;
  const ways: Readonly<Record<"disable" | "enable" | "delete", readonly Way[]>> = {
    disable: [[t("set.disable"), disable]],
    enable,
    delete: [[t("set.delete"), remove]],
  };
  const next = status === "active" ? "disable" : "enable";
  return (
    <>
      <div class="tool-row">
        <button type="button" aria-label={t("set.edit_named", { name })} onClick={onEdit}>
          {t("set.edit")}
        </button>
        <button
          type="button"
          aria-label={t(`set.${next}_named`, { name })}
          onClick={() => {
            asked.value = next;
          }}
        >
          {t(`set.${next}`)}
        </button>
        <button
          type="button"
          aria-label={t("set.delete_named", { name })}
          onClick={() => {
            asked.value = "delete";
          }}
        >
          {t("set.delete")}
        </button>
        {children}
      </div>
      {what === undefined ? null : (
        <SureDialog
          title={t(`set.${what}_title`, { name })}
          ways={ways[what]}
          onDone={() => {
            close();
            onChange();
          }}
          onClose={close}
        >
          <p>{hints[what]}</p>
        </SureDialog>
      )}
    </>
  );
}
