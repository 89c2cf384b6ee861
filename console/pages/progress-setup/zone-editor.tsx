import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { t } from "../../i18n/t.ts";
import { Conflict } from "../../parts/conflict.tsx";
import { Field, TextField } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { problemOf } from "../../parts/problem.ts";
import type { WorkZone } from "../../state/site-places.ts";
import { CornerTable } from "../fences/corner-table.tsx";
import { step } from "../fences/drawing.ts";
import { FiguresLine } from "../fences/figures-line.tsx";
import { flawsOf, wrongCorners } from "../fences/flaws.ts";
import { ShapeTools } from "../fences/shape-tools.tsx";
import { MetricFields } from "./metric-fields.tsx";
import { changeZone, createZone, readZone, type Tagged } from "./requests.ts";
import type { ZoneEditing } from "./zone-editing.ts";
import { changeOf, formOf, isComplete, newZone, outlineOf, type ZoneForm } from "./zone-form.ts";

/** Lists of activities that are the zone's, one a line. */
const LISTS = ["wbs", "codes", "names"] as const;

interface ZoneEditorProps {
  readonly project: string;
  readonly editing: ZoneEditing;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

/** Draws a zone and says what its progress is measured by; nothing is stored before Save. */
export function ZoneEditor({ project, editing, onSaved, onCancel }: ZoneEditorProps) {
  const { drawing, stored } = editing;
  const base = useSignal(stored);
  const form = useSignal<ZoneForm>(formOf(stored?.value));
  const failure = useSignal<Failure | undefined>(undefined);
  const theirs = useSignal<Tagged<WorkZone> | undefined>(undefined);
  const isBusy = useSignal(false);
  const keyOf = useRepeatKey();
  const draft = drawing.draft.value;
  const flaws = useComputed(() => flawsOf(failure.value));

  // What was said of another outline says nothing of this one.
  useEffect(() => {
    failure.value = undefined;
  }, [draft]);

  async function save() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const before = base.peek();
    const outcome = await (before === undefined
      ? create()
      : changeZone(before, changeOf(before.value, form.peek(), draft)));
    isBusy.value = false;
    if ("value" in outcome) onSaved();
    else if (outcome.failure.status === 412 && before !== undefined) await meet(before.value.id);
    else {
      failure.value = outcome.failure;
      drawing.wrong.value = wrongCorners(outcome.failure);
    }
  }

  function create() {
    const body = newZone(project, form.peek(), draft);
    return createZone(body, keyOf(body));
  }

  /** Somebody else changed it meanwhile: the person sees both. */
  async function meet(id: string) {
    const outcome = await readZone(id);
    if ("failure" in outcome) failure.value = outcome.failure;
    else theirs.value = outcome.value;
  }

  const change = (part: Partial<ZoneForm>) => {
    form.value = { ...form.peek(), ...part };
  };
  const isReady = isComplete(form.value, draft);
  return (
    <div class="stack">
      <h2>
        {stored === undefined
          ? t("setup.zone_new")
          : t("fences.change", { name: stored.value.name })}
      </h2>
      <ShapeTools drawing={drawing} tools={["polygon", "rectangle"]} />
      <FiguresLine drawing={drawing} areaM2={undefined} />
      <CornerTable drawing={drawing} flaws={flaws.value.corners} />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          name={t("fences.name")}
          error={problemOf(failure.value, "name")}
          required
          maxLength={200}
          value={form.value.name}
          onText={(name) => change({ name })}
        />
        <MetricFields form={form} />
        <TextField
          name={t("setup.weight")}
          hint={t("setup.weight_hint")}
          error={problemOf(failure.value, "weight")}
          inputMode="decimal"
          value={form.value.weight}
          onText={(weight) => change({ weight })}
        />
        <TextField
          name={t("setup.declared")}
          hint={t("setup.declared_hint")}
          error={problemOf(failure.value, "declared_progress")}
          inputMode="decimal"
          value={form.value.declared}
          onText={(declared) => change({ declared })}
        />
        <details open={LISTS.some((list) => form.value[list] !== "")}>
          <summary>{t("setup.activities_of")}</summary>
          <div class="stack">
            {LISTS.map((list) => (
              <Field key={list} name={t(`setup.list.${list}`)} hint={t(`setup.list_hint.${list}`)}>
                {(control) => (
                  <textarea
                    {...control}
                    rows={3}
                    value={form.value[list]}
                    onInput={(event) => change({ [list]: event.currentTarget.value })}
                  />
                )}
              </Field>
            ))}
          </div>
        </details>
        {failure.value === undefined ? null : (
          <FailureNotice failure={{ ...failure.value, message: flaws.value.rest }} />
        )}
        {theirs.value === undefined ? null : (
          <ZoneConflict
            theirs={theirs.value.value}
            form={form.value}
            corners={draft.points.length}
            onMine={() => {
              base.value = theirs.peek();
              theirs.value = undefined;
              void save();
            }}
            onTheirs={() => {
              const taken = theirs.peek();
              base.value = taken;
              theirs.value = undefined;
              if (taken === undefined) return;
              form.value = formOf(taken.value);
              step(drawing, outlineOf(taken.value));
            }}
          />
        )}
        {isReady ? null : <p class="muted small">{t("setup.incomplete")}</p>}
        <div class="action-bar">
          <button type="button" onClick={onCancel}>
            {t("fences.cancel")}
          </button>
          <button type="submit" class="main" disabled={!isReady || isBusy.value}>
            {t("fences.save")}
          </button>
        </div>
      </form>
    </div>
  );
}

interface ZoneConflictProps {
  readonly theirs: WorkZone;
  readonly form: ZoneForm;
  readonly corners: number;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

function ZoneConflict({ theirs, form, corners, onMine, onTheirs }: ZoneConflictProps) {
  const stored = formOf(theirs);
  return (
    <Conflict
      title={t("setup.conflict")}
      storedAt={theirs.updated_at}
      rows={[
        [t("fences.name"), form.name, stored.name],
        [t("setup.metric"), t(`setup.metric.${form.kind}`), t(`setup.metric.${stored.kind}`)],
        [t("fences.corners"), String(corners), String(outlineOf(theirs).points.length)],
        [t("setup.weight"), form.weight, stored.weight],
        [t("setup.declared"), form.declared, stored.declared],
        ...LISTS.map((list) => [t(`setup.list.${list}`), form[list], stored[list]] as const),
      ]}
      onMine={onMine}
      onTheirs={onTheirs}
    />
  );
}
