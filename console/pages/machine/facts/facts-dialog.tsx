import { t } from "../../../i18n/t.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { MachineTypeField } from "../../../parts/machine-type-field.tsx";
import { OwnPlace } from "../../../parts/own-place.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { Select } from "../../../parts/select.tsx";
import { projectChoices, projects } from "../../../state/project.ts";
import type { FormState } from "../../settings/form/form-state.ts";
import { ResourceDialog } from "../../settings/form/resource-form.tsx";
import type { AssetDetail } from "../tab.ts";
import { EMPTY, type FactsForm, formOf } from "./facts-form.ts";
import { changeFacts, readFacts } from "./requests.ts";

interface FactsDialogProps {
  readonly id: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Name, type, project, make and place of a machine, and whether it is out of service. */
export function FactsDialog({ id, onDone, onClose }: FactsDialogProps) {
  const said = (text: string) => text.trim() || t("machine.not_said");
  return (
    <ResourceDialog<AssetDetail, FactsForm, AssetDetail>
      title={t("machine.facts_edit")}
      read={() => readFacts(id)}
      empty={EMPTY}
      formOf={formOf}
      storedAt={({ updated_at }) => updated_at}
      createLabel={t("set.save")}
      rows={[
        [t("register.name"), ({ name }) => name],
        [t("register.type"), ({ type }) => type],
        [t("machine.project"), ({ projectId }) => projectName(projectId)],
        [t("machine.make"), ({ make }) => said(make)],
        [t("machine.model"), ({ model }) => said(model)],
        [t("machine.serial"), ({ serialNumber }) => said(serialNumber)],
        [t("machine.place"), placeText],
        [
          t("machine.out_of_service"),
          ({ isOutOfService }) => t(isOutOfService ? "machine.yes" : "machine.no"),
        ],
      ]}
      send={changeFacts}
      onDone={onDone}
      onClose={onClose}
    >
      {(state) => <FactsFields state={state} />}
    </ResourceDialog>
  );
}

const projectName = (id: string): string => projects.value.find((one) => one.id === id)?.name ?? id;

const placeText = ({ latitude, longitude }: FactsForm): string =>
  latitude.trim() === "" && longitude.trim() === ""
    ? t("machine.place_of_project")
    : `${latitude}, ${longitude}`;

interface FactsFieldsProps {
  readonly state: FormState<AssetDetail, FactsForm>;
}

function FactsFields({ state: { form, change, failure } }: FactsFieldsProps) {
  return (
    <>
      <TextField
        name={t("register.name")}
        error={problemOf(failure, "name")}
        required
        maxLength={200}
        value={form.name}
        onText={(name) => change({ name })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={form.isOutOfService}
          onChange={(event) => change({ isOutOfService: event.currentTarget.checked })}
        />
        <span>
          {t("machine.out_of_service")}
          <span class="muted small block">{t("machine.out_of_service_hint")}</span>
        </span>
      </label>
      <div class="field-row">
        <MachineTypeField
          error={problemOf(failure, "type")}
          value={form.type}
          onText={(type) => change({ type })}
        />
        <Field name={t("machine.project")} error={problemOf(failure, "project_id")}>
          {(names) => (
            <Select
              {...names}
              value={form.projectId}
              choices={projectChoices()}
              onChoose={(projectId) => change({ projectId })}
            />
          )}
        </Field>
      </div>
      <div class="field-row">
        <MachineText
          name={t("machine.make")}
          error={problemOf(failure, "make")}
          value={form.make}
          onText={(make) => change({ make })}
        />
        <MachineText
          name={t("machine.model")}
          error={problemOf(failure, "model")}
          value={form.model}
          onText={(model) => change({ model })}
        />
      </div>
      <MachineText
        name={t("machine.serial")}
        error={problemOf(failure, "serial_number")}
        value={form.serialNumber}
        onText={(serialNumber) => change({ serialNumber })}
      />
      <div class="field-row">
        <TextField
          name={t("register.latitude")}
          hint={t("register.place_hint")}
          error={problemOf(failure, "location")}
          inputMode="decimal"
          value={form.latitude}
          onText={(latitude) => change({ latitude })}
        />
        <TextField
          name={t("register.longitude")}
          inputMode="decimal"
          value={form.longitude}
          onText={(longitude) => change({ longitude })}
        />
      </div>
      <OwnPlace onPlace={(latitude, longitude) => change({ latitude, longitude })} />
    </>
  );
}

interface MachineTextProps {
  readonly name: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A text that may be left out. */
const MachineText = (props: MachineTextProps) => (
  <TextField {...props} maxLength={100} spellcheck={false} />
);
