import { effect, type ReadonlySignal } from "@preact/signals";
import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";
import { t } from "../../i18n/t.ts";
import { FleetMap, type MapGuest } from "../../map/fleet-map.ts";
import { drawGround } from "../../map/ground.ts";
import { type Place, placeFeatures } from "../../map/place-layers.ts";
import { SurveyLayers, type SurveyPicture } from "../../map/survey-layer.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { baseMap } from "../../state/base-map.ts";
import { theme } from "../../state/preferences.ts";
import { drawOn } from "../fences/draw-on.ts";
import type { Drawing } from "../fences/drawing.ts";

interface PileMapProps {
  readonly label: string;
  readonly places: ReadonlySignal<readonly Place[]>;
  /** Corners of what the first view and "show all" show, `[longitude, latitude]` in degrees. */
  readonly view: ReadonlySignal<readonly (readonly [number, number])[]>;
  /** Under the footprints; absent: the orthophotos of the site. */
  readonly picture?: ReadonlySignal<SurveyPicture | undefined>;
  readonly drawing?: ReadonlySignal<Drawing | undefined>;
  readonly onPick?: (id: string | undefined) => void;
}

/** Footprints over a picture of a survey, and one that is being drawn. It follows the state without being rendered again. */
export function PileMap(props: PileMapProps) {
  const { label, places, view, picture, drawing, onPick } = props;

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
    if (onPick !== undefined) drawn.invite(pilePicker(onPick));
    const ends = [
      effect(() => drawn.setTheme(theme.value)),
      effect(() => drawn.setPlaces("piles", placeFeatures(places.value))),
      effect(() => drawn.showPlace(view.value)),
      picture === undefined ? drawGround(drawn) : drawPicture(drawn, picture),
      effect(() => {
        const now = drawing?.value;
        return now === undefined ? undefined : drawOn(drawn, now);
      }),
    ];
    const showAll = () => drawn.showPlace(view.peek());
    return { map: { showAll, close: () => drawn.close() }, ends };
  }

  return (
    <MapFrame label={label} all={t("map.show_all")} without={t("piles.no_webgl")} open={open} />
  );
}

/** Lays a picture of one survey under the map; yields what ends it. */
function drawPicture(map: FleetMap, picture: ReadonlySignal<SurveyPicture | undefined>) {
  const layers = new SurveyLayers();
  const leave = map.invite(layers);
  const end = effect(() => layers.show(picture.value === undefined ? [] : [picture.value]));
  return () => {
    end();
    leave();
  };
}

/** Says which footprint a press means. */
function pilePicker(onPick: NonNullable<PileMapProps["onPick"]>): MapGuest {
  let map: MapLibre | undefined;
  const press = ({ point }: MapMouseEvent) => {
    const [found] = map?.queryRenderedFeatures(point, { layers: ["piles-area"] }) ?? [];
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
