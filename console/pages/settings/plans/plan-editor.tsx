import type { Outcome } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { QuantityField } from "../../../parts/quantity-field.tsx";
import { Select } from "../../../parts/select.tsx";
import type { FormState } from "../form/form-state.ts";
import { ResourceForm } from "../form/resource-form.tsx";
import { RowList } from "../form/row-list.tsx";
import type { Tagged } from "../form/tagged.ts";
import {
  EMPTY,
  formOf,
  type LimitForm,
  NEW_LIMIT,
  NEW_SERVICE,
  type PlanForm,
  planOf,
  type ServiceForm,
} from "./form.ts";
import type { NewPlan, Plan } from "./requests.ts";
import { limitText, serviceText } from "./words.ts";

interface PlanEditorProps {
  readonly title: string;
  /** Absent: a new one is made. */
  readonly stored: Tagged<Plan> | undefined;
  /** How a new one begins. */
  readonly empty?: PlanForm;
  readonly readAgain: () => Promise<Outcome<Tagged<Plan>>>;
  /** @param etag Absent: there was no plan. */
  readonly send: (plan: NewPlan, etag: string | undefined) => Promise<Outcome<unknown>>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Services and limits of a maintenance plan, which is stored as a whole. */
export function PlanEditor(props: PlanEditorProps) {
  const { title, stored, empty = EMPTY, readAgain, send, onDone, onClose } = props;
  const wordsOf = (form: PlanForm) => {
    const { services = [], limits = [] } = planOf(form);
    return { services: services.map(serviceText), limits: limits.map(limitText) };
  };
  const orNone = (texts: readonly string[]) => texts.join("; ") || t("plans.nothing");
  return (
    <section class="card" aria-labelledby="plan-editor">
      <h2 id="plan-editor">{title}</h2>
      <ResourceForm<Plan, PlanForm, unknown>
        stored={stored}
        readAgain={readAgain}
        empty={empty}
        formOf={formOf}
        storedAt={({ valid_from }) => valid_from}
        rows={[
          [t("plans.services"), (form) => orNone(wordsOf(form).services)],
          [t("plans.limits"), (form) => orNone(wordsOf(form).limits)],
        ]}
        createLabel={t("set.save")}
        send={(form, seen) => send(planOf(form), seen?.etag)}
        onDone={onDone}
        onClose={onClose}
      >
        {(state) => (
          <>
            <Services state={state} />
            <Limits state={state} />
            {state.form.faults === undefined ? null : (
              <p class="muted small">{t("plans.faults_kept")}</p>
            )}
          </>
        )}
      </ResourceForm>
    </section>
  );
}

function Services({ state }: { readonly state: FormState<Plan, PlanForm> }) {
  const { form, change, failure } = state;
  return (
    <RowList<ServiceForm>
      title={t("plans.services")}
      addLabel={t("plans.add_service")}
      nameOf={(n) => t("plans.service_n", { n })}
      empty={NEW_SERVICE}
      rows={form.services}
      onRows={(services) => change({ services })}
    >
      {(row, i, changeRow) => {
        const problem = (field: string) => problemOf(failure, `services.${i}.${field}`);
        return (
          <>
            <div class="field-row">
              <TextField
                name={t("plans.item")}
                hint={t("plans.id_hint")}
                error={problem("item")}
                required
                spellcheck={false}
                value={row.item}
                onText={(item) => changeRow({ item })}
              />
              <TextField
                name={t("set.name")}
                error={problem("name")}
                required
                value={row.name}
                onText={(name) => changeRow({ name })}
              />
            </div>
            <div class="field-row">
              <TextField
                name={t("plans.every_hours")}
                error={problem("every_hours")}
                inputMode="decimal"
                value={row.hours}
                onText={(hours) => changeRow({ hours })}
              />
              <TextField
                name={t("plans.every_days")}
                error={problem("every_days")}
                inputMode="decimal"
                value={row.days}
                onText={(days) => changeRow({ days })}
              />
              <QuantityField
                quantity="distance"
                name={t("plans.every_km")}
                error={problem("every_km")}
                value={row.km}
                onValue={(km) => changeRow({ km })}
              />
              <TextField
                name={t("plans.warn_at")}
                hint={t("plans.warn_hint")}
                error={problem("warn_at_percent")}
                inputMode="decimal"
                value={row.warnAt}
                onText={(warnAt) => changeRow({ warnAt })}
              />
            </div>
          </>
        );
      }}
    </RowList>
  );
}

function Limits({ state }: { readonly state: FormState<Plan, PlanForm> }) {
  const { form, change, failure } = state;
  return (
    <RowList<LimitForm>
      title={t("plans.limits")}
      addLabel={t("plans.add_limit")}
      nameOf={(n) => t("plans.limit_n", { n })}
      empty={NEW_LIMIT}
      rows={form.limits}
      onRows={(limits) => change({ limits })}
    >
      {(row, i, changeRow) => {
        const problem = (field: string) => problemOf(failure, `limits.${i}.${field}`);
        return (
          <>
            <div class="field-row">
              <TextField
                name={t("plans.limit_id")}
                hint={t("plans.id_hint")}
                error={problem("id")}
                required
                spellcheck={false}
                value={row.id}
                onText={(id) => changeRow({ id })}
              />
              <TextField
                name={t("set.name")}
                error={problem("name")}
                value={row.name}
                onText={(name) => changeRow({ name })}
              />
              <TextField
                name={t("plans.field")}
                hint={t("plans.field_hint")}
                error={problem("field")}
                required
                spellcheck={false}
                autocapitalize="off"
                value={row.field}
                onText={(field) => changeRow({ field })}
              />
            </div>
            <div class="field-row">
              <TextField
                name={t("plans.above")}
                error={problem("above")}
                inputMode="decimal"
                value={row.above}
                onText={(above) => changeRow({ above })}
              />
              <TextField
                name={t("plans.below")}
                error={problem("below")}
                inputMode="decimal"
                value={row.below}
                onText={(below) => changeRow({ below })}
              />
              <TextField
                name={t("plans.for_s")}
                error={problem("for_s")}
                inputMode="numeric"
                value={row.forS}
                onText={(forS) => changeRow({ forS })}
              />
              <TextField
                name={t("plans.clear_at")}
                hint={t("plans.clear_hint")}
                error={problem("clear_at")}
                inputMode="decimal"
                value={row.clearAt}
                onText={(clearAt) => changeRow({ clearAt })}
              />
              <Field name={t("alerts.severity")} error={problem("severity")}>
                {(control) => (
                  <Select
                    {...control}
                    value={row.severity}
                    choices={(["info", "warning", "critical"] as const).map((one) => [
                      one,
                      t(`severity.${one}`),
                    ])}
                    onChoose={(severity) => changeRow({ severity })}
                  />
                )}
              </Field>
            </div>
          </>
        );
      }}
    </RowList>
  );
}
