import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { Stockpile } from "../../state/site-places.ts";
import { fillPercent } from "./pile.ts";

/** Volume against capacity, with the shares from which a stockpile is low or full; the same in words below. */
export function PileBar({ pile }: { readonly pile: Stockpile }) {
  const percent = fillPercent(pile);
  const { low_percent, full_percent } = pile.thresholds;
  const capacity = show.volume(pile.max_capacity_m3);
  return (
    <div class="pile-fill">
      <div class="pile-bar" aria-hidden="true">
        {percent === undefined ? null : (
          <span
            class={`pile-level pile-${pile.status}`}
            style={{ width: `${Math.min(100, percent)}%` }}
          />
        )}
        {[low_percent, full_percent].map((at) => (
          <span key={at} class="pile-mark" style={{ left: `${at}%` }} />
        ))}
      </div>
      <p class="small">
        {percent === undefined
          ? t("piles.capacity_only", { capacity })
          : t("piles.of_capacity", { percent: show.percent(percent), capacity })}{" "}
        <span class="muted">
          {t("piles.thresholds", {
            low: show.percent(low_percent),
            full: show.percent(full_percent),
          })}
        </span>
      </p>
    </div>
  );
}
