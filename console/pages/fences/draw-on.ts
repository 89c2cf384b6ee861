import { effect } from "@preact/signals";
import type { MapGuest } from "../../map/fleet-map.ts";
import { theme } from "../../state/preferences.ts";
import { type Drawing, step } from "./drawing.ts";

/** A map that lets something else draw on it; yields what ends it. */
interface HostMap {
  readonly invite: (guest: MapGuest) => () => void;
}

/** Loads the drawing tool, which is as large as all pages without a map, and ties it to the drawing. */
export function drawOn(map: HostMap, drawing: Drawing): () => void {
  const closing = new AbortController();
  const { signal } = closing;
  const ends: (() => void)[] = [];
  void import("../../map/drawing/draw-tool.ts").then(({ DrawTool }) => {
    if (signal.aborted) return;
    let end: (() => void) | undefined;
    ends.push(
      // Another appearance: the tool is made again with its colours.
      effect(() => {
        const tool = new DrawTool(drawing.draft.peek(), drawing.tool.peek(), {
          theme: theme.value,
          onSketch(sketch) {
            drawing.sketch.value = sketch;
          },
          onDraw: (draft) => step(drawing, draft),
          onCorner(index) {
            drawing.chosen.value = index;
          },
        });
        end = map.invite(tool);
        drawing.pointer.value = tool;
        const follows = [
          effect(() => {
            tool.use(drawing.tool.value);
            tool.show(drawing.draft.value);
          }),
          effect(() => tool.mark(drawing.chosen.value, drawing.wrong.value)),
          effect(() => tool.setOutline(drawing.outline.value)),
        ];
        return () => {
          for (const stop of follows) stop();
          end?.();
        };
      }),
    );
  });
  return () => {
    closing.abort();
    for (const stop of ends) stop();
    drawing.pointer.value = undefined;
  };
}
