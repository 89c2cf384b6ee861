import { effect, type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../i18n/t.ts";
import { fenceFeatures } from "../../map/features.ts";
import { FleetMap } from "../../map/fleet-map.ts";
import { hasWebGl } from "../../map/web-gl.ts";
import { baseTiles } from "../../state/base-map.ts";
import { fences, readFences } from "../../state/fences.ts";
import { machines } from "../../state/machines.ts";
import { theme } from "../../state/preferences.ts";
import { projectId } from "../../state/project.ts";
import { viewOf, withView } from "./address.ts";

interface MapPaneProps {
  readonly selected: Signal<string | undefined>;
  readonly isFollowing: Signal<boolean>;
  readonly onSelect: (id: string | undefined) => void;
}

/** The map itself. It follows the state without being rendered again. */
export function MapPane({ selected, isFollowing, onSelect }: MapPaneProps) {
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<FleetMap | undefined>(undefined);
  const canDraw = useSignal(true);

  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    if (!hasWebGl()) {
      canDraw.value = false;
      return undefined;
    }
    const drawn = new FleetMap({
      container: element,
      theme: theme.peek(),
      tiles: baseTiles.peek(),
      view: viewOf(location.search),
      zoomIn: t("map.zoom_in"),
      zoomOut: t("map.zoom_out"),
      onSelect,
      onMove(view, isByHand) {
        if (isByHand) isFollowing.value = false;
        history.replaceState(history.state, "", withView(location.href, view));
      },
    });
    map.current = drawn;
    const ends = [
      effect(() => void readFences(projectId.value)),
      effect(() => drawn.setTheme(theme.value)),
      effect(() => drawn.setFences(fenceFeatures(fences.value))),
      effect(() => drawn.select(selected.value)),
      effect(() => drawn.setMachines(machines.value ?? [])),
      effect(() => {
        const machine = machines.value?.find(({ id }) => id === selected.value);
        if (isFollowing.value && machine !== undefined) drawn.centre(machine);
      }),
    ];
    return () => {
      map.current = undefined;
      for (const end of ends) end();
      drawn.close();
    };
  }, []);

  return (
    <div class="map-pane">
      {canDraw.value ? (
        <>
          <section ref={container} class="map" aria-label={t("map.label")} />
          <button type="button" class="map-all" onClick={() => map.current?.showAll()}>
            {t("map.show_all")}
          </button>
        </>
      ) : (
        <p class="notice">{t("map.no_webgl")}</p>
      )}
    </div>
  );
}
