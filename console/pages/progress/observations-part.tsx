import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { problemOf } from "../../parts/problem.ts";
import { Select } from "../../parts/select.tsx";
import { When } from "../../parts/time.tsx";
import { TimeField } from "../../parts/time-field.tsx";
import { type WorkZone, workZones } from "../../state/site-places.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { zone as pageZone } from "../../state/zone.ts";
import { readTime } from "../../time/zone.ts";
import { readPercent } from "./read-percent.ts";
import { type Observation, readObservations, sendObservation } from "./requests.ts";

/** What people said of a zone, and a form to say more. Zones of which nothing else is known come first. */
export function ObservationsPart({ project }: { readonly project: string }) {
  const zones = workZones.items.value.filter(({ project_id }) => project_id === project);
  const chosen = useSignal<string | undefined>(undefined);
  const isManual = ({ metric }: WorkZone) => metric.kind === "manual";
  const inOrder = [...zones.filter(isManual), ...zones.filter((one) => !isManual(one))];
  const zone = inOrder.find(({ id }) => id === chosen.value) ?? inOrder[0];
  if (zone === undefined) return <p class="muted">{t("observe.no_zones")}</p>;
  return (
    <div class="stack narrow">
      <Field name={t("progress.zone")}>
        {(control) => (
          <Select
            {...control}
            value={zone.id}
            choices={inOrder.map((one) => [
              one.id,
              isManual(one) ? t("observe.by_hand_alone", { zone: one.name }) : one.name,
            ])}
            onChoose={(id) => {
              chosen.value = id;
            }}
          />
        )}
      </Field>
      <OfZone key={zone.id} zone={zone} />
    </div>
  );
}

function OfZone({ zone }: { readonly zone: WorkZone }) {
  const { data, failure, read } = useAnswer(() => readObservations(zone.id), zone.id);
  const { value } = data;
  return (
    <>
      {may("progress:write") ? (
        <ObserveForm zone={zone} onStored={() => void read()} />
      ) : (
        <p class="muted small">{t("observe.read_only")}</p>
      )}
      {failure.value === undefined ? null : (
        <FailureNotice failure={failure.value} onRetry={() => void read()} />
      )}
      {value === undefined ? (
        failure.value === undefined ? (
          <Loading />
        ) : null
      ) : (
        <Observations of={value.data} more={value.pagination.total - value.data.length} />
      )}
    </>
  );
}

interface ObservationsProps {
  /** Newest first. */
  readonly of: readonly Observation[];
  readonly more: number;
}

function Observations({ of: observations, more }: ObservationsProps) {
  if (observations.length === 0) return <p class="muted">{t("observe.none")}</p>;
  return (
    <ul class="stack observation-list">
      {observations.map(({ id, progress, observed_at, observed_by, note, source, interval_95 }) => (
        <li key={id}>
          <strong>{t("observe.declared", { percent: show.tenth(progress) })}</strong>
          {interval_95 === undefined ? (
            <span class="muted"> {t("observe.no_interval")}</span>
          ) : (
            <span>
              {" "}
              {t("observe.interval", {
                low: show.tenth(interval_95[0] ?? 0),
                high: show.tenth(interval_95[1] ?? 0),
              })}
            </span>
          )}
          <span class="block small">
            {t(source === "correction" ? "observe.by_correction" : "observe.by", {
              by: observed_by,
            })}
            , <When ms={Date.parse(observed_at)} isPressable />
          </span>
          {note === "" ? null : <span class="block">{note}</span>}
        </li>
      ))}
      {more > 0 ? <li class="muted small">{t("observe.more", { n: more })}</li> : null}
    </ul>
  );
}

interface ObserveFormProps {
  readonly zone: WorkZone;
  readonly onStored: () => void;
}

function ObserveForm({ zone, onStored }: ObserveFormProps) {
  const typed = useSignal("");
  const stage = useSignal("");
  const at = useSignal("");
  const note = useSignal("");
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
    const outcome = await sendObservation(zone.id, body, keyOf({ zone: zone.id, ...body }));
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    isDone.value = "value" in outcome;
    if ("failure" in outcome) return;
    typed.value = "";
    stage.value = "";
    at.value = "";
    note.value = "";
    onStored();
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
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      <p role="status">{isDone.value ? t("observe.done") : ""}</p>
      <button type="submit" class="main start" disabled={!isSaid || !isTimed || isBusy.value}>
        {t("observe.send")}
      </button>
    </form>
  );
}
