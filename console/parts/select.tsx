import type { JSX } from "preact";

interface SelectProps<T extends string | number>
  extends Omit<JSX.SelectHTMLAttributes, "value" | "onChange" | "children"> {
  readonly value: T;
  readonly choices: readonly (readonly [value: T, name: string])[];
  readonly onChoose: (value: T) => void;
}

/** Chooses one of several; what ties it to its name comes from the label or `Field` around it. */
export function Select<T extends string | number>(props: SelectProps<T>) {
  const { value, choices, onChoose, ...control } = props;
  return (
    <select
      {...control}
      value={value}
      onChange={(event) => {
        const chosen = choices.find(([one]) => String(one) === event.currentTarget.value);
        if (chosen !== undefined) onChoose(chosen[0]);
      }}
    >
      {choices.map(([one, name]) => (
        <option key={one} value={one} selected={one === value}>
          {name}
        </option>
      ))}
    </select>
  );
}
