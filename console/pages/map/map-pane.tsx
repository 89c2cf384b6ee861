import { effect, type ReadonlySignal, type Signal } from "@preact/signals";
import { t } from "../../i18n/t.ts";
import { fenceFeatures } from "../../map/features.ts";
import { FleetMap } from "../../map/fleet-map.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { keepInAddress } from "../../state/address.ts";
import { baseMap } from "../../state/base-map.ts";
import { fences, readFences } from "../../state/fences.ts";
import type { Machine } from "../../state/machine.ts";
import { theme } from "../../state/preferences.ts";
import { projectId } from "../../state/project.ts";
import { placeText, viewOf } from "./address.ts";

interface MapPaneProps {
  /** Those that the list beside it has. */
  readonly machines: ReadonlySignal<readonly Machine[]>;
  readonly selected: Signal<string | undefined>;
  readonly isFollowing: Signal<boolean>;
  readonly onSelect: (id: string | undefined) => void;
}

/** The map itself. It follows the state without being rendered again. */
export function MapPane({ machines, selected, isFollowing, onSelect }: MapPaneProps) {
  function open(container: HTMLElement) {
    const drawn = new FleetMap({
      container,
      theme: theme.peek(),
      base: baseMap.peek(),
      view: viewOf(location.search),
      zoomIn: t("map.zoom_in"),
      zoomOut: t("map.zoom_out"),
      onSelect,
      onMove(view, isByHand) {
        if (isByHand) isFollowing.value = false;
        keepInAddress("at", placeText(view));
      },
    });
    const ends = [
      effect(() => void readFences(projectId.value)),
      effect(() => drawn.setTheme(theme.value)),
      effect(() => drawn.setFences(fenceFeatures(fences.value))),
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
