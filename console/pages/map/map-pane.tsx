import { effect, type ReadonlySignal, type Signal } from "@preact/signals";
import { t } from "../../i18n/t.ts";
import { fenceFeatures } from "../../map/features.ts";
import { FleetMap } from "../../map/fleet-map.ts";
import { drawGround } from "../../map/ground.ts";
import { placeFeatures } from "../../map/place-layers.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { keepInAddress } from "../../state/address.ts";
import { baseMap } from "../../state/base-map.ts";
import { fences } from "../../state/fences.ts";
import type { Machine } from "../../state/machine.ts";
import { mapLayers } from "../../state/map-layers.ts";
import { theme } from "../../state/preferences.ts";
import { stockpiles, workZones } from "../../state/site-places.ts";
import { placeText, viewOf } from "./address.ts";
import { pilePlace, zonePlace } from "./place-words.ts";

interface MapPaneProps {
  /** Those that the list beside it has. */
  readonly machines: ReadonlySignal<readonly Machine[]>;
  readonly selected: Signal<string | undefined>;
  readonly isFollowing: Signal<boolean>;
  /** A place that somebody wants to see: `[latitude, longitude]` of its corners, degrees. */
  readonly asked: ReadonlySignal<readonly (readonly number[])[] | undefined>;
  readonly onSelect: (id: string | undefined) => void;
}

/** The map itself. It follows the state without being rendered again. */
export function MapPane({ machines, selected, isFollowing, asked, onSelect }: MapPaneProps) {
  function open(container: HTMLElement) {
    const drawn = new FleetMap({
      container,
      theme: theme.peek(),
      base: baseMap.peek(),
      view: viewOf(location.search),
      machines: machines.peek(),
      zoomIn: t("map.zoom_in"),
      zoomOut: t("map.zoom_out"),
      onSelect,
      onMove(view, isByHand) {
        if (isByHand) isFollowing.value = false;
        keepInAddress("at", placeText(view));
      },
    });
    const ends = [
      effect(() => drawn.setTheme(theme.value)),
      drawGround(drawn),
      effect(() => {
        drawn.setFences(fenceFeatures(mapLayers.value.has("fences") ? fences.value : []));
      }),
      effect(() => {
        drawn.setPlaces("zones", placeFeatures(shownZones()));
      }),
      effect(() => {
        drawn.setPlaces("piles", placeFeatures(shownPiles()));
      }),
      effect(() => {
        if (asked.value === undefined) return;
        drawn.showPlace(asked.value.map(([lat = 0, lng = 0]) => [lng, lat]));
        // On a phone the list is below the map.
        container.scrollIntoView({ block: "nearest" });
      }),
      effect(() => drawn.select(selected.value)),
      effect(() => drawn.setMachines(machines.value)),
      effect(() => {
        const machine = machines.value.find(({ id }) => id === selected.value);
        if (isFollowing.value && machine !== undefined) drawn.centre(machine);
      }),
    ];
    return { map: drawn, ends };
  }

  return <MapFrame label={t("map.label")} all={t("map.show_all")} open={open} />;
}

const shownZones = () => (mapLayers.value.has("zones") ? workZones.items.value.map(zonePlace) : []);
const shownPiles = () =>
  mapLayers.value.has("piles") ? stockpiles.items.value.map(pilePlace) : [];
