import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly name: string;
  /** What is wrong with it, in words; absent: nothing is known to be. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** The control, with what ties it to its name, hint and error. */
  readonly children: (control: FieldControl) => ComponentChildren;
}

interface FieldControl {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

/** A control with its name, and what is wrong with it beside it, where screen readers find it too. */
export function Field({ name, error, hint, children }: FieldProps) {
  const id = useId();
  const [errorId, hintId] = [`${id}-error`, `${id}-hint`];
  const described = [hint === undefined ? "" : hintId, error === undefined ? "" : errorId];
  return (
    <div class="field">
      <label htmlFor={id}>{name}</label>
      {children({
        id,
        "aria-describedby": described.filter((one) => one !== "").join(" ") || undefined,
        "aria-invalid": error !== undefined,
      })}
      {hint === undefined ? null : (
        <p id={hintId} class="muted small">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={errorId} class="field-error small">
          {error}
        </p>
      )}
    </div>
  );
}

type InputProps = Omit<FieldProps, "children"> &
  Omit<JSX.InputHTMLAttributes, "name" | "value" | "onInput"> & {
    readonly value: string;
    readonly onText: (text: string) => void;
  };

/** A line of text. */
export function TextField({ name, error, hint, value, onText, ...input }: InputProps) {
  return (
    <Field name={name} error={error} hint={hint}>
      {(control) => (
        <input
          {...input}
          {...control}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
