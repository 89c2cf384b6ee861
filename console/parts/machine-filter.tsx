import { t } from "../i18n/t.ts";
import { machines } from "../state/machines.ts";
import { Field } from "./field.tsx";

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
        <select {...control} onChange={(event) => onChoose(event.currentTarget.value || undefined)}>
          <option value="">{t("machines.all")}</option>
          {machines.value?.map(({ id, name }) => (
            <option key={id} value={id} selected={id === chosen}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
