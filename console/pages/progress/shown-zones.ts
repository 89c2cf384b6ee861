import { computed } from "@preact/signals";
import type { Place } from "../../map/place-layers.ts";
import { perSession } from "../../state/per-session.ts";
import { workZones } from "../../state/site-places.ts";

/** What is written behind the name of a zone on the map, by its id: of the report that the page shows. */
export const zoneTexts = perSession<ReadonlyMap<string, string>>(new Map());

/** The zones of the page as its map draws them. */
export const zonePlaces = computed<readonly Place[]>(() =>
  workZones.items.value.map(({ id, name, polygon }) => {
    const text = zoneTexts.value.get(id);
    return { id, name: text === undefined ? name : `${name}\n${text}`, corners: polygon };
  }),
);
