import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { figuresOf } from "../../map/drawing/figures.ts";
import type { Drawing } from "./drawing.ts";

interface FiguresLineProps {
  readonly drawing: Drawing;
  /** As the service computed it of this very draft, square metres. */
  readonly areaM2: number | undefined;
}

/** Area and edge of what is drawn, and by whom they were computed. */
export function FiguresLine({ drawing, areaM2 }: FiguresLineProps) {
  const draft = drawing.sketch.value ?? drawing.draft.value;
  const figures = figuresOf(draft);
  if (figures === undefined) return <p class="muted small">{t("fences.nothing_drawn")}</p>;
  const isServed = areaM2 !== undefined && drawing.sketch.value === undefined;
  const isBand = draft.shape === "corridor";
  return (
    <>
      <dl class="facts">
        <dt>{t("fences.area")}</dt>
        <dd>
          {show.area(isServed ? areaM2 : figures.areaM2)}{" "}
          <span class="muted">
            {t(isServed ? "fences.by_service" : isBand ? "fences.estimated" : "fences.by_browser")}
          </span>
        </dd>
        <dt>{t(isBand ? "fences.line" : "fences.perimeter")}</dt>
        <dd>
          {show.distance(figures.lengthM)} <span class="muted">{t("fences.by_browser")}</span>
        </dd>
      </dl>
      {figures.crossings.length === 0 ? null : (
        <p class="notice notice-bad" role="alert">
          {tn("fences.crossing", figures.crossings.length, {
            place: placeText(figures.crossings[0] ?? [0, 0]),
          })}
        </p>
      )}
    </>
  );
}

const placeText = ([lat, lng]: readonly [number, number]): string =>
  `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
