import type { Signal } from "@preact/signals";
import type { Alert } from "../../api/live-messages.ts";
import { t } from "../../i18n/t.ts";
import { ALERT_TYPES, eventWords } from "../../parts/event-words.ts";
import { Field } from "../../parts/field.tsx";
import { MachineFilter } from "../../parts/machine-filter.tsx";
import { Select } from "../../parts/select.tsx";
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
          <Select
            {...control}
            value={choice.value.severity ?? ""}
            choices={[
              ["", t("machines.all")],
              ...SEVERITIES.map((one) => [one, t(`severity.${one}`)] as const),
            ]}
            onChoose={(severity) => change({ severity: severity === "" ? undefined : severity })}
          />
        )}
      </Field>
      <Field name={t("alerts.rule")}>
        {(control) => (
          <Select
            {...control}
            value={choice.value.type ?? ""}
            choices={[
              ["", t("machines.all")],
              ...[...ALERT_TYPES, "equipment.project.outage"].map(
                (one) => [one, eventWords(one)] as const,
              ),
            ]}
            onChoose={(type) => change({ type: type || undefined })}
          />
        )}
      </Field>
      <MachineFilter chosen={choice.value.assetId} onChoose={(assetId) => change({ assetId })} />
    </div>
  );
}
