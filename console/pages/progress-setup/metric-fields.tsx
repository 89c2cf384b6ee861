import type { Signal } from "@preact/signals";
import { t } from "../../i18n/t.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { QuantityField } from "../../parts/quantity-field.tsx";
import { Select } from "../../parts/select.tsx";
import { KINDS, SURFACE_KINDS, withRow, type ZoneForm } from "./zone-form.ts";

/** What a zone's progress is measured by, and its levels or stages. */
export function MetricFields({ form }: { readonly form: Signal<ZoneForm> }) {
  const { value } = form;
  const change = (part: Partial<ZoneForm>) => {
    form.value = { ...form.peek(), ...part };
  };
  return (
    <>
      <Field name={t("setup.metric")} hint={t(`setup.metric_hint.${value.kind}`)}>
        {(control) => (
          <Select
            {...control}
            value={value.kind}
            choices={KINDS.map((kind) => [kind, t(`setup.metric.${kind}`)])}
            onChoose={(kind) => change({ kind })}
          />
        )}
      </Field>
      {value.kind === "height" ? <Levels form={form} /> : null}
      {value.kind === "stages" ? <Stages form={form} /> : null}
      {SURFACE_KINDS.includes(value.kind) ? (
        <QuantityField
          quantity="length"
          name={t("setup.tolerance")}
          hint={t("setup.tolerance_hint")}
          value={value.toleranceM}
          onValue={(toleranceM) => change({ toleranceM })}
        />
      ) : null}
    </>
  );
}

/** Levels of a building from below; each with the planned height of its top above the baseline. */
function Levels({ form }: { readonly form: Signal<ZoneForm> }) {
  const { levels } = form.value;
  const change = (index: number, part: Partial<(typeof levels)[number]>) => {
    form.value = {
      ...form.peek(),
      levels: form.peek().levels.map((level, i) => (i === index ? { ...level, ...part } : level)),
    };
  };
  return (
    <fieldset class="stack">
      <legend>{t("setup.levels")}</legend>
      {levels.map((level, index) => (
        // A level has no name before it is typed.
        <fieldset key={index} class="form-row">
          <legend class="hidden">{t("setup.level_n", { n: index + 1 })}</legend>
          <TextField
            name={t("setup.level_name")}
            maxLength={200}
            value={level.name}
            onText={(name) => change(index, { name })}
          />
          <QuantityField
            quantity="length"
            name={t("setup.level_top")}
            value={level.topM}
            onValue={(topM) => change(index, { topM })}
          />
          <TextField
            name={t("progress.weight")}
            inputMode="decimal"
            value={level.weight}
            onText={(weight) => change(index, { weight })}
          />
          <RemoveRow
            name={t("setup.remove_level", { n: index + 1 })}
            isLast={levels.length <= 1}
            onRemove={() => {
              form.value = { ...form.peek(), levels: levels.filter((_, i) => i !== index) };
            }}
          />
        </fieldset>
      ))}
      <button
        type="button"
        class="start"
        onClick={() => {
          form.value = withRow.level(form.peek());
        }}
      >
        {t("setup.add_level")}
      </button>
    </fieldset>
  );
}

/** Stages of a zone in their order; each with the percent that it counts for. */
function Stages({ form }: { readonly form: Signal<ZoneForm> }) {
  const { stages } = form.value;
  const change = (index: number, part: Partial<(typeof stages)[number]>) => {
    form.value = {
      ...form.peek(),
      stages: form.peek().stages.map((stage, i) => (i === index ? { ...stage, ...part } : stage)),
    };
  };
  return (
    <fieldset class="stack">
      <legend>{t("setup.stages")}</legend>
      {stages.map((stage, index) => (
        <fieldset key={index} class="form-row">
          <legend class="hidden">{t("setup.stage_n", { n: index + 1 })}</legend>
          <TextField
            name={t("setup.stage_name")}
            maxLength={200}
            value={stage.name}
            onText={(name) => change(index, { name })}
          />
          <TextField
            name={t("setup.stage_credit")}
            inputMode="decimal"
            value={stage.credit}
            onText={(credit) => change(index, { credit })}
          />
          <RemoveRow
            name={t("setup.remove_stage", { n: index + 1 })}
            isLast={stages.length <= 2}
            onRemove={() => {
              form.value = { ...form.peek(), stages: stages.filter((_, i) => i !== index) };
            }}
          />
        </fieldset>
      ))}
      <button
        type="button"
        class="start"
        onClick={() => {
          form.value = withRow.stage(form.peek());
        }}
      >
        {t("setup.add_stage")}
      </button>
    </fieldset>
  );
}

interface RemoveRowProps {
  readonly name: string;
  /** So few have to be there. */
  readonly isLast: boolean;
  readonly onRemove: () => void;
}

const RemoveRow = ({ name, isLast, onRemove }: RemoveRowProps) => (
  <button
    type="button"
    class="form-row-remove"
    disabled={isLast}
    aria-label={name}
    title={name}
    onClick={onRemove}
  >
    ✕
  </button>
);
