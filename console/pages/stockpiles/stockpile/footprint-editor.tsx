import { useEffect } from "preact/hooks";
import { t, tn } from "../../../i18n/t.ts";
import { isDrawn } from "../../../map/drawing/draft.ts";
import { Conflict } from "../../../parts/conflict.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import type { Drawing } from "../../fences/drawing.ts";
import { wrongCorners } from "../../fences/flaws.ts";
import { FootprintTools } from "../footprint-tools.tsx";
import type { TaggedPile } from "../requests.ts";
import { usePileChange } from "../use-pile-change.ts";
import { footprintText } from "./footprint-line.tsx";
import { PreviewPanel } from "./preview-panel.tsx";

interface FootprintEditorProps {
  readonly tagged: TaggedPile;
  readonly drawing: Drawing;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

/** Draws the footprint anew or moves its corners; nothing is stored before Save. */
export function FootprintEditor({ tagged, drawing, onSaved, onCancel }: FootprintEditorProps) {
  const { failure, theirs, isBusy, send } = usePileChange(onSaved);
  const draft = drawing.draft.value;
  const bad = failure.value;
  const save = (seen: TaggedPile) =>
    void send(seen, { footprint: draft.points.map(([lat, lng]): [number, number] => [lat, lng]) });

  useEffect(() => {
    if (bad !== undefined) drawing.wrong.value = wrongCorners(bad);
  }, [bad, drawing]);

  return (
    <section class="stack" aria-label={t("pile.correct")}>
      <h3>{t(tagged.pile.footprint === undefined ? "pile.draw" : "pile.correct")}</h3>
      <p class="small">{t("pile.correct_hint")}</p>
      <PreviewPanel pile={tagged.pile} drawing={drawing} />
      <FootprintTools drawing={drawing} failure={bad} />
      {bad === undefined ? null : <FailureNotice failure={bad} />}
      {theirs.value === undefined ? null : (
        <Conflict
          title={t("piles.conflict")}
          storedAt={theirs.value.pile.updated_at}
          rows={[
            [
              t("pile.footprint"),
              tn("fences.corner_count", draft.points.length),
              footprintText(theirs.value.pile),
            ],
          ]}
          onMine={() => save(theirs.peek() ?? tagged)}
          onTheirs={onSaved}
        />
      )}
      <div class="action-bar">
        <button type="button" onClick={onCancel}>
          {t("fences.cancel")}
        </button>
        <button
          type="button"
          class="main"
          disabled={isBusy.value || !isDrawn(draft)}
          onClick={() => save(tagged)}
        >
          {t("fences.save")}
        </button>
      </div>
    </section>
  );
}
