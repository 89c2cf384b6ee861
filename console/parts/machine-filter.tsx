import { t } from "../i18n/t.ts";
import { listedAssets } from "../state/machines.ts";
import { Field } from "./field.tsx";
import { Select } from "./select.tsx";

interface MachineFilterProps {
  /** Id of the chosen machine; `undefined`: all. */
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

/** Chooses one machine, or all. */
export function MachineFilter({ chosen, onChoose }: MachineFilterProps) {
  return (
    <Field name={t("fences.machine")}>
      {(control) => (
        <Select
          {...control}
          value={chosen ?? ""}
          choices={[
            ["", t("machines.all")],
            ...(listedAssets.value ?? []).map(({ id, name }) => [id, name] as const),
          ]}
          onChoose={(id) => onChoose(id || undefined)}
        />
      )}
    </Field>
  );
}
