import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Position } from "geojson";
import {
  type Draft,
  emptyDraft,
  isDrawn,
  type LatLng,
  rectangleOf,
  withPoint,
} from "../../map/drawing/draft.ts";
import type { DrawTool, Tool } from "../../map/drawing/draw-tool.ts";
import {
  afterStep,
  beginHistory,
  type DraftHistory,
  redone,
  undone,
} from "../../map/drawing/history.ts";

/** A shape that is being drawn, a fence or another: what the map, the table and the buttons have in common. */
export interface Drawing {
  readonly history: Signal<DraftHistory>;
  readonly draft: ReadonlySignal<Draft>;
  /** What the pointer is drawing or dragging just now. */
  readonly sketch: Signal<Draft | undefined>;
  readonly tool: Signal<Tool>;
  /** Place of the chosen corner in `draft.points`. */
  readonly chosen: Signal<number | undefined>;
  /** Places of corners that the service refuses. */
  readonly wrong: Signal<readonly number[]>;
  /** As the service computed it of this draft, longitude first. */
  readonly outline: Signal<Position[] | undefined>;
  /** Of the map, while it is there. */
  readonly pointer: Signal<Pick<DrawTool, "finish" | "undoCorner"> | undefined>;
}

export function beginDrawing(draft: Draft): Drawing {
  const history = signal(beginHistory(draft));
  return {
    history,
    draft: computed(() => history.value.present),
    sketch: signal(undefined),
    tool: signal(toolAfter(draft)),
    chosen: signal(undefined),
    wrong: signal([]),
    outline: signal(undefined),
    pointer: signal(undefined),
  };
}

/** Makes a step; what was said of the draft before does not hold any more. */
export function step(drawing: Drawing, draft: Draft): void {
  become(drawing, afterStep(drawing.history.peek(), draft));
}

/** Takes the last corner back, or the last step. */
export function undo(drawing: Drawing): void {
  if (drawing.pointer.peek()?.undoCorner() === true) return;
  become(drawing, undone(drawing.history.peek()));
}

export function redo(drawing: Drawing): void {
  become(drawing, redone(drawing.history.peek()));
}

/** Begins another shape; the one before is a step back. */
export function chooseTool(drawing: Drawing, tool: Exclude<Tool, "edit">): void {
  const { points } = drawing.draft.peek();
  const empty = emptyDraft(tool === "rectangle" ? "polygon" : tool);
  if (points.length > 0 || drawing.draft.peek().shape !== empty.shape) step(drawing, empty);
  drawing.tool.value = tool;
}

/** A corner that was typed. */
export function addPoint(drawing: Drawing, point: LatLng): void {
  const draft = drawing.draft.peek();
  const [first] = draft.points;
  const isRectangle = drawing.tool.peek() === "rectangle" && draft.points.length === 1;
  step(
    drawing,
    isRectangle && first !== undefined ? rectangleOf(first, point) : withPoint(draft, point),
  );
}

/** What the pointer does with a draft: the next press replaces a place, and moves a corner of anything else. */
const toolAfter = (draft: Draft): Tool =>
  isDrawn(draft) && draft.shape !== "point" ? "edit" : draft.shape;

function become(drawing: Drawing, history: DraftHistory): void {
  const { tool, chosen } = drawing;
  const { present } = history;
  batch(() => {
    drawing.history.value = history;
    drawing.sketch.value = undefined;
    drawing.wrong.value = [];
    drawing.outline.value = undefined;
    if ((chosen.peek() ?? 0) >= present.points.length) chosen.value = undefined;
    if (isDrawn(present)) tool.value = toolAfter(present);
    else if (tool.peek() === "edit") tool.value = present.shape;
  });
}
