import type { Position } from "geojson";
import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";
import {
  TerraDraw,
  TerraDrawCircleMode,
  TerraDrawLineStringMode,
  TerraDrawModeUndoRedo,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  TerraDrawSelectMode,
} from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import type { MapGuest } from "../fleet-map.ts";
import { DECIMALS, type Draft, isSameGround, type Shape } from "./draft.ts";
import { afterDrawing, drawnFeature, MODES } from "./features.ts";
import { DraftMarks } from "./marks.ts";
import { drawingStyles } from "./styles.ts";

/** What the pointer draws; `edit`: it moves what is drawn. */
export type Tool = Shape | "rectangle" | "edit";

/** How long after a shape is finished a press is still the one that finished it, ms: shorter than a second tap. */
const SAME_PRESS_MS = 250;
/** Reach of a finger around a corner, CSS pixels; half of a target of 44. */
const REACH_PX = 22;

export interface DrawToolOptions {
  readonly theme: "light" | "dark";
  /** While the pointer draws or drags: what it would be. */
  readonly onSketch: (draft: Draft) => void;
  /** A step is done. */
  readonly onDraw: (draft: Draft) => void;
  /** The person pressed a corner, or none. */
  readonly onCorner: (index: number | undefined) => void;
}

/** Draws and edits one shape on the map by mouse and touch (terra-draw). The draft is the page's: this shows and changes it. */
export class DrawTool implements MapGuest {
  readonly #options: DrawToolOptions;
  readonly #marks = new DraftMarks();
  #map: MapLibre | undefined;
  #draw: TerraDraw | undefined;
  #draft: Draft;
  #tool: Tool;
  #finishedMs = 0;

  constructor(draft: Draft, tool: Tool, options: DrawToolOptions) {
    this.#draft = draft;
    this.#tool = tool;
    this.#options = options;
  }

  begin(map: MapLibre): void {
    this.#map = map;
    this.#marks.begin(map, this.#options.theme);
    const draw = new TerraDraw({
      adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: DECIMALS }),
      modes: this.#modes(),
      undoRedo: { modeLevel: new TerraDrawModeUndoRedo() },
    });
    this.#draw = draw;
    draw.start();
    draw.on("change", (ids, _type, context) => {
      // What the page put into the tool, and which feature is selected, is nothing that a pointer draws.
      const isOwn = context !== undefined && "origin" in context;
      if (!isOwn && context?.target !== "properties") this.#sketch(ids);
    });
    draw.on("finish", (id) => this.#finish(id));
    map.on("click", this.#press);
    this.#load();
  }

  end(): void {
    this.#map?.off("click", this.#press);
    this.#draw?.stop();
    this.#marks.end();
    this.#draw = undefined;
    this.#map = undefined;
  }

  /** Draws with another tool. */
  use(tool: Tool): void {
    if (tool === this.#tool) return;
    this.#tool = tool;
    this.#load();
  }

  /** Shows a draft that something else than this tool changed. */
  show(draft: Draft): void {
    if (draft === this.#draft) return;
    this.#draft = draft;
    this.#load();
  }

  /** Marks the corner that is chosen, and those that are wrong. */
  mark(chosen: number | undefined, wrong: readonly number[]): void {
    this.#marks.setCorners(chosen, wrong);
  }

  /** The outline as the service computed it; none before. */
  setOutline(outline: Position[] | undefined): void {
    this.#marks.setOutline(outline);
  }

  /** Takes back the last corner of a shape that is not finished; false: there is none. */
  undoCorner(): boolean {
    return this.#draw?.canUndo() === true && this.#draw.undo();
  }

  /** Finishes a shape that is being drawn, as Enter does; fingers have no Enter. */
  finish(): void {
    for (const type of ["keydown", "keyup"]) {
      this.#map?.getCanvas().dispatchEvent(new KeyboardEvent(type, { key: "Enter" }));
    }
  }

  #modes() {
    const { draw, select, point } = drawingStyles(this.#options.theme, () => this.#draft.shape);
    const corners = { midpoints: { draggable: true }, draggable: true, deletable: true };
    const flags = { feature: { draggable: true, coordinates: corners } };
    const circle = { feature: { draggable: true, coordinates: { resizable: "center" as const } } };
    return [
      new TerraDrawPolygonMode({ styles: draw, pointerDistance: REACH_PX }),
      new TerraDrawRectangleMode({ styles: draw }),
      new TerraDrawCircleMode({ styles: draw }),
      new TerraDrawLineStringMode({ styles: draw, pointerDistance: REACH_PX }),
      new TerraDrawPointMode({ styles: point }),
      new TerraDrawSelectMode({
        styles: select,
        pointerDistance: REACH_PX,
        // Keys would delete or turn the whole fence; the page has buttons.
        keyEvents: null,
        allowManualDeselection: false,
        flags: { polygon: flags, linestring: flags, circle },
      }),
    ];
  }

  /** Puts the draft into the tool: to be moved, or with a tool to be begun. */
  #load(): void {
    const draw = this.#draw;
    if (draw === undefined) return;
    draw.clear();
    this.#marks.show(this.#draft);
    if (this.#tool !== "edit") {
      draw.setMode(this.#tool === "rectangle" ? "rectangle" : MODES[this.#tool]);
      // The next press replaces a place, which is seen until then.
      const place = this.#tool === "point" ? drawnFeature(this.#draft) : undefined;
      if (place !== undefined) draw.addFeatures([place]);
      return;
    }
    draw.setMode("select");
    const feature = drawnFeature(this.#draft);
    if (feature === undefined) return;
    const [added] = draw.addFeatures([feature]);
    if (added?.valid === true && added.id !== undefined) draw.selectFeature(added.id);
  }

  #sketch(ids: readonly (string | number)[]): void {
    for (const id of ids) {
      const feature = this.#draw?.getSnapshotFeature(id);
      const mode = feature?.properties["mode"];
      if (feature === undefined || mode === "select" || feature.geometry.type === "Point") continue;
      const sketch = afterDrawing(this.#draft, feature);
      if (isSameGround(sketch, this.#draft)) continue;
      if (this.#tool === "edit") this.#marks.show(sketch);
      this.#options.onSketch(sketch);
    }
  }

  #finish(id: string | number): void {
    const feature = this.#draw?.getSnapshotFeature(id);
    if (feature === undefined) return;
    this.#draft = afterDrawing(this.#draft, feature);
    const isNew = this.#tool !== "edit";
    if (isNew) this.#finishedMs = performance.now();
    if (this.#tool !== "point") this.#tool = "edit";
    this.#marks.show(this.#draft);
    this.#options.onDraw(this.#draft);
    // Not within the tool's own event: it goes on with the feature after this.
    if (isNew) queueMicrotask(() => this.#load());
  }

  readonly #press = ({ point }: MapMouseEvent): void => {
    const map = this.#map;
    if (map === undefined || this.#tool !== "edit") return;
    if (performance.now() - this.#finishedMs < SAME_PRESS_MS) return;
    let nearest: number | undefined;
    let nearestPx = REACH_PX;
    for (const [index, [lat, lng]] of this.#draft.points.entries()) {
      const corner = map.project([lng, lat]);
      const distance = Math.hypot(corner.x - point.x, corner.y - point.y);
      if (distance < nearestPx) [nearest, nearestPx] = [index, distance];
    }
    this.#options.onCorner(nearest);
  };
}
