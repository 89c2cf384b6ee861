import { useId } from "preact/hooks";

interface CheckListProps<T extends string> {
  readonly name: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly choices: readonly (readonly [value: T, name: string])[];
  readonly chosen: readonly T[];
  readonly onChoose: (chosen: readonly T[]) => void;
}

/** Chooses several, in the order of the choices. */
export function CheckList<T extends string>(props: CheckListProps<T>) {
  const { name, hint, error, choices, chosen, onChoose } = props;
  const id = useId();
  return (
    <fieldset
      aria-describedby={hint === undefined && error === undefined ? undefined : id}
      aria-invalid={error === undefined ? undefined : true}
    >
      <legend>{name}</legend>
      <div class="checks check-list">
        {choices.map(([value, label]) => (
          <label key={value} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) => {
                const isOn = event.currentTarget.checked;
                const others = chosen.filter((one) => one !== value);
                const next = new Set(isOn ? [...others, value] : others);
                onChoose(choices.map(([one]) => one).filter((one) => next.has(one)));
              }}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <div id={id} class="small">
        {hint === undefined ? null : <p class="muted">{hint}</p>}
        {error === undefined ? null : <p class="field-error">{error}</p>}
      </div>
    </fieldset>
  );
}
