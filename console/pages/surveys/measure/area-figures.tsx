import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { figuresOf } from "../../../map/drawing/figures.ts";
import { Fact } from "../../../parts/facts.tsx";
import type { Drawing } from "../../fences/drawing.ts";
import type { Survey } from "../requests.ts";
import { intervalShown, scaleInterval95, withInterval } from "./figures.ts";

interface AreaFiguresProps {
  readonly survey: Pick<Survey, "accuracy">;
  readonly drawing: Drawing;
}

/** Area and edge of a polygon in plan, computed here while it is drawn. */
export function AreaFigures({ survey, drawing }: AreaFiguresProps) {
  const figures = figuresOf(drawing.sketch.value ?? drawing.draft.value);
  if (figures === undefined) return <p class="muted small">{t("measure.area_empty")}</p>;
  const { areaM2, lengthM, crossings } = figures;
  if (crossings.length > 0) return <Crossing />;
  const percent = scaleInterval95(survey);
  return (
    <dl class="facts">
      <Fact name={t("fences.area")}>
        <span class="measure-main">
          {/* An error of the scale counts twice in an area. */}
          {withInterval(
            show.area(areaM2),
            percent === null ? null : show.area((areaM2 * 2 * percent) / 100),
          )}
        </span>
      </Fact>
      <Fact name={t("fences.perimeter")}>
        {withInterval(
          show.height(lengthM),
          percent === null ? null : intervalShown((lengthM * percent) / 100),
        )}
      </Fact>
      <Fact name={t("measure.basis")}>
        {t("measure.area_basis")}{" "}
        {t(percent === null ? "measure.length_bare" : "measure.length_basis")}
      </Fact>
    </dl>
  );
}

/** A polygon that crosses itself has neither an area nor a volume. */
export function Crossing() {
  return (
    <p class="notice notice-bad" role="alert">
      {t("measure.crossing")}
    </p>
  );
}
