import { may } from "../../../api/session-state.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Conflict } from "../../../parts/conflict.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import type { Stockpile } from "../../../state/site-places.ts";
import type { TaggedPile } from "../requests.ts";
import { usePileChange } from "../use-pile-change.ts";

interface FootprintLineProps {
  readonly tagged: TaggedPile;
  readonly onChange: () => void;
  readonly onDraw: () => void;
}

/** What is known of the footprint, and what a person can do about it. */
export function FootprintLine({ tagged, onChange, onDraw }: FootprintLineProps) {
  const { pile } = tagged;
  const { failure, theirs, isBusy, send } = usePileChange(onChange);
  const confirm = (seen: TaggedPile) => void send(seen, { footprint_status: "confirmed" });
  return (
    <section class="stack" aria-label={t("pile.footprint")}>
      <h3>{t("pile.footprint")}</h3>
      <p>{footprintText(pile)}</p>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {theirs.value === undefined ? null : (
        <Conflict
          title={t("piles.conflict")}
          storedAt={theirs.value.pile.updated_at}
          rows={[[t("pile.footprint"), footprintText(pile), footprintText(theirs.value.pile)]]}
          onMine={() => confirm(theirs.peek() ?? tagged)}
          onTheirs={onChange}
        />
      )}
      {may("materials:write") ? (
        <div class="tool-row no-print">
          {pile.footprint_status === "proposed" ? (
            <button
              type="button"
              class="main"
              disabled={isBusy.value}
              onClick={() => confirm(tagged)}
            >
              {t("pile.confirm")}
            </button>
          ) : null}
          <button type="button" onClick={onDraw}>
            {t(pile.footprint === undefined ? "pile.draw" : "pile.correct")}
          </button>
        </div>
      ) : null}
    </section>
  );
}

/** A footprint in words. */
export function footprintText({ footprint, footprint_status }: Stockpile): string {
  const status = t(`piles.footprint.${footprint_status}`);
  return footprint === undefined ? status : tn("pile.footprint_text", footprint.length, { status });
}
