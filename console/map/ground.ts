import { effect } from "@preact/signals";
import { ground } from "../state/ground.ts";
import { mapLayers } from "../state/map-layers.ts";
import type { MapGuest } from "./fleet-map.ts";
import { SurveyLayers } from "./survey-layer.ts";

/** A map that lets something else draw on it; yields what ends it. */
interface HostMap {
  readonly invite: (guest: MapGuest) => () => void;
}

/** Lays the orthophotos of the site under a map while their layer is on; yields what ends it. */
export function drawGround(map: HostMap): () => void {
  const layers = new SurveyLayers();
  const leave = map.invite(layers);
  const end = effect(() => layers.show(mapLayers.value.has("ground") ? ground.value : []));
  return () => {
    end();
    leave();
  };
}
