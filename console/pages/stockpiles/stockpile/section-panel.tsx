import { t } from "../../../i18n/t.ts";
import type { Draft, LatLng } from "../../../map/drawing/draft.ts";
import { CornerTable } from "../../fences/corner-table.tsx";
import type { Drawing } from "../../fences/drawing.ts";
import { ShapeTools } from "../../fences/shape-tools.tsx";
import { SectionFigures } from "../../surveys/measure/section-figures.tsx";
import type { Survey } from "./requests.ts";

interface SectionPanelProps {
  readonly survey: Survey;
  readonly drawing: Drawing;
  readonly onEnd: () => void;
}

const NO_FLAWS = new Map<number | "size", string>();
const LINE = ["line"] as const;

/** Heights of the newest survey along a line through the pile. */
export function SectionPanel({ survey, drawing, onEnd }: SectionPanelProps) {
  return (
    <section class="stack no-print" aria-label={t("pile.section_title")}>
      <h3>{t("pile.section_title")}</h3>
      <ShapeTools drawing={drawing} tools={LINE} />
      <SectionFigures survey={survey} drawing={drawing} />
      <CornerTable drawing={drawing} flaws={NO_FLAWS} />
      <div class="action-bar">
        <button type="button" onClick={onEnd}>
          {t("pile.section_end")}
        </button>
      </div>
    </section>
  );
}

/** A line from west to east through the middle of a footprint, to begin with; without one nothing is drawn. */
export function lineThrough(footprint: readonly (readonly number[])[] | undefined): Draft {
  const points: LatLng[] = (footprint ?? []).map(([lat = 0, lng = 0]) => [lat, lng]);
  const [latitudes, longitudes] = [points.map(([lat]) => lat), points.map(([, lng]) => lng)];
  const middle = (Math.min(...latitudes) + Math.max(...latitudes)) / 2;
  return {
    shape: "line",
    points:
      points.length === 0
        ? []
        : [
            [middle, Math.min(...longitudes)],
            [middle, Math.max(...longitudes)],
          ],
    sizeM: undefined,
  };
}
