import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { emptyDraft } from "../../../map/drawing/draft.ts";
import { beginDrawing, type Drawing } from "../../fences/drawing.ts";

/** What is measured by hand in a survey. */
export const MEASURE_TOOLS = ["point", "line", "area", "volume"] as const;
export type MeasureTool = (typeof MEASURE_TOOLS)[number];

/** What is drawn with a tool; area and volume are of the same polygon. */
const SHAPES = { point: "point", line: "line", area: "polygon", volume: "polygon" } as const;

/** The tool, and what was drawn with each: another tool forgets nothing. */
export interface Measuring {
  /** `undefined`: nothing is measured. */
  readonly tool: Signal<MeasureTool | undefined>;
  readonly drawing: ReadonlySignal<Drawing | undefined>;
}

export function beginMeasuring(): Measuring {
  const tool = signal<MeasureTool | undefined>(undefined);
  const drawings = {
    point: beginDrawing(emptyDraft("point")),
    line: beginDrawing(emptyDraft("line")),
    polygon: beginDrawing(emptyDraft("polygon")),
  };
  const drawing = computed(() =>
    tool.value === undefined ? undefined : drawings[SHAPES[tool.value]],
  );
  return { tool, drawing };
}
