import type { Signal } from "@preact/signals";
import type { Failure } from "../../../api/failure.ts";
import { t } from "../../../i18n/t.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { Select } from "../../../parts/select.tsx";
import { DryRunAnswer } from "../../machine/device/dry-run-answer.tsx";
import type { FormState } from "../form/form-state.ts";
import { FieldRows } from "./field-rows.tsx";
import { asOfMapping, type FaultsForm, type MappingForm, mappingOf } from "./form.ts";
import type { TypeMapping } from "./requests.ts";
import { useDryRun } from "./use-dry-run.ts";

interface MappingFieldsProps {
  readonly state: FormState<TypeMapping, MappingForm>;
  readonly isNew: boolean;
  /** The message that is tried; the page keeps it while it is open. */
  readonly payload: Signal<string>;
}

/** The form beside what a pasted message becomes by it; each change is tried at once. */
export function MappingFields({ state, isNew, payload }: MappingFieldsProps) {
  const { form, change } = state;
  const { mapping, problems } = mappingOf(form, t("mapping.not_json"), t("mapping.twice"));
  const live = useDryRun(mapping, payload.value);
  const tried = live.failure.value;
  // What was saved and refused comes first; what is typed is judged by the dry run.
  const typed =
    problems.length > 0
      ? { status: 400, message: t("mapping.not_json"), details: problems }
      : undefined;
  const failure = typed ?? (tried === undefined ? state.failure : asOfMapping(tried));
  const plain = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;
  return (
    <div class="mapping-editor">
      <div class="form">
        {isNew ? (
          <TextField
            name={t("mapping.type")}
            hint={t("mapping.type_hint")}
            error={problemOf(state.failure, "asset_type")}
            required
            maxLength={64}
            value={form.type}
            onText={(type) => change({ type })}
          />
        ) : null}
        <FieldRows
          fields={form.fields}
          failure={failure}
          onFields={(fields) => change({ fields })}
        />
        {ofWhole(failure).map((message) => (
          <p key={message} class="field-error">
            {t("form.problem", { message })}
          </p>
        ))}
        <fieldset class="set-rows">
          <legend>{t("mapping.message")}</legend>
          <div class="field-row">
            <TextField
              {...plain}
              name={t("mapping.readings")}
              hint={t("mapping.readings_hint")}
              error={problemOf(failure, "readings")}
              value={form.readings}
              onText={(readings) => change({ readings })}
            />
            <TextField
              {...plain}
              name={t("mapping.time")}
              hint={t("mapping.time_hint")}
              error={problemOf(failure, "time")}
              value={form.time}
              onText={(time) => change({ time })}
            />
            <Field name={t("mapping.time_unit")}>
              {(control) => (
                <Select
                  {...control}
                  value={form.timeUnit}
                  choices={(["", "ms", "s", "iso"] as const).map((one) => [
                    one,
                    t(one === "" ? "mapping.time_any" : `mapping.time_${one}`),
                  ])}
                  onChoose={(timeUnit) => change({ timeUnit })}
                />
              )}
            </Field>
            <TextField
              {...plain}
              name={t("mapping.seq")}
              error={problemOf(failure, "seq")}
              value={form.seq}
              onText={(seq) => change({ seq })}
            />
          </div>
        </fieldset>
        <details open={Object.values(form.faults).some((text) => text !== "")}>
          <summary>{t("mapping.faults")}</summary>
          <div class="field-row">
            {(["pointer", "spn", "fmi", "count", "source"] as const).map((part) => (
              <TextField
                key={part}
                {...plain}
                name={t(`mapping.faults.${part}`)}
                error={problemOf(failure, `faults.${FAULT_KEYS[part]}`)}
                value={form.faults[part]}
                onText={(text) => change({ faults: { ...form.faults, [part]: text } })}
              />
            ))}
          </div>
        </details>
      </div>
      <section class="card" aria-labelledby="mapping-try">
        <h3 id="mapping-try">{t("dry.title")}</h3>
        <Field name={t("dry.payload")} hint={t("mapping.payload_hint")}>
          {(control) => (
            <textarea
              {...control}
              class="code"
              rows={8}
              spellcheck={false}
              value={payload.value}
              onInput={(event) => {
                payload.value = event.currentTarget.value;
              }}
            />
          )}
        </Field>
        <div role="status" aria-busy={live.isOld.value} class="dry-run">
          {payload.value.trim() === "" ? <p class="muted">{t("mapping.no_payload")}</p> : null}
          {tried === undefined ? null : tried.details === undefined && tried.status === 400 ? (
            <p class="notice notice-bad">{t("dry.refused", { reason: tried.message })}</p>
          ) : (
            <FailureNotice failure={tried} />
          )}
          {live.answer.value === undefined ? null : <DryRunAnswer answer={live.answer.value} />}
        </div>
      </section>
    </div>
  );
}

/** What is wrong with no field alone: too many, or half of a position. */
const ofWhole = (failure: Failure | undefined): readonly string[] =>
  (failure?.details ?? [])
    .filter(({ parameter }) => parameter === "fields" || parameter === "body")
    .map(({ message }) => message);

/** Names of the API. */
const FAULT_KEYS: Readonly<Record<keyof FaultsForm, string>> = {
  ...{ pointer: "pointer", spn: "spn", fmi: "fmi", count: "occurrence_count", source: "source" },
};
