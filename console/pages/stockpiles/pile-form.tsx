import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { t } from "../../i18n/t.ts";
import { type Draft, isDrawn } from "../../map/drawing/draft.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { problemOf } from "../../parts/problem.ts";
import { QuantityField } from "../../parts/quantity-field.tsx";
import { Select } from "../../parts/select.tsx";
import { projectChoices, projectId, projects } from "../../state/project.ts";
import type { Stockpile } from "../../state/site-places.ts";
import { createPile } from "./requests.ts";

interface PileFormProps {
  /** The footprint as far as it is drawn. */
  readonly draft: Draft;
  /** Of the footprint's ground; absent: the person chooses. */
  readonly ofProject?: string;
  /** What the service refused, for who shows the corners. */
  readonly failure: Signal<Failure | undefined>;
  readonly onSaved: (pile: Stockpile) => void;
  readonly onCancel: () => void;
}

/** What lies where and how much fits; saves it with the footprint that is drawn. */
export function PileForm({ draft, ofProject, failure, onSaved, onCancel }: PileFormProps) {
  const [onlyProject] = projects.value;
  const form = useSignal({
    projectId: ofProject ?? projectId.value ?? onlyProject?.id ?? "",
    material: "",
    location: "",
    capacity: undefined as number | undefined,
    density: undefined as number | undefined,
  });
  const isBusy = useSignal(false);
  const keyOf = useRepeatKey();
  const bad = failure.value;
  const { material, location, capacity, density } = form.value;
  const isPartlyDrawn = draft.points.length > 0 && !isDrawn(draft);
  const isReady = useComputed(() => {
    const { material: what, location: where, capacity: most = 0 } = form.value;
    return what.trim() !== "" && where.trim() !== "" && most > 0;
  });
  const set = (change: Partial<typeof form.value>) => {
    form.value = { ...form.peek(), ...change };
  };

  async function save() {
    if (isBusy.peek() || !isReady.peek() || isPartlyDrawn) return;
    const body = {
      project_id: form.peek().projectId,
      material: material.trim(),
      location: location.trim(),
      max_capacity_m3: Math.round((capacity ?? 0) * 1_000) / 1_000,
      ...(density === undefined ? {} : { density_t_per_m3: density }),
      ...(isDrawn(draft)
        ? { footprint: draft.points.map(([lat, lng]): [number, number] => [lat, lng]) }
        : {}),
    };
    isBusy.value = true;
    const outcome = await createPile(body, keyOf(body));
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) onSaved(outcome.value);
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {ofProject === undefined ? (
        <Field name={t("nav.project")} error={problemOf(bad, "project_id")}>
          {(control) => (
            <Select
              {...control}
              value={form.value.projectId}
              choices={projectChoices()}
              onChoose={(id) => set({ projectId: id })}
            />
          )}
        </Field>
      ) : null}
      <TextField
        name={t("piles.material")}
        required
        value={material}
        error={problemOf(bad, "material")}
        onText={(text) => set({ material: text })}
      />
      <TextField
        name={t("piles.location")}
        required
        value={location}
        error={problemOf(bad, "location")}
        onText={(text) => set({ location: text })}
      />
      <QuantityField
        quantity="volume"
        name={t("piles.capacity")}
        error={Number.isNaN(capacity) ? t("piles.volume_wrong") : problemOf(bad, "max_capacity_m3")}
        value={capacity}
        onValue={(value) => set({ capacity: value })}
      />
      <QuantityField
        quantity="density"
        name={t("piles.density")}
        hint={t("piles.density_hint")}
        error={Number.isNaN(density) ? t("piles.volume_wrong") : problemOf(bad, "density_t_per_m3")}
        value={density}
        onValue={(value) => set({ density: value })}
      />
      {bad === undefined ? null : <FailureNotice failure={bad} />}
      {isPartlyDrawn ? <p class="muted small">{t("piles.partly_drawn")}</p> : null}
      <div class="action-bar">
        <button type="button" onClick={onCancel}>
          {t("fences.cancel")}
        </button>
        <button
          type="submit"
          class="main"
          disabled={!isReady.value || isBusy.value || isPartlyDrawn || Number.isNaN(density)}
        >
          {t("fences.save")}
        </button>
      </div>
    </form>
  );
}
