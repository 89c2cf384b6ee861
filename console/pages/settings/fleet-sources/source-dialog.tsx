import { t } from "../../../i18n/t.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { Select } from "../../../parts/select.tsx";
import { AddressFields } from "../form/address-fields.tsx";
import { CheckList } from "../form/check-list.tsx";
import type { FormState } from "../form/form-state.ts";
import { ResourceDialog } from "../form/resource-form.tsx";
import {
  AUTH_PARTS,
  type AuthKind,
  type AuthPart,
  changeOf,
  EMPTY,
  formOf,
  KINDS,
  newSourceOf,
  SERIES,
  type SourceForm,
} from "./form.ts";
import { changeSource, createSource, type FleetSource, readSource } from "./requests.ts";

interface SourceDialogProps {
  /** Id of the one that is changed; absent: a new one is made. */
  readonly id: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Which server is polled, how often, and as whom. */
export function SourceDialog({ id, onDone, onClose }: SourceDialogProps) {
  const isNew = id === undefined;
  return (
    <ResourceDialog<FleetSource, SourceForm, FleetSource>
      title={t(isNew ? "src.new" : "src.edit")}
      read={isNew ? undefined : () => readSource(id)}
      empty={EMPTY}
      formOf={formOf}
      storedAt={({ updated_at }) => updated_at}
      createLabel={t("src.create")}
      rows={[
        [t("hooks.url"), ({ url }) => url],
        [t("set.name"), ({ name }) => name],
        [t("src.interval"), ({ interval }) => interval],
        [t("src.series"), ({ series }) => series.join(", ") || t("mapping.not_given")],
        [t("set.access"), ({ auth }) => t(`src.auth.${auth}`)],
      ]}
      send={(form, seen, key) =>
        seen === undefined
          ? createSource(newSourceOf(form), key)
          : changeSource(seen.value.id, changeOf(form), seen.etag)
      }
      onDone={onDone}
      onClose={onClose}
    >
      {(state) => <SourceFields state={state} isNew={isNew} />}
    </ResourceDialog>
  );
}

interface SourceFieldsProps {
  readonly state: FormState<FleetSource, SourceForm>;
  readonly isNew: boolean;
}

function SourceFields({ state, isNew }: SourceFieldsProps) {
  const { form, change, failure } = state;
  return (
    <>
      <AddressFields form={form} urlHint={t("src.url_hint")} failure={failure} change={change} />
      <TextField
        name={t("src.interval")}
        hint={t("src.interval_hint")}
        error={problemOf(failure, "interval_s")}
        inputMode="numeric"
        value={form.interval}
        onText={(interval) => change({ interval })}
      />
      <AuthFields state={state} isNew={isNew} />
      <CheckList
        name={t("src.series")}
        hint={t("src.series_hint")}
        error={problemOf(failure, "series")}
        choices={SERIES.map((one) => [one, one])}
        chosen={form.series}
        onChoose={(series) => change({ series })}
      />
    </>
  );
}

function AuthFields({ state: { form, change, failure }, isNew }: SourceFieldsProps) {
  const { needed, optional } = form.auth === "keep" ? KINDS.none : KINDS[form.auth];
  const kinds = Object.keys(KINDS) as readonly AuthKind[];
  const field = (part: AuthPart, isNeeded: boolean) => (
    <TextField
      key={part}
      name={t(`src.part.${part}`)}
      error={problemOf(failure, `auth.${part}`)}
      required={isNeeded}
      type={AUTH_PARTS[part] ? "password" : "text"}
      autocomplete={AUTH_PARTS[part] ? "new-password" : "off"}
      spellcheck={false}
      value={form.parts[part] ?? ""}
      onText={(text) => change({ parts: { ...form.parts, [part]: text } })}
    />
  );
  const isOfParts = [...needed, ...optional].some(
    (part) => problemOf(failure, `auth.${part}`) !== undefined,
  );
  return (
    <>
      <Field
        name={t("set.access")}
        hint={isNew ? undefined : t("set.access_hint")}
        error={isOfParts ? undefined : problemOf(failure, "auth")}
      >
        {(control) => (
          <Select
            {...control}
            value={form.auth}
            choices={[...(isNew ? [] : (["keep"] as const)), ...kinds].map((one) => [
              one,
              t(`src.auth.${one}`),
            ])}
            // What was typed for another kind is not sent, and not kept.
            onChoose={(auth) => change({ auth, parts: {} })}
          />
        )}
      </Field>
      {needed.length + optional.length === 0 ? null : (
        <div class="field-row">
          {needed.map((part) => field(part, true))}
          {optional.map((part) => field(part, false))}
        </div>
      )}
    </>
  );
}
