import type { Signal } from "@preact/signals";
import type { Alert } from "../../api/live-messages.ts";
import { t } from "../../i18n/t.ts";
import { ALERT_TYPES, eventWords } from "../../parts/event-words.ts";
import { Field } from "../../parts/field.tsx";
import { MachineFilter } from "../../parts/machine-filter.tsx";
import type { AlertChoice } from "./choice.ts";

const SEVERITIES: readonly Alert["severity"][] = ["critical", "warning", "info"];

/** Which open alerts the page shows, and "all that match" means. */
export function AlertFilters({ choice }: { readonly choice: Signal<AlertChoice> }) {
  const change = (part: Partial<AlertChoice>) => {
    choice.value = { ...choice.peek(), ...part };
  };
  return (
    <div class="filters">
      <Field name={t("alerts.severity")}>
        {(control) => (
          <select
            {...control}
            onChange={(event) =>
              change({ severity: SEVERITIES.find((one) => one === event.currentTarget.value) })
            }
          >
            <option value="">{t("machines.all")}</option>
            {SEVERITIES.map((one) => (
              <option key={one} value={one}>
                {t(`severity.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name={t("alerts.rule")}>
        {(control) => (
          <select
            {...control}
            onChange={(event) => change({ type: event.currentTarget.value || undefined })}
          >
            <option value="">{t("machines.all")}</option>
            {[...ALERT_TYPES, "equipment.project.outage"].map((one) => (
              <option key={one} value={one}>
                {eventWords(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <MachineFilter chosen={choice.value.assetId} onChoose={(assetId) => change({ assetId })} />
    </div>
  );
}
