import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { t } from "../../i18n/t.ts";
import { draftOf, isDrawn } from "../../map/drawing/draft.ts";
import { closedRing } from "../../map/drawing/figures.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import type { Geofence } from "../../state/fences.ts";
import { projectId, projects } from "../../state/project.ts";
import { CornerTable } from "./corner-table.tsx";
import { type Drawing, step } from "./drawing.ts";
import { FenceConflict } from "./fence-conflict.tsx";
import { FenceFields, isComplete } from "./fence-fields.tsx";
import { FiguresLine } from "./figures-line.tsx";
import { flawsOf, wrongCorners } from "./flaws.ts";
import { changeOf, formOf, newFence, previewOf } from "./form.ts";
import { PreviewPanel } from "./preview-panel.tsx";
import {
  changeFence,
  createFence,
  type Preview,
  previewFence,
  readFence,
  type TaggedFence,
} from "./requests.ts";
import { ShapeTools } from "./shape-tools.tsx";

interface FenceEditorProps {
  readonly drawing: Drawing;
  /** As it was read for this change; absent: a new fence. */
  readonly stored: TaggedFence | undefined;
  readonly onSaved: (fence: Geofence) => void;
  readonly onCancel: () => void;
}

/** Draws a fence and says what it is for; nothing is stored before Save. */
export function FenceEditor({ drawing, stored, onSaved, onCancel }: FenceEditorProps) {
  const [onlyProject, second] = projects.value;
  const likely = projectId.value ?? (second === undefined ? onlyProject?.id : undefined) ?? "";
  const base = useSignal(stored);
  const form = useSignal(formOf(stored?.fence, likely));
  const preview = useSignal<Preview | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const theirs = useSignal<TaggedFence | undefined>(undefined);
  const isBusy = useSignal(false);
  const keyOf = useRepeatKey();
  const draft = drawing.draft.value;
  const flaws = useComputed(() => flawsOf(failure.value));

  // What was said of another draft says nothing of this one.
  useEffect(() => {
    preview.value = undefined;
    failure.value = undefined;
  }, [draft]);

  async function check() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await previewFence(previewOf(form.peek(), draft, serviceNow()));
    isBusy.value = false;
    if (drawing.draft.peek() !== draft) return;
    if ("failure" in outcome) {
      refuse(outcome.failure);
      return;
    }
    failure.value = undefined;
    preview.value = outcome.value;
    drawing.outline.value = closedRing(
      outcome.value.polygon.map(([lat = 0, lng = 0]) => [lat, lng] as const),
    );
  }

  async function save() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const before = base.peek();
    const outcome =
      before === undefined
        ? await create()
        : await changeFence(before, changeOf(before.fence, form.peek(), draft));
    isBusy.value = false;
    if ("value" in outcome) onSaved(outcome.value);
    else if (outcome.failure.status === 412 && before !== undefined) await meet(before);
    else refuse(outcome.failure);
  }

  function create() {
    const body = newFence(form.peek(), draft);
    return createFence(body, keyOf(body));
  }

  function refuse(why: Failure) {
    failure.value = why;
    drawing.wrong.value = wrongCorners(why);
  }

  /** Somebody else changed it meanwhile: the person sees both. */
  async function meet({ fence }: TaggedFence) {
    const outcome = await readFence(fence.id);
    if ("failure" in outcome) refuse(outcome.failure);
    else theirs.value = outcome.value;
  }

  const isReady = isComplete(form.value) && isDrawn(draft);
  return (
    <div class="stack">
      <h2>
        {stored === undefined ? t("fences.new") : t("fences.change", { name: stored.fence.name })}
      </h2>
      <ShapeTools drawing={drawing} />
      <FiguresLine drawing={drawing} areaM2={areaOf(preview.value, base.value, drawing)} />
      <CornerTable drawing={drawing} flaws={flaws.value.corners} />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <FenceFields form={form} isNew={stored === undefined} failure={failure.value} />
        {failure.value === undefined ? null : (
          <FailureNotice failure={{ ...failure.value, message: flaws.value.rest }} />
        )}
        {theirs.value === undefined || base.value === undefined ? null : (
          <FenceConflict
            theirs={theirs.value.fence}
            form={form.value}
            draft={draft}
            onMine={() => {
              base.value = theirs.peek();
              theirs.value = undefined;
              void save();
            }}
            onTheirs={() => {
              const { fence } = theirs.peek() ?? {};
              base.value = theirs.peek();
              theirs.value = undefined;
              if (fence === undefined) return;
              form.value = formOf(fence, fence.project_id);
              step(drawing, draftOf(fence));
            }}
          />
        )}
        {preview.value === undefined ? null : <PreviewPanel preview={preview.value} />}
        {isReady ? null : <p class="muted small">{t("fences.incomplete_form")}</p>}
        <div class="action-bar">
          <button type="button" onClick={onCancel}>
            {t("fences.cancel")}
          </button>
          <button type="button" disabled={!isReady || isBusy.value} onClick={() => void check()}>
            {t("fences.preview")}
          </button>
          <button type="submit" class="main" disabled={!isReady || isBusy.value}>
            {t("fences.save")}
          </button>
        </div>
      </form>
    </div>
  );
}

/** The service's area of this draft: of the preview, or of the stored fence while nothing was drawn on it. */
function areaOf(
  preview: Preview | undefined,
  base: TaggedFence | undefined,
  drawing: Drawing,
): number | undefined {
  if (preview !== undefined) return preview.area_sqm;
  return drawing.history.value.past.length === 0 ? base?.fence.area_sqm : undefined;
}
