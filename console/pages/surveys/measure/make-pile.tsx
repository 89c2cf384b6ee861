import { useSignal, useSignalEffect } from "@preact/signals";
import { Link } from "wouter-preact";
import type { Failure } from "../../../api/failure.ts";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { isDrawn } from "../../../map/drawing/draft.ts";
import type { Stockpile } from "../../../state/site-places.ts";
import { toPage } from "../../../state/to-page.ts";
import type { Drawing } from "../../fences/drawing.ts";
import { wrongCorners } from "../../fences/flaws.ts";
import { pileName } from "../../stockpiles/pile.ts";
import { PileForm } from "../../stockpiles/pile-form.tsx";

interface MakePileProps {
  /** Project of the survey, and so of the stockpile. */
  readonly projectId: string;
  readonly drawing: Drawing;
}

/** Registers a stockpile whose footprint is the measured polygon, and leads to it. */
export function MakePile({ projectId, drawing }: MakePileProps) {
  const isOpen = useSignal(false);
  const made = useSignal<Stockpile | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  useSignalEffect(() => {
    if (failure.value !== undefined) drawing.wrong.value = wrongCorners(failure.value);
  });
  const draft = drawing.draft.value;
  if (!may("materials:write")) return null;
  return (
    <div class="stack">
      {made.value === undefined ? null : (
        <p class="notice notice-good" role="status">
          {t("measure.pile_made")}{" "}
          <Link href={toPage(`/stockpiles/${made.value.id}`)}>
            {t("measure.pile_link", { name: pileName(made.value) })}
          </Link>
        </p>
      )}
      {isOpen.value ? (
        <section class="stack" aria-label={t("measure.to_pile")}>
          <h3>{t("measure.to_pile")}</h3>
          <p class="muted small">{t("measure.to_pile_hint")}</p>
          <PileForm
            draft={draft}
            ofProject={projectId}
            failure={failure}
            onSaved={(pile) => {
              made.value = pile;
              isOpen.value = false;
            }}
            onCancel={() => {
              failure.value = undefined;
              isOpen.value = false;
            }}
          />
        </section>
      ) : (
        <button
          type="button"
          class="measure-make"
          disabled={!isDrawn(draft)}
          onClick={() => {
            made.value = undefined;
            isOpen.value = true;
          }}
        >
          {t("measure.to_pile")}
        </button>
      )}
    </div>
  );
}
