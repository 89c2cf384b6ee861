import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";

/** A stage of a zone, and what it counts for. */
export interface Stage {
  readonly name: string;
  readonly credit: number;
}

/** Where the slider stands before anybody said anything. */
const MIDDLE = 50;
const TEN = 10;

interface PercentChoiceProps {
  /** `undefined`: nobody has said anything yet. */
  readonly value: Signal<number | undefined>;
  readonly onEnter: () => void;
}

/** A percent by two keys: a digit for its tens, and Enter; arrows are for what lies between. */
export function PercentChoice({ value, onEnter }: PercentChoiceProps) {
  const id = useId();
  const said = value.value === undefined ? t("labels.unset") : show.percent(value.value);
  return (
    <div class="field">
      <label htmlFor={id}>
        {t("labels.percent")}: <output htmlFor={id}>{said}</output>
      </label>
      <input
        id={id}
        type="range"
        min="0"
        max="100"
        step="1"
        value={value.value ?? MIDDLE}
        aria-valuetext={said}
        aria-describedby={`${id}-keys`}
        onInput={(event) => {
          value.value = event.currentTarget.valueAsNumber;
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            onEnter();
          } else if (/^\d$/.test(event.key)) {
            event.preventDefault();
            value.value = Number(event.key) * TEN;
          }
        }}
      />
      <p id={`${id}-keys`} class="muted small">
        {t("labels.percent_keys")}
      </p>
    </div>
  );
}

interface StageChoiceProps {
  readonly stages: readonly Stage[];
  readonly value: Signal<string | undefined>;
}

/** A stage by two keys: its number, and Enter. */
export function StageChoice({ stages, value }: StageChoiceProps) {
  const group = useId();
  return (
    <fieldset
      class="checks"
      aria-describedby={`${group}-keys`}
      onKeyDown={(event) => {
        const index = Number(event.key) - 1;
        const stage = /^\d$/.test(event.key) ? stages[index] : undefined;
        if (stage === undefined) return;
        event.preventDefault();
        value.value = stage.name;
        event.currentTarget.querySelectorAll("input")[index]?.focus();
      }}
    >
      <legend>{t("labels.stage")}</legend>
      {stages.map(({ name, credit }, index) => (
        <label key={name} class="check">
          <input
            type="radio"
            name={group}
            checked={value.value === name}
            onChange={() => {
              value.value = name;
            }}
          />
          <span>
            <kbd>{index + 1}</kbd> {name} <span class="muted">({show.percent(credit)})</span>
          </span>
        </label>
      ))}
      <p id={`${group}-keys`} class="muted small">
        {t("labels.stage_keys")}
      </p>
    </fieldset>
  );
}
