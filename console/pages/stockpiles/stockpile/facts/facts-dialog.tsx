import { show } from "../../../../format/show.ts";
import { t } from "../../../../i18n/t.ts";
import { Field, TextField } from "../../../../parts/field.tsx";
import { FailureNotice } from "../../../../parts/notices.tsx";
import { problemOf } from "../../../../parts/problem.ts";
import { QuantityField } from "../../../../parts/quantity-field.tsx";
import { Select } from "../../../../parts/select.tsx";
import { fences } from "../../../../state/fences.ts";
import type { Stockpile } from "../../../../state/site-places.ts";
import { useAnswer } from "../../../../state/use-answer.ts";
import type { FormState } from "../../../settings/form/form-state.ts";
import { ResourceDialog } from "../../../settings/form/resource-form.tsx";
import {
  BASE_METHODS,
  EMPTY,
  formOf,
  type PileForm,
  problemsOf,
  THRESHOLDS,
} from "./facts-form.ts";
import { changeFacts, readFacts, readSurfaces } from "./requests.ts";
import { densityText, fenceName } from "./words.ts";

interface FactsDialogProps {
  readonly pile: Stockpile;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Material, place, capacity and thresholds, density, base and fence of a stockpile. */
export function FactsDialog({ pile, onDone, onClose }: FactsDialogProps) {
  return (
    <ResourceDialog<Stockpile, PileForm, Stockpile>
      title={t("pile.facts_edit")}
      read={() => readFacts(pile.id)}
      empty={EMPTY}
      formOf={formOf}
      storedAt={({ updated_at }) => updated_at}
      createLabel={t("set.save")}
      rows={[
        [t("piles.material"), ({ material }) => material],
        [t("piles.location"), ({ location }) => location],
        [
          t("piles.capacity"),
          ({ capacityM3 }) =>
            capacityM3 === undefined ? t("value.unknown") : show.volume(capacityM3),
        ],
        [t("piles.density"), ({ density }) => densityText(density)],
        [t("pile.thresholds"), ({ empty, low, full }) => [empty, low, full].join(" / ")],
        [t("pile.base"), ({ method }) => t(`measure.base.${method}`)],
        [t("pile.fence"), ({ fenceId }) => fenceName(fenceId)],
      ]}
      send={changeFacts}
      onDone={onDone}
      onClose={onClose}
    >
      {(state) => <FactsFields pile={pile} state={state} />}
    </ResourceDialog>
  );
}

interface FactsFieldsProps {
  readonly pile: Stockpile;
  readonly state: FormState<Stockpile, PileForm>;
}

function FactsFields({ pile, state }: FactsFieldsProps) {
  const { form, change, failure } = state;
  const wrong = problemsOf(form, pile);
  return (
    <>
      <div class="field-row">
        <TextField
          name={t("piles.material")}
          error={problemOf(failure, "material")}
          required
          value={form.material}
          onText={(material) => change({ material })}
        />
        <TextField
          name={t("piles.location")}
          error={problemOf(failure, "location")}
          required
          maxLength={200}
          value={form.location}
          onText={(location) => change({ location })}
        />
      </div>
      <div class="field-row">
        <QuantityField
          quantity="volume"
          name={t("piles.capacity")}
          error={wrong.capacity ? t("piles.volume_wrong") : problemOf(failure, "max_capacity_m3")}
          value={form.capacityM3}
          onValue={(capacityM3) => change({ capacityM3 })}
        />
        <QuantityField
          quantity="density"
          name={t("piles.density")}
          hint={t("piles.density_hint")}
          error={wrong.density ? t("piles.volume_wrong") : problemOf(failure, "density_t_per_m3")}
          value={form.density}
          onValue={(density) => change({ density })}
        />
      </div>
      <fieldset class="checks">
        <legend>{t("pile.thresholds")}</legend>
        <div class="field-row">
          {THRESHOLDS.map((name) => (
            <TextField
              key={name}
              name={t(`pile.threshold.${name}`)}
              error={
                wrong[name] === undefined
                  ? problemOf(failure, `thresholds.${name}_percent`)
                  : t(`pile.threshold_wrong.${wrong[name]}`)
              }
              inputMode="decimal"
              autocomplete="off"
              value={form[name]}
              onText={(text) => change({ [name]: text })}
            />
          ))}
        </div>
      </fieldset>
      <BaseFields pile={pile} state={state} />
      {fences.value.length === 0 && form.fenceId === "" ? null : (
        <Field
          name={t("pile.fence")}
          hint={t("pile.fence_hint")}
          error={problemOf(failure, "geofence_id")}
        >
          {(control) => (
            <Select
              {...control}
              value={form.fenceId}
              choices={[["", t("map.none")], ...fenceChoices(pile.project_id, form.fenceId)]}
              onChoose={(fenceId) => change({ fenceId })}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** Fences of the project by name, and the stored one also where it is not among them. */
function fenceChoices(project: string, chosen: string): readonly (readonly [string, string])[] {
  const known = fences.value
    .filter(({ project_id }) => project_id === project)
    .map(({ id, name }) => [id, name] as const);
  const isKnown = chosen === "" || known.some(([id]) => id === chosen);
  return isKnown ? known : [[chosen, chosen], ...known];
}

function BaseFields({ pile, state: { form, change, failure } }: FactsFieldsProps) {
  const wrong = problemsOf(form, pile);
  return (
    <>
      <Field
        name={t("pile.base")}
        hint={t("pile.base_hint")}
        error={form.method === "survey" ? undefined : problemOf(failure, "base")}
      >
        {(control) => (
          <Select
            {...control}
            value={form.method}
            choices={BASE_METHODS.map((one) => [one, t(`measure.base.${one}`)] as const)}
            onChoose={(method) => change({ method })}
          />
        )}
      </Field>
      {form.method === "level" ? (
        <QuantityField
          quantity="length"
          isSigned
          name={t("measure.level")}
          error={wrong.level ? t("measure.level_wrong") : undefined}
          value={form.levelM}
          onValue={(levelM) => change({ levelM })}
        />
      ) : null}
      {form.method === "survey" ? (
        <SurfaceField
          pile={pile}
          value={form.surfaceUrl}
          error={wrong.surface ? t("pile.base_missing") : problemOf(failure, "base")}
          onChoose={(surfaceUrl) => change({ surfaceUrl })}
        />
      ) : null}
    </>
  );
}

interface SurfaceFieldProps {
  readonly pile: Stockpile;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChoose: (surfaceUrl: string) => void;
}

/** Chooses the surface of an earlier survey of this stockpile. */
function SurfaceField({ pile, value, error, onChoose }: SurfaceFieldProps) {
  const { data, failure, read } = useAnswer(() => readSurfaces(pile.id), pile.id);
  if (failure.value !== undefined) {
    return <FailureNotice failure={failure.value} onRetry={() => void read()} />;
  }
  const surveys = data.value ?? [];
  return (
    <Field name={t("pile.base_survey")} error={error}>
      {(control) => (
        <Select
          {...control}
          value={value}
          choices={[
            ["", t(pile.base.method === "survey" ? "pile.base_kept" : "fences.choose")],
            ...surveys.map(
              ({ products, captured_at }) =>
                [products.surface_url, show.dateTime(Date.parse(captured_at))] as const,
            ),
          ]}
          onChoose={onChoose}
        />
      )}
    </Field>
  );
}
