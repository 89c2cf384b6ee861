import { effect, type ReadonlySignal } from "@preact/signals";
import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";
import { useEffect } from "preact/hooks";
import { t } from "../../i18n/t.ts";
import { fenceFeatures } from "../../map/features.ts";
import { FleetMap, type MapGuest } from "../../map/fleet-map.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { keepInAddress } from "../../state/address.ts";
import { baseMap } from "../../state/base-map.ts";
import { fences, readFences } from "../../state/fences.ts";
import { machines } from "../../state/machines.ts";
import { theme } from "../../state/preferences.ts";
import { projectId } from "../../state/project.ts";
import { placeText, viewOf } from "../map/address.ts";
import { type Drawing, step } from "./drawing.ts";

interface FenceMapProps {
  readonly selected: ReadonlySignal<string | undefined>;
  readonly drawing: ReadonlySignal<Drawing | undefined>;
  readonly onSelect: (id: string | undefined) => void;
}

/** Fences and machines on the map, and the fence that is being drawn. It follows the state without being rendered again. */
export function FenceMap({ selected, drawing, onSelect }: FenceMapProps) {
  // The list beside the map needs them too, where no map can be drawn.
  useEffect(() => effect(() => void readFences(projectId.value)), []);

  function open(container: HTMLElement) {
    const drawn = new FleetMap({
      container,
      theme: theme.peek(),
      base: baseMap.peek(),
      view: viewOf(location.search),
      zoomIn: t("map.zoom_in"),
      zoomOut: t("map.zoom_out"),
      onSelect: () => undefined,
      onMove(view) {
        keepInAddress("at", placeText(view));
      },
    });
    drawn.invite(fencePicker((id) => drawing.peek() === undefined && onSelect(id)));
    const ends = [
      effect(() => drawn.setTheme(theme.value)),
      effect(() => {
        // The one that is being changed is drawn by the tool.
        const hidden = drawing.value === undefined ? undefined : selected.value;
        drawn.setFences(fenceFeatures(fences.value.filter(({ id }) => id !== hidden)));
      }),
      effect(() => drawn.setMachines(machines.value ?? [])),
      effect(() => {
        const fence = fences.value.find(({ id }) => id === selected.value);
        if (fence !== undefined)
          drawn.reveal(fence.polygon.map(([lat = 0, lng = 0]) => [lng, lat]));
      }),
      effect(() => {
        const now = drawing.value;
        return now === undefined ? undefined : draw(drawn, now);
      }),
    ];
    return { map: drawn, ends };
  }

  return (
    <MapFrame
      label={t("fences.map_label")}
      all={t("map.show_all")}
      without={t("fences.no_webgl")}
      open={open}
    />
  );
}

/** Loads the drawing tool, which is as large as all pages without a map, and ties it to the drawing. */
function draw(map: FleetMap, drawing: Drawing): () => void {
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

/** Says which fence a press on the map means: the last one drawn, which is on top. */
function fencePicker(onPick: (id: string | undefined) => void): MapGuest {
  let map: MapLibre | undefined;
  const press = ({ point }: MapMouseEvent) => {
    const [found] = map?.queryRenderedFeatures(point, { layers: ["fences-area"] }) ?? [];
    const id: unknown = found?.properties["id"];
    onPick(typeof id === "string" ? id : undefined);
  };
  return {
    begin(begun) {
      map = begun;
      map.on("click", press);
    },
    end() {
      map?.off("click", press);
      map = undefined;
    },
  };
}
