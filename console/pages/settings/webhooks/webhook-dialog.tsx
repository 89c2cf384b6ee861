import { useMemo } from "preact/hooks";
import { t } from "../../../i18n/t.ts";
import { EVENT_TYPES, eventWords } from "../../../parts/event-words.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { Select } from "../../../parts/select.tsx";
import { AddressFields } from "../form/address-fields.tsx";
import { CheckList } from "../form/check-list.tsx";
import { ProjectChoice, projectsText } from "../form/project-choice.tsx";
import { ResourceDialog } from "../form/resource-form.tsx";
import { bodyOf, emptyForm, formOf, typesOf, typesText, type WebhookForm } from "./form.ts";
import {
  type CreatedWebhook,
  changeWebhook,
  createWebhook,
  readWebhook,
  type Webhook,
} from "./requests.ts";

interface WebhookDialogProps {
  /** Id of the one that is changed; absent: a new one is made. */
  readonly id: string | undefined;
  /** A new one has its secret. */
  readonly onDone: (stored: CreatedWebhook) => void;
  readonly onClose: () => void;
}

/** Where events are posted, and which. */
export function WebhookDialog({ id, onDone, onClose }: WebhookDialogProps) {
  const empty = useMemo(emptyForm, []);
  return (
    <ResourceDialog<Webhook, WebhookForm, CreatedWebhook>
      title={t(id === undefined ? "hooks.new" : "hooks.edit")}
      read={id === undefined ? undefined : () => readWebhook(id)}
      empty={empty}
      formOf={formOf}
      storedAt={({ updated_at }) => updated_at}
      createLabel={t("hooks.create")}
      rows={[
        [t("hooks.url"), ({ url }) => url],
        [t("set.name"), ({ name }) => name],
        [t("hooks.types"), (form) => typesText(typesOf(form), t("hooks.all_types"))],
        [t("set.projects"), ({ projects }) => projectsText(projects)],
      ]}
      send={(form, seen, key) => {
        const { projects } = form;
        const ids = projects === undefined ? undefined : [...projects];
        return seen === undefined
          ? createWebhook(
              { ...bodyOf(form), ...(ids === undefined ? {} : { project_ids: ids }) },
              key,
            )
          : changeWebhook(seen.value.id, { ...bodyOf(form), project_ids: ids ?? null }, seen.etag);
      }}
      onDone={onDone}
      onClose={onClose}
    >
      {({ form, change, failure }) => (
        <>
          <AddressFields
            form={form}
            urlHint={t("hooks.url_hint")}
            failure={failure}
            change={change}
          />
          <Field name={t("hooks.types")}>
            {(control) => (
              <Select
                {...control}
                value={form.isSome ? "some" : "all"}
                choices={[
                  ["all", t("hooks.all_types")],
                  ["some", t("hooks.some_types")],
                ]}
                onChoose={(chosen) => change({ isSome: chosen === "some" })}
              />
            )}
          </Field>
          {form.isSome ? (
            <>
              <CheckList
                name={t("hooks.some_types")}
                error={problemOf(failure, "types")}
                choices={EVENT_TYPES.map((type) => [type as string, eventWords(type)] as const)}
                chosen={form.types}
                onChoose={(types) => change({ types })}
              />
              <TextField
                name={t("hooks.patterns")}
                hint={t("hooks.patterns_hint")}
                spellcheck={false}
                value={form.patterns}
                onText={(patterns) => change({ patterns })}
              />
            </>
          ) : null}
          <ProjectChoice
            chosen={form.projects}
            error={problemOf(failure, "project_ids")}
            onChoose={(projects) => change({ projects })}
          />
        </>
      )}
    </ResourceDialog>
  );
}
