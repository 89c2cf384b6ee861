import type { Failure } from "../../api/failure.ts";
import { problemOf } from "../../parts/problem.ts";
import { CornerTable } from "../fences/corner-table.tsx";
import type { Drawing } from "../fences/drawing.ts";
import { FiguresLine } from "../fences/figures-line.tsx";
import { flawsOf } from "../fences/flaws.ts";
import { ShapeTools } from "../fences/shape-tools.tsx";

interface FootprintToolsProps {
  readonly drawing: Drawing;
  /** What the service refused, some of it perhaps of a corner. */
  readonly failure: Failure | undefined;
}

const TOOLS = ["polygon", "rectangle"] as const;

/** Draws the outline of a stockpile's foot, by pointer or by table. */
export function FootprintTools({ drawing, failure }: FootprintToolsProps) {
  const { corners } = flawsOf(failure);
  const problem = corners.size > 0 ? undefined : problemOf(failure, "footprint");
  return (
    <div class="stack">
      <ShapeTools drawing={drawing} tools={TOOLS} />
      <FiguresLine drawing={drawing} areaM2={undefined} />
      <CornerTable drawing={drawing} flaws={corners} />
      {problem === undefined ? null : (
        <p class="field-error small" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
