import { t } from "../../../i18n/t.ts";
import { TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import type { FormState } from "../form/form-state.ts";
import { ResourceDialog } from "../form/resource-form.tsx";
import { changeOf, EMPTY, formOf, newProjectOf, type ProjectForm } from "./form.ts";
import { changeProject, createProject, type Project, readProject } from "./requests.ts";

interface ProjectDialogProps {
  /** Id of the one that is changed; absent: a new one is made. */
  readonly id: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Name, place, time zone, shift and plan of a project. */
export function ProjectDialog({ id, onDone, onClose }: ProjectDialogProps) {
  return (
    <ResourceDialog<Project, ProjectForm, Project>
      title={t(id === undefined ? "proj.new" : "proj.edit")}
      read={id === undefined ? undefined : () => readProject(id)}
      empty={EMPTY}
      formOf={formOf}
      storedAt={({ updated_at }) => updated_at}
      createLabel={t("proj.create")}
      rows={[
        [t("set.name"), ({ name }) => name],
        [t("proj.place"), ({ latitude, longitude }) => `${latitude}, ${longitude}`],
        [t("proj.zone"), ({ timeZone }) => timeZone],
        [t("proj.shift"), ({ shiftStart, shiftEnd }) => `${shiftStart} – ${shiftEnd}`],
        [t("proj.start"), ({ start }) => start || t("proj.no_date")],
        [t("proj.finish"), ({ finish }) => finish || t("proj.no_date")],
      ]}
      send={(form, seen, key) =>
        seen === undefined
          ? createProject(newProjectOf(form), key)
          : changeProject(seen, changeOf(form))
      }
      onDone={onDone}
      onClose={onClose}
    >
      {(state) => <ProjectFields state={state} isNew={id === undefined} />}
    </ResourceDialog>
  );
}

interface ProjectFieldsProps {
  readonly state: FormState<Project, ProjectForm>;
  readonly isNew: boolean;
}

function ProjectFields({ state: { form, change, failure }, isNew }: ProjectFieldsProps) {
  return (
    <>
      <TextField
        name={t("set.name")}
        error={problemOf(failure, "name")}
        required
        maxLength={200}
        value={form.name}
        onText={(name) => change({ name })}
      />
      {isNew ? (
        <TextField
          name={t("proj.id")}
          hint={t("proj.id_hint")}
          error={problemOf(failure, "id")}
          maxLength={64}
          spellcheck={false}
          autocapitalize="off"
          value={form.id}
          onText={(id) => change({ id })}
        />
      ) : null}
      <div class="field-row">
        <TextField
          name={t("proj.latitude")}
          error={problemOf(failure, "location.latitude")}
          required
          inputMode="decimal"
          value={form.latitude}
          onText={(latitude) => change({ latitude })}
        />
        <TextField
          name={t("proj.longitude")}
          error={problemOf(failure, "location.longitude")}
          required
          inputMode="decimal"
          value={form.longitude}
          onText={(longitude) => change({ longitude })}
        />
      </div>
      <TextField
        name={t("proj.zone")}
        hint={t("proj.zone_hint")}
        error={problemOf(failure, "time_zone")}
        spellcheck={false}
        required={!isNew}
        value={form.timeZone}
        onText={(timeZone) => change({ timeZone })}
      />
      <div class="field-row">
        <TextField
          name={t("proj.shift_start")}
          hint={t("proj.shift_hint")}
          error={problemOf(failure, "shift.start") ?? problemOf(failure, "shift")}
          placeholder="07:00"
          required={!isNew || form.shiftEnd !== ""}
          value={form.shiftStart}
          onText={(shiftStart) => change({ shiftStart })}
        />
        <TextField
          name={t("proj.shift_end")}
          error={problemOf(failure, "shift.end")}
          placeholder="17:00"
          required={!isNew || form.shiftStart !== ""}
          value={form.shiftEnd}
          onText={(shiftEnd) => change({ shiftEnd })}
        />
      </div>
      <div class="field-row">
        <TextField
          name={t("proj.start")}
          error={problemOf(failure, "planned_start")}
          type="date"
          value={form.start}
          onText={(start) => change({ start })}
        />
        <TextField
          name={t("proj.finish")}
          error={problemOf(failure, "planned_finish")}
          type="date"
          value={form.finish}
          onText={(finish) => change({ finish })}
        />
      </div>
    </>
  );
}
