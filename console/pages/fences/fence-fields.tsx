import type { Signal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { QuantityField } from "../../parts/quantity-field.tsx";
import { Select } from "../../parts/select.tsx";
import type { Geofence } from "../../state/fences.ts";
import { projectChoices } from "../../state/project.ts";
import { type FenceForm, RULE_NAMES, RULES, type Rule, ruleOf } from "./form.ts";

const KINDS: readonly Geofence["kind"][] = ["zone", "boundary", "restricted"];

interface FenceFieldsProps {
  readonly form: Signal<FenceForm>;
  /** A stored fence stays in its project. */
  readonly isNew: boolean;
  readonly failure: Failure | undefined;
}

/** What a fence is called and what it does; errors of the service are at the field that they name. */
export function FenceFields({ form, isNew, failure }: FenceFieldsProps) {
  const { value } = form;
  const change = (part: Partial<FenceForm>) => {
    form.value = { ...form.peek(), ...part };
  };
  const said = (parameter: string) =>
    failure?.details?.find((one) => one.parameter === parameter)?.message;
  return (
    <>
      <TextField
        name={t("fences.name")}
        error={said("name")}
        required
        maxLength={200}
        value={value.name}
        onText={(name) => change({ name })}
      />
      {isNew ? (
        <Field name={t("nav.project")} error={said("project_id")}>
          {(control) => (
            <Select
              {...control}
              required
              value={value.projectId}
              choices={[["", t("fences.choose")], ...projectChoices()]}
              onChoose={(projectId) => change({ projectId })}
            />
          )}
        </Field>
      ) : null}
      <Field name={t("fences.kind")} hint={t(`fences.kind_hint.${value.kind}`)}>
        {(control) => (
          <Select
            {...control}
            value={value.kind}
            choices={KINDS.map((kind) => [kind, t(`fences.kind.${kind}`)])}
            onChoose={(kind) => change({ kind })}
          />
        )}
      </Field>
      <fieldset class="checks">
        <legend>{t("fences.alert_on")}</legend>
        <label class="check">
          <input
            type="checkbox"
            checked={value.isOnEnter}
            onChange={(event) => change({ isOnEnter: event.currentTarget.checked })}
          />
          {t("fences.on_enter")}
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={value.isOnExit}
            onChange={(event) => change({ isOnExit: event.currentTarget.checked })}
          />
          {t("fences.on_exit")}
        </label>
        {value.isOnEnter || value.isOnExit ? null : (
          <p class="muted small">{t("fences.on_none")}</p>
        )}
      </fieldset>
      <details>
        <summary>{t("fences.rules")}</summary>
        <div class="stack">
          {RULE_NAMES.map((rule) =>
            rule === "exitBufferM" ? (
              <QuantityField
                key={rule}
                quantity="length"
                name={t("fences.rule.exitBufferM")}
                hint={t("fences.rule_hint.exitBufferM")}
                error={said(RULES[rule].parameter) ?? rangeError(value, rule)}
                value={value[rule] === "" ? undefined : Number(value[rule])}
                onValue={(metres) => change({ [rule]: metres === undefined ? "" : String(metres) })}
              />
            ) : (
              <TextField
                key={rule}
                name={t(`fences.rule.${rule}`)}
                hint={t(`fences.rule_hint.${rule}`)}
                error={said(RULES[rule].parameter) ?? rangeError(value, rule)}
                inputMode="decimal"
                value={value[rule]}
                onText={(text) => change({ [rule]: text })}
              />
            ),
          )}
        </div>
      </details>
    </>
  );
}

function rangeError(form: FenceForm, rule: Rule): string | undefined {
  if (ruleOf(form, rule) !== undefined) return undefined;
  const [least, most] = [RULES[rule].least, RULES[rule].most].map(
    rule === "exitBufferM" ? show.length : show.number,
  );
  return t("fences.range", { least: least ?? "", most: most ?? "" });
}

/** Whether the service has a chance to take it. */
export const isComplete = (form: FenceForm): boolean =>
  form.name.trim() !== "" &&
  form.projectId !== "" &&
  RULE_NAMES.every((rule) => ruleOf(form, rule) !== undefined);
