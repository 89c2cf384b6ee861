import { t } from "../../../i18n/t.ts";

/** Whether a thing works, in words. */
export function StateBadge({ status }: { readonly status: "active" | "disabled" }) {
  return (
    <span class={status === "active" ? "set-state" : "set-state set-state-bad"}>
      {t(`set.status.${status}`)}
    </span>
  );
}
