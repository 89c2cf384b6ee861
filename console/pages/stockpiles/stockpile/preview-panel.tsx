import { useEffect } from "preact/hooks";
import { t } from "../../../i18n/t.ts";
import { isDrawn } from "../../../map/drawing/draft.ts";
import { figuresOf } from "../../../map/drawing/figures.ts";
import { Fact } from "../../../parts/facts.tsx";
import type { Stockpile } from "../../../state/site-places.ts";
import { useFollowing } from "../../../state/use-following.ts";
import type { Drawing } from "../../fences/drawing.ts";
import { wrongCorners } from "../../fences/flaws.ts";
import { Crossing } from "../../surveys/measure/area-figures.tsx";
import { volumeWithin } from "../../surveys/measure/figures.ts";
import { FollowingState } from "../../surveys/measure/following-state.tsx";
import { footprintOf, previewVolume } from "../../surveys/measure/requests.ts";
import { VolumeFigures } from "../../surveys/measure/volume-figures.tsx";
import { pileVolume } from "../words.ts";
import "../../surveys/measure/measure.css";

interface PreviewPanelProps {
  readonly pile: Stockpile;
  readonly drawing: Drawing;
}

/** The volume in the footprint as it is drawn just now, beside the stored one; it is not saved. */
export function PreviewPanel({ pile, drawing }: PreviewPanelProps) {
  const draft = drawing.sketch.value ?? drawing.draft.value;
  const isCrossing = (figuresOf(draft)?.crossings.length ?? 0) > 0;
  const footprint =
    pile.measurement_id === undefined || !isDrawn(draft) || isCrossing
      ? undefined
      : footprintOf(draft.points);
  const following = useFollowing(footprint && JSON.stringify(footprint), (signal) =>
    previewVolume(pile.id, footprint ?? [], signal),
  );
  const bad = following.failure.value;
  useEffect(() => {
    if (bad !== undefined) drawing.wrong.value = wrongCorners(bad);
  }, [bad, drawing]);

  if (pile.measurement_id === undefined) return <p class="muted small">{t("preview.none")}</p>;
  const volume = following.data.value;
  return (
    <section class="stack pile-preview" aria-label={t("preview.title")}>
      <p>
        <strong>{t("preview.mark")}</strong>
      </p>
      {isCrossing ? <Crossing /> : null}
      <FollowingState following={following} />
      <dl class="facts">
        <Fact name={t("preview.stored")}>{pileVolume(pile)}</Fact>
        <Fact name={t("preview.figure")}>
          <span class="measure-main" aria-busy={following.isBehind.value}>
            {volume === undefined
              ? t("value.unknown")
              : volumeWithin(volume.net_m3, volume.uncertainty_95_m3)}
          </span>
        </Fact>
      </dl>
      {volume === undefined ? null : (
        <details>
          <summary>{t("preview.facts")}</summary>
          <div class="stack">
            <p class="muted small">{t("preview.of", { id: volume.survey_id })}</p>
            <VolumeFigures volume={volume} />
          </div>
        </details>
      )}
    </section>
  );
}
