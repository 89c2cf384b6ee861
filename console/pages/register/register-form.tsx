import { useSignal } from "@preact/signals";
import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import type { Failure } from "../../api/failure.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { t } from "../../i18n/t.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { MachineTypeField } from "../../parts/machine-type-field.tsx";
import { Empty, FailureNotice } from "../../parts/notices.tsx";
import { OwnPlace } from "../../parts/own-place.tsx";
import { problemOf } from "../../parts/problem.ts";
import { Select } from "../../parts/select.tsx";
import { projectChoices, projectId, projects } from "../../state/project.ts";
import { idFor } from "./commands.ts";
import { DECODERS, type Decoder } from "./decoders.ts";
import { type PlaceProblem, readPlace } from "./place.ts";

type NewAsset = components["schemas"]["NewAsset"];
type RegisteredAsset = components["schemas"]["RegisteredAsset"];

interface RegisterFormProps {
  readonly onRegistered: (asset: RegisteredAsset) => void;
}

/** What a machine is registered with. Sent once with one key, however often the button is pressed. */
export function RegisterForm({ onRegistered }: RegisterFormProps) {
  const name = useSignal("");
  const id = useSignal<string | undefined>(undefined);
  const type = useSignal("");
  const project = useSignal(projectId.peek() ?? "");
  const latitude = useSignal("");
  const longitude = useSignal("");
  const decoder = useSignal<Decoder>("plumbline");
  const hardwareId = useSignal("");
  const placeProblem = useSignal<PlaceProblem | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isSending = useSignal(false);
  const keyOf = useRepeatKey();

  const bad = failure.value;
  // With one project there is nothing to choose.
  const onlyProject = projects.value.length === 1 ? projects.value[0]?.id : undefined;

  async function send() {
    if (isSending.peek()) return;
    const place = readPlace(latitude.peek(), longitude.peek());
    placeProblem.value = place.problem;
    if (place.problem !== undefined) return;
    const wantedId = (id.peek() ?? idFor(name.peek())).trim();
    const body: NewAsset = {
      name: name.peek().trim(),
      type: type.peek().trim(),
      project_id: project.peek() === "" ? (onlyProject ?? "") : project.peek(),
      ...(wantedId === "" ? {} : { id: wantedId }),
      ...(place.location === undefined ? {} : { location: place.location }),
      decoder: decoder.peek(),
      ...(hardwareId.peek().trim() === "" ? {} : { hardware_id: hardwareId.peek().trim() }),
    };
    isSending.value = true;
    const outcome = await outcomeOf(
      api.POST("/api/v1/equipment/assets", {
        params: { header: { "Idempotency-Key": keyOf(body) } },
        body,
      }),
    );
    isSending.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) onRegistered(outcome.value);
  }

  if (projects.value.length === 0) return <Empty title={t("register.no_projects")} />;
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        name={t("register.name")}
        error={problemOf(bad, "name")}
        required
        maxLength={200}
        value={name.value}
        onText={(text) => {
          name.value = text;
        }}
      />
      <TextField
        name={t("register.id")}
        hint={t("register.id_hint")}
        error={
          problemOf(bad, "id") ??
          (bad?.status === 409 ? t("form.problem", { message: bad.message }) : undefined)
        }
        maxLength={64}
        pattern="[A-Za-z0-9_\-]+"
        spellcheck={false}
        autocapitalize="off"
        value={id.value ?? idFor(name.value)}
        onText={(text) => {
          id.value = text;
        }}
      />
      <MachineTypeField
        error={problemOf(bad, "type")}
        value={type.value}
        onText={(text) => {
          type.value = text;
        }}
      />
      <Field name={t("register.project")} error={problemOf(bad, "project_id")}>
        {(names) => (
          <Select
            {...names}
            required
            value={project.value === "" ? (onlyProject ?? "") : project.value}
            choices={[
              ...(onlyProject === undefined ? [["", t("register.choose")] as const] : []),
              ...projectChoices(),
            ]}
            onChoose={(chosen) => {
              project.value = chosen;
            }}
          />
        )}
      </Field>
      <div class="field-row">
        <TextField
          name={t("register.latitude")}
          hint={t("register.place_hint")}
          error={
            placeProblem.value === undefined
              ? problemOf(bad, "location")
              : t(`register.${placeProblem.value}`)
          }
          inputMode="decimal"
          placeholder="52.52001"
          value={latitude.value}
          onText={(text) => {
            latitude.value = text;
          }}
        />
        <TextField
          name={t("register.longitude")}
          inputMode="decimal"
          placeholder="13.40495"
          value={longitude.value}
          onText={(text) => {
            longitude.value = text;
          }}
        />
      </div>
      <OwnPlace
        onPlace={(north, east) => {
          latitude.value = north;
          longitude.value = east;
        }}
      />
      <div class="field-row">
        <Field
          name={t("register.decoder")}
          hint={t("register.decoder_hint")}
          error={problemOf(bad, "decoder")}
        >
          {(names) => (
            <Select
              {...names}
              value={decoder.value}
              choices={DECODERS.map((one) => [one, one])}
              onChoose={(chosen) => {
                decoder.value = chosen;
              }}
            />
          )}
        </Field>
        <TextField
          name={t("register.hardware")}
          hint={t("register.hardware_hint")}
          error={problemOf(bad, "hardware_id")}
          maxLength={128}
          spellcheck={false}
          autocapitalize="off"
          value={hardwareId.value}
          onText={(text) => {
            hardwareId.value = text;
          }}
        />
      </div>
      {bad === undefined || bad.status === 409 ? null : <FailureNotice failure={bad} />}
      <button type="submit" class="main" disabled={isSending.value}>
        {t(isSending.value ? "register.sending" : "register.submit")}
      </button>
    </form>
  );
}
