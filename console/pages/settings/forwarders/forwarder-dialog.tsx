import { useMemo } from "preact/hooks";
import { t } from "../../../i18n/t.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { Select } from "../../../parts/select.tsx";
import { AddressFields } from "../form/address-fields.tsx";
import type { FormState } from "../form/form-state.ts";
import { ProjectChoice, projectsText } from "../form/project-choice.tsx";
import { ResourceDialog } from "../form/resource-form.tsx";
import { changeOf, emptyForm, type ForwarderForm, formOf, newForwarderOf } from "./form.ts";
import { changeForwarder, createForwarder, type Forwarder, readForwarder } from "./requests.ts";

interface ForwarderDialogProps {
  /** Id of the one that is changed; absent: a new one is made. */
  readonly id: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Where readings are passed on, and which. */
export function ForwarderDialog({ id, onDone, onClose }: ForwarderDialogProps) {
  const empty = useMemo(emptyForm, []);
  const isNew = id === undefined;
  return (
    <ResourceDialog<Forwarder, ForwarderForm, Forwarder>
      title={t(isNew ? "fwd.new" : "fwd.edit")}
      read={isNew ? undefined : () => readForwarder(id)}
      empty={empty}
      formOf={formOf}
      storedAt={({ updated_at }) => updated_at}
      createLabel={t("fwd.create")}
      rows={[
        [t("hooks.url"), ({ url }) => url],
        [t("set.name"), ({ name }) => name],
        [t("fwd.format"), ({ format }) => t(`fwd.format.${format}`)],
        [t("fwd.topic"), ({ topic }) => topic || t("mapping.not_given")],
        [t("set.projects"), ({ projects }) => projectsText(projects)],
        [t("set.access"), ({ access }) => t(`set.access.${access}`)],
      ]}
      send={(form, seen, key) =>
        seen === undefined
          ? createForwarder(newForwarderOf(form), key)
          : changeForwarder(seen.value.id, changeOf(form), seen.etag)
      }
      onDone={onDone}
      onClose={onClose}
    >
      {(state) => (
        <>
          <Target state={state} isNew={isNew} />
          <ProjectChoice
            chosen={state.form.projects}
            error={problemOf(state.failure, "project_ids")}
            onChoose={(projects) => state.change({ projects })}
          />
          <AccessFields state={state} isNew={isNew} />
        </>
      )}
    </ResourceDialog>
  );
}

interface PartProps {
  readonly state: FormState<Forwarder, ForwarderForm>;
  readonly isNew: boolean;
}

function Target({ state: { form, change, failure }, isNew }: PartProps) {
  return (
    <>
      {isNew ? (
        <Field name={t("fwd.kind")} error={problemOf(failure, "kind")}>
          {(control) => (
            <Select
              {...control}
              value={form.kind}
              choices={(["traccar_http", "mqtt"] as const).map((one) => [
                one,
                t(`fwd.kind.${one}`),
              ])}
              onChoose={(kind) =>
                change({ kind, format: kind === "mqtt" ? "plumbline" : "traccar" })
              }
            />
          )}
        </Field>
      ) : null}
      <AddressFields
        form={form}
        urlHint={t(form.kind === "mqtt" ? "fwd.url_mqtt" : "fwd.url_http")}
        failure={failure}
        change={change}
      />
      {form.kind === "mqtt" ? (
        <>
          <TextField
            name={t("fwd.topic")}
            hint={t("fwd.topic_hint", {
              ...{ project: "{project}", asset: "{asset}", hardware: "{hardware_id}" },
            })}
            error={problemOf(failure, "topic")}
            required
            spellcheck={false}
            value={form.topic}
            onText={(topic) => change({ topic })}
          />
          <Field name={t("fwd.format")} error={problemOf(failure, "format")}>
            {(control) => (
              <Select
                {...control}
                value={form.format}
                choices={(["plumbline", "traccar"] as const).map((one) => [
                  one,
                  t(`fwd.format.${one}`),
                ])}
                onChoose={(format) => change({ format })}
              />
            )}
          </Field>
        </>
      ) : null}
    </>
  );
}

function AccessFields({ state: { form, change, failure }, isNew }: PartProps) {
  const ways = [
    "none",
    "password",
    ...(form.kind === "mqtt" ? [] : (["header"] as const)),
  ] as const;
  return (
    <>
      <Field
        name={t("set.access")}
        hint={isNew ? undefined : t("set.access_hint")}
        error={
          form.access === "keep" || form.access === "none"
            ? problemOf(failure, "credentials")
            : undefined
        }
      >
        {(control) => (
          <Select
            {...control}
            value={form.access}
            choices={[...(isNew ? [] : (["keep"] as const)), ...ways].map((one) => [
              one,
              t(`set.access.${one}`),
            ])}
            onChoose={(access) => change({ access })}
          />
        )}
      </Field>
      {form.access === "password" ? (
        <div class="field-row">
          <TextField
            name={t("set.user")}
            error={problemOf(failure, "credentials.username")}
            required
            autocomplete="off"
            spellcheck={false}
            value={form.username}
            onText={(username) => change({ username })}
          />
          <TextField
            name={t("set.password")}
            error={problemOf(failure, "credentials.password")}
            type="password"
            autocomplete="new-password"
            value={form.password}
            onText={(password) => change({ password })}
          />
        </div>
      ) : null}
      {form.access === "header" ? (
        <div class="field-row">
          <TextField
            name={t("set.header")}
            error={problemOf(failure, "credentials.header")}
            required
            spellcheck={false}
            value={form.header}
            onText={(header) => change({ header })}
          />
          <TextField
            name={t("set.header_value")}
            error={problemOf(failure, "credentials.value")}
            type="password"
            autocomplete="new-password"
            required
            value={form.value}
            onText={(value) => change({ value })}
          />
        </div>
      ) : null}
    </>
  );
}
