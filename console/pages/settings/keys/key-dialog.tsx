import { t } from "../../../i18n/t.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { Select } from "../../../parts/select.tsx";
import { TimeField } from "../../../parts/time-field.tsx";
import { zone } from "../../../state/zone.ts";
import { readTime } from "../../../time/zone.ts";
import { CheckList } from "../form/check-list.tsx";
import { type ChosenProjects, ProjectChoice } from "../form/project-choice.tsx";
import { ResourceDialog } from "../form/resource-form.tsx";
import { type ApiKey, type CreatedApiKey, createKey, type NewApiKey } from "./requests.ts";

type Scope = NewApiKey["scopes"][number];

/** Scopes in the order in which they are offered. `satisfies` finds one that a later service adds. */
const SCOPES = Object.keys({
  "equipment:read": 1,
  "equipment:write": 1,
  "equipment:command": 1,
  "materials:read": 1,
  "materials:write": 1,
  "progress:read": 1,
  "progress:write": 1,
  "events:read": 1,
  "mqtt:auth": 1,
  admin: 1,
} satisfies Record<Scope, 1>) as readonly Scope[];

interface KeyForm {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly plan: ApiKey["plan"];
  readonly projects: ChosenProjects;
  /** As the field has it; empty: it does not expire. */
  readonly expires: string;
}

const EMPTY: KeyForm = {
  name: "",
  scopes: [],
  plan: "standard",
  projects: undefined,
  expires: "",
};

interface KeyDialogProps {
  readonly onDone: (made: CreatedApiKey) => void;
  readonly onClose: () => void;
}

/** A new key: whose it is, and what it may do. */
export function KeyDialog({ onDone, onClose }: KeyDialogProps) {
  return (
    <ResourceDialog<ApiKey, KeyForm, CreatedApiKey>
      title={t("keys.new")}
      empty={EMPTY}
      formOf={() => EMPTY}
      storedAt={({ created_at }) => created_at}
      rows={[]}
      createLabel={t("keys.create")}
      send={(form, _seen, key) => createKey(bodyOf(form), key)}
      onDone={onDone}
      onClose={onClose}
    >
      {({ form, change, failure }) => (
        <>
          <TextField
            name={t("set.name")}
            hint={t("keys.name_hint")}
            error={problemOf(failure, "name")}
            required
            maxLength={200}
            value={form.name}
            onText={(name) => change({ name })}
          />
          <CheckList
            name={t("keys.scopes")}
            error={problemOf(failure, "scopes")}
            choices={SCOPES.map((scope) => [scope, `${scope} – ${t(`keys.scope.${scope}`)}`])}
            chosen={form.scopes}
            onChoose={(scopes) => change({ scopes })}
          />
          <ProjectChoice
            chosen={form.projects}
            error={problemOf(failure, "project_ids")}
            onChoose={(projects) => change({ projects })}
          />
          <Field
            name={t("keys.plan")}
            hint={t("keys.plan_hint")}
            error={problemOf(failure, "plan")}
          >
            {(control) => (
              <Select
                {...control}
                value={form.plan}
                choices={(["standard", "enterprise"] as const).map((one) => [
                  one,
                  t(`keys.plan.${one}`),
                ])}
                onChoose={(plan) => change({ plan })}
              />
            )}
          </Field>
          <TimeField
            name={t("keys.expires")}
            hint={t("keys.expires_hint")}
            error={problemOf(failure, "expires_at")}
            value={form.expires}
            onText={(expires) => change({ expires })}
          />
        </>
      )}
    </ResourceDialog>
  );
}

function bodyOf({ name, scopes, plan, projects, expires }: KeyForm): NewApiKey {
  const { ms } = readTime(expires, zone.peek());
  return {
    name: name.trim(),
    scopes: [...scopes],
    plan,
    ...(projects === undefined ? {} : { project_ids: [...projects] }),
    // What is no time goes as it is: the service says so at the field, and no key without an end is made.
    ...(expires === ""
      ? {}
      : { expires_at: Number.isNaN(ms) ? expires : new Date(ms).toISOString() }),
  };
}
