import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { t } from "../../i18n/t.ts";
import type { Stockpile } from "../../state/site-places.ts";
import type { Drawing } from "../fences/drawing.ts";
import { FootprintTools } from "./footprint-tools.tsx";
import { PileForm } from "./pile-form.tsx";

interface NewPileProps {
  readonly drawing: Drawing;
  readonly onSaved: (pile: Stockpile) => void;
  readonly onCancel: () => void;
}

/** Registers a stockpile: what lies where and how much fits; the outline of its foot may come later. */
export function NewPile({ drawing, onSaved, onCancel }: NewPileProps) {
  const failure = useSignal<Failure | undefined>(undefined);
  return (
    <div class="stack">
      <h2>{t("piles.new_title")}</h2>
      <p class="muted small">{t("piles.draw_hint")}</p>
      <FootprintTools drawing={drawing} failure={failure.value} />
      <PileForm
        draft={drawing.draft.value}
        failure={failure}
        onSaved={onSaved}
        onCancel={onCancel}
      />
    </div>
  );
}
