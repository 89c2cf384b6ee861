import { effect } from "@preact/signals";
import { t } from "../../i18n/t.ts";
import { FleetMap } from "../../map/fleet-map.ts";
import { drawGround } from "../../map/ground.ts";
import { type Place, placeFeatures } from "../../map/place-layers.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { baseMap } from "../../state/base-map.ts";
import { theme } from "../../state/preferences.ts";
import { zonePlaces } from "./shown-zones.ts";

/** Corners of places, longitude first. */
const cornersOf = (places: readonly Place[]) =>
  places.flatMap(({ corners = [] }) =>
    corners.map(([lat = 0, lng = 0]): readonly [number, number] => [lng, lat]),
  );

/** The zones of a project on the map, with what the report says of each. */
export function ZoneMap() {
  function open(container: HTMLElement) {
    const drawn = new FleetMap({
      container,
      theme: theme.peek(),
      base: baseMap.peek(),
      view: undefined,
      zoomIn: t("map.zoom_in"),
      zoomOut: t("map.zoom_out"),
      onSelect: () => undefined,
      onMove: () => undefined,
    });
    let isPlaced = false;
    const showAll = () => {
      const corners = cornersOf(zonePlaces.peek());
      if (corners.length > 0) drawn.showPlace(corners);
    };
    const ends = [
      effect(() => drawn.setTheme(theme.value)),
      drawGround(drawn),
      effect(() => {
        drawn.setPlaces("zones", placeFeatures(zonePlaces.value));
        if (isPlaced || cornersOf(zonePlaces.value).length === 0) return;
        isPlaced = true;
        showAll();
      }),
    ];
    return { map: { showAll, close: () => drawn.close() }, ends };
  }

  return (
    <MapFrame
      label={t("progress.map_label")}
      all={t("map.show_all")}
      without={t("progress.no_webgl")}
      open={open}
    />
  );
}
