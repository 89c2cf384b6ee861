import { effect, type ReadonlySignal } from "@preact/signals";
import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";
import { useEffect } from "preact/hooks";
import { t } from "../../i18n/t.ts";
import { fenceFeatures } from "../../map/features.ts";
import { FleetMap, type MapGuest } from "../../map/fleet-map.ts";
import { drawGround } from "../../map/ground.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { keepInAddress } from "../../state/address.ts";
import { baseMap } from "../../state/base-map.ts";
import { fences, readFences } from "../../state/fences.ts";
import { machines } from "../../state/machines.ts";
import { theme } from "../../state/preferences.ts";
import { projectId } from "../../state/project.ts";
import { placeText, viewOf } from "../map/address.ts";
import { drawOn } from "./draw-on.ts";
import type { Drawing } from "./drawing.ts";

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
      drawGround(drawn),
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
        return now === undefined ? undefined : drawOn(drawn, now);
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
