import { t } from "../../../i18n/t.ts";
import { CornerTable } from "../../fences/corner-table.tsx";
import type { Drawing } from "../../fences/drawing.ts";
import { ShapeTools } from "../../fences/shape-tools.tsx";
import type { Survey } from "../requests.ts";
import { AreaFigures } from "./area-figures.tsx";
import { MakePile } from "./make-pile.tsx";
import { MEASURE_TOOLS, type MeasureTool, type Measuring } from "./measuring.ts";
import { PlaceFigures } from "./place-figures.tsx";
import { SectionFigures } from "./section-figures.tsx";
import { VolumePanel } from "./volume-panel.tsx";
import "./measure.css";

interface MeasurePanelProps {
  readonly survey: Survey;
  readonly measuring: Measuring;
  /** Id of the survey that is shown beside; absent: one is shown alone. */
  readonly otherId: string | undefined;
}

const NO_FLAWS = new Map<number | "size", string>();

/** What can be drawn with a tool. */
const DRAWN = {
  point: ["point"],
  line: ["line"],
  area: ["polygon", "rectangle"],
  volume: ["polygon", "rectangle"],
} as const;

/** Measures by hand in a survey: by mouse, by finger, or by a table of corners. Nothing of it is stored. */
export function MeasurePanel({ survey, measuring, otherId }: MeasurePanelProps) {
  const tool = measuring.tool.value;
  const drawing = measuring.drawing.value;
  return (
    <section class="stack measure no-print" aria-labelledby="survey-measure">
      <h2 id="survey-measure">{t("measure.title")}</h2>
      <div class="tool-row">
        {MEASURE_TOOLS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === tool}
            onClick={() => {
              measuring.tool.value = one === tool ? undefined : one;
            }}
          >
            {t(`measure.tool.${one}`)}
          </button>
        ))}
      </div>
      <p class="muted small">{t(tool === undefined ? "measure.hint" : `measure.hint.${tool}`)}</p>
      {otherId === undefined || tool === undefined ? null : (
        <p class="notice">{t("measure.right")}</p>
      )}
      {tool === undefined || drawing === undefined ? null : (
        <div class="stack" key={tool}>
          <ShapeTools drawing={drawing} tools={DRAWN[tool]} />
          <Figures {...{ survey, tool, drawing, otherId }} />
          <CornerTable drawing={drawing} flaws={NO_FLAWS} />
          {tool === "area" || tool === "volume" ? (
            <MakePile projectId={survey.project_id} drawing={drawing} />
          ) : null}
        </div>
      )}
    </section>
  );
}

interface FiguresProps extends Pick<MeasurePanelProps, "survey" | "otherId"> {
  readonly tool: MeasureTool;
  readonly drawing: Drawing;
}

function Figures({ survey, tool, drawing, otherId }: FiguresProps) {
  if (tool === "point") return <PlaceFigures survey={survey} drawing={drawing} />;
  if (tool === "line") {
    return <SectionFigures survey={survey} drawing={drawing} compareWith={otherId} />;
  }
  if (tool === "area") return <AreaFigures survey={survey} drawing={drawing} />;
  return <VolumePanel survey={survey} drawing={drawing} />;
}
