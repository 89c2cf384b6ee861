import { t } from "../i18n/t.ts";
import { listedAssets } from "../state/machines.ts";
import { Field } from "./field.tsx";

/** Types that are proposed, by their element's id; one such field stands on a page at a time. */
const LIST = "machine-types";

interface MachineTypeFieldProps {
  readonly error: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** The type of a machine: any word, with those of the other machines proposed. */
export function MachineTypeField({ error, value, onText }: MachineTypeFieldProps) {
  const types = [...new Set((listedAssets.value ?? []).map(({ type }) => type))].sort();
  return (
    <Field name={t("register.type")} hint={t("register.type_hint")} error={error}>
      {(names) => (
        <>
          <input
            {...names}
            required
            maxLength={64}
            list={LIST}
            value={value}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          <datalist id={LIST}>
            {types.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
