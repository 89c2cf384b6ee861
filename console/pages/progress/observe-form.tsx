import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import type { Outcome } from "../../api/outcome.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { sendPicture } from "../../api/send-picture.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { problemOf } from "../../parts/problem.ts";
import { Select } from "../../parts/select.tsx";
import { TimeField } from "../../parts/time-field.tsx";
import type { WorkZone } from "../../state/site-places.ts";
import { zone as pageZone } from "../../state/zone.ts";
import { readTime } from "../../time/zone.ts";
import { readPercent } from "./read-percent.ts";
import { type NewObservation, sendObservation } from "./requests.ts";

/** What browsers show. Phones offer their camera for these, and make a JPEG of what they keep otherwise. */
const PHOTO_TYPES = "image/jpeg,image/png,image/webp";

interface ObserveFormProps {
  readonly zone: WorkZone;
  readonly onStored: () => void;
}

/** How far somebody says that a zone is, with a photograph if there is one. */
export function ObserveForm({ zone, onStored }: ObserveFormProps) {
  const typed = useSignal("");
  const stage = useSignal("");
  const at = useSignal("");
  const note = useSignal("");
  const photo = useSignal<File | undefined>(undefined);
  /** Of the chosen photograph, once it was sent: a second press names the same one, and is the same request. */
  const address = useRef<string>();
  /** Rises when the form is emptied: a browser keeps the file of a field that stays. */
  const filled = useSignal(0);
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const isDone = useSignal(false);
  const keyOf = useRepeatKey();
  const { stages = [] } = zone.metric;
  const progress = readPercent(typed.value);
  const isSaid = stage.value !== "" || progress !== undefined;
  const isWrong = typed.value !== "" && progress === undefined;
  const { ms } = readTime(at.value, pageZone.value);
  const isTimed = at.value === "" || !Number.isNaN(ms);

  async function send() {
    const said = stage.peek() === "" ? progress : stage.peek();
    if (said === undefined || !isTimed || isBusy.peek()) return;
    const text = note.peek().trim();
    const body = {
      ...(typeof said === "number" ? { progress: said } : { stage: said }),
      ...(at.peek() === "" ? {} : { observed_at: new Date(ms).toISOString() }),
      ...(text === "" ? {} : { note: text }),
    };
    isBusy.value = true;
    const outcome = await store(body);
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    isDone.value = "value" in outcome;
    if ("failure" in outcome) return;
    typed.value = "";
    stage.value = "";
    at.value = "";
    note.value = "";
    photo.value = undefined;
    address.current = undefined;
    filled.value += 1;
    onStored();
  }

  async function store(said: NewObservation): Promise<Outcome<unknown>> {
    const file = photo.peek();
    if (file !== undefined && address.current === undefined) {
      const sent = await sendPicture(file, zone.project_id);
      if ("failure" in sent) return sent;
      address.current = sent.value;
    }
    const image_url = address.current;
    const body = image_url === undefined ? said : { ...said, image_url };
    return await sendObservation(zone.id, body, keyOf({ zone: zone.id, ...body }));
  }

  return (
    <form
      class="stack"
      aria-label={t("observe.form", { zone: zone.name })}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p class="muted small">{t("observe.hint")}</p>
      {stages.length === 0 ? null : (
        <Field name={t("labels.stage")} error={problemOf(failure.value, "stage")}>
          {(control) => (
            <Select
              {...control}
              value={stage.value}
              choices={[
                ["", t("observe.no_stage")],
                ...stages.map(
                  ({ name, credit }) => [name, `${name} (${show.percent(credit)})`] as const,
                ),
              ]}
              onChoose={(chosen) => {
                stage.value = chosen;
              }}
            />
          )}
        </Field>
      )}
      {stage.value === "" ? (
        <TextField
          name={t("observe.percent")}
          error={isWrong ? t("progress.percent_range") : problemOf(failure.value, "progress")}
          inputMode="decimal"
          autocomplete="off"
          value={typed.value}
          onText={(text) => {
            typed.value = text;
          }}
        />
      ) : null}
      <TimeField
        name={t("observe.at")}
        hint={t("observe.at_hint")}
        error={problemOf(failure.value, "observed_at")}
        value={at.value}
        onText={(text) => {
          at.value = text;
        }}
      />
      <TextField
        name={t("observe.note")}
        maxLength={2_000}
        value={note.value}
        onText={(text) => {
          note.value = text;
        }}
      />
      <Field
        name={t("observe.photo")}
        hint={t("observe.photo_hint")}
        error={problemOf(failure.value, "image_url")}
      >
        {(control) => (
          <input
            key={filled.value}
            {...control}
            type="file"
            accept={PHOTO_TYPES}
            onChange={(event) => {
              photo.value = event.currentTarget.files?.[0];
              address.current = undefined;
            }}
          />
        )}
      </Field>
      {failure.value === undefined ? null : (
        <FailureNotice failure={failure.value} project={zone.project_id} />
      )}
      <p role="status">{isDone.value ? t("observe.done") : ""}</p>
      <button type="submit" class="main start" disabled={!isSaid || !isTimed || isBusy.value}>
        {t("observe.send")}
      </button>
    </form>
  );
}
