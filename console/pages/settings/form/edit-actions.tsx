import { t } from "../../../i18n/t.ts";

interface EditActionsProps {
  readonly name: string;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** Buttons of one thing in a list, which readers of screens hear with its name. */
export function EditActions({ name, onEdit, onDelete }: EditActionsProps) {
  return (
    <div class="tool-row">
      <button type="button" aria-label={t("set.edit_named", { name })} onClick={onEdit}>
        {t("set.edit")}
      </button>
      <button type="button" aria-label={t("set.delete_named", { name })} onClick={onDelete}>
        {t("set.delete")}
      </button>
    </div>
  );
}
