import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { useFollowing } from "../../../state/use-following.ts";
import type { Drawing } from "../../fences/drawing.ts";
import type { Survey } from "../requests.ts";
import { intervalShown, withInterval } from "./figures.ts";
import { FollowingState } from "./following-state.tsx";
import { type HeightSource, readHeight } from "./requests.ts";

interface PlaceFiguresProps {
  readonly survey: Survey;
  readonly drawing: Drawing;
}

/** The height of the surface where the person points. */
export function PlaceFigures({ survey, drawing }: PlaceFiguresProps) {
  const [place] = drawing.draft.value.points;
  const following = useFollowing(place?.join(","), (signal) =>
    readHeight(survey.id, place ?? [0, 0], signal),
  );
  const answer = following.data.value;
  return (
    <>
      <FollowingState following={following} />
      {place === undefined ? <p class="muted small">{t("measure.point_empty")}</p> : null}
      {answer === undefined ? null : (
        <dl class="facts" aria-busy={following.isBehind.value}>
          <Fact name={t("measure.height")}>
            <span class="measure-main">
              {withInterval(
                show.height(answer.height_m),
                intervalShown(answer.source.uncertainty_95_m),
              )}
            </span>
          </Fact>
          <HeightBasis source={answer.source} />
        </dl>
      )}
    </>
  );
}

/** What heights count from, and what their interval rests on. */
export function HeightBasis({ source }: { readonly source: HeightSource }) {
  const { vertical_datum, placed_by, relative_95_m, cell_m } = source;
  const relative = intervalShown(relative_95_m);
  return (
    <>
      <Fact name={t("survey.datum")}>
        {t(`survey.datum.${vertical_datum.kind}`)}
        <span class="muted small block">{vertical_datum.name}</span>
      </Fact>
      <Fact name={t("measure.interval_from")}>{t(`measure.placed.${placed_by}`)}</Fact>
      <Fact name={t("measure.relative")}>
        {relative === null ? t("value.unknown") : t("measure.plus_minus", { interval: relative })}
      </Fact>
      <Fact name={t("survey.cell")}>
        {cell_m === null ? t("value.unknown") : show.fineLength(cell_m)}
      </Fact>
    </>
  );
}
