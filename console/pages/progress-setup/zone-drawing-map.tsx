import { effect } from "@preact/signals";
import { t } from "../../i18n/t.ts";
import { FleetMap } from "../../map/fleet-map.ts";
import { drawGround } from "../../map/ground.ts";
import { placeFeatures } from "../../map/place-layers.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { baseMap } from "../../state/base-map.ts";
import { theme } from "../../state/preferences.ts";
import { projectId, projects } from "../../state/project.ts";
import { workZones } from "../../state/site-places.ts";
import { drawOn } from "../fences/draw-on.ts";
import { zoneEditing } from "./zone-editing.ts";

/** Zoom over a project's place while it has no zones: a site is some hundred metres wide. */
const SITE_ZOOM = 16;

/** Zones of a project, and the one that is being drawn. */
export function ZoneDrawingMap() {
  function open(container: HTMLElement) {
    const place = projects.peek().find(({ id }) => id === projectId.peek())?.location;
    const drawn = new FleetMap({
      container,
      theme: theme.peek(),
      base: baseMap.peek(),
      view: place === undefined ? undefined : { ...place, zoom: SITE_ZOOM },
      zoomIn: t("map.zoom_in"),
      zoomOut: t("map.zoom_out"),
      onSelect: () => undefined,
      onMove: () => undefined,
    });
    const corners = () =>
      workZones.items
        .peek()
        .flatMap(({ polygon = [] }) =>
          polygon.map(([lat = 0, lng = 0]): readonly [number, number] => [lng, lat]),
        );
    const showAll = () => {
      const all = corners();
      if (all.length > 0) drawn.showPlace(all);
    };
    let isPlaced = false;
    const ends = [
      effect(() => drawn.setTheme(theme.value)),
      drawGround(drawn),
      effect(() => {
        // The one that is being changed is drawn by the tool.
        const hidden = zoneEditing.value?.stored?.value.id;
        const shown = workZones.items.value.filter(({ id }) => id !== hidden);
        drawn.setPlaces(
          "zones",
          placeFeatures(shown.map(({ id, name, polygon }) => ({ id, name, corners: polygon }))),
        );
        if (isPlaced || corners().length === 0) return;
        isPlaced = true;
        showAll();
      }),
      effect(() => {
        const editing = zoneEditing.value;
        return editing === undefined ? undefined : drawOn(drawn, editing.drawing);
      }),
    ];
    return { map: { showAll, close: () => drawn.close() }, ends };
  }

  return (
    <MapFrame
      label={t("progress.map_label")}
      all={t("map.show_all")}
      without={t("setup.no_webgl")}
      open={open}
    />
  );
}
