import { computed } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { Place } from "../../map/place-layers.ts";
import { perSession } from "../../state/per-session.ts";
import { workZones } from "../../state/site-places.ts";
import type { ReportZone } from "./requests.ts";
import { isUnseen } from "./unseen.ts";

/** What a report says of each zone, in a word for the map. */
export const textsOf = (zones: readonly ReportZone[]): ReadonlyMap<string, string> =>
  new Map(
    zones.map((zone) => [
      zone.zone_id,
      isUnseen(zone) ? t("value.unknown") : show.tenth(zone.progress),
    ]),
  );

/** What is written behind the name of a zone on the map, by its id: of the report that the page shows. */
export const zoneTexts = perSession<ReadonlyMap<string, string>>(new Map());

/** The zones of the page as its map draws them. */
export const zonePlaces = computed<readonly Place[]>(() =>
  workZones.items.value.map(({ id, name, polygon }) => {
    const text = zoneTexts.value.get(id);
    return { id, name: text === undefined ? name : `${name}\n${text}`, corners: polygon };
  }),
);
