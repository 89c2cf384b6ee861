import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { Place } from "../../map/place-layers.ts";
import type { Geofence } from "../../state/fences.ts";
import type { GroundPicture } from "../../state/ground.ts";
import { projects } from "../../state/project.ts";
import type { Stockpile, WorkZone } from "../../state/site-places.ts";
import { alertText } from "../fences/words.ts";

/** A place of a layer in words, and where it is. */
export interface PlaceWords extends Place {
  readonly words: string;
}

export const zonePlace = ({ id, name, polygon }: WorkZone): Place => ({
  id,
  name,
  corners: polygon,
});

export const pilePlace = ({ id, material, location, footprint }: Stockpile): Place => ({
  id,
  name: t("layers.pile", { material, location }),
  corners: footprint,
});

export const fenceWords = ({ id, name, kind, alert_on, polygon }: Geofence): PlaceWords => ({
  id,
  name,
  words: [t(`fences.kind.${kind}`), alertText(alert_on)].join("; "),
  corners: polygon,
});

export function zoneWords(zone: WorkZone): PlaceWords {
  const { polygon, metric, declared_progress, declared_at } = zone;
  const declared = t("layers.zone_declared", {
    percent: show.percent(declared_progress),
    age: show.age(Date.parse(declared_at)),
  });
  const drawn = polygon === undefined ? [t("layers.no_outline")] : [];
  const words = [t(`layers.metric.${metric.kind}`), declared, ...drawn].join("; ");
  return { ...zonePlace(zone), words };
}

export function pileWords(pile: Stockpile): PlaceWords {
  const { footprint_status } = pile;
  const drawn = footprint_status === "confirmed" ? [] : [t(`layers.footprint.${footprint_status}`)];
  return { ...pilePlace(pile), words: [...volumeWords(pile), ...drawn].join("; ") };
}

/** An orthophoto: of what, and how old it is. */
export function groundWords({
  id,
  projectId,
  source,
  capturedMs,
  bounds,
}: GroundPicture): PlaceWords {
  const [west, south, east, north] = bounds;
  return {
    id,
    name:
      source.kind === "stockpile_measurement"
        ? t("layers.pile", source)
        : (projects.value.find((one) => one.id === projectId)?.name ?? projectId),
    words: t("layers.flown", { time: show.dateTime(capturedMs), age: show.age(capturedMs) }),
    corners: [
      [south, west],
      [south, east],
      [north, east],
      [north, west],
    ],
  };
}

/** The volume with its interval, basis and age. One that nobody ever said is not 0. */
function volumeWords(pile: Stockpile): readonly string[] {
  const { current_volume_m3, uncertainty_95_m3, volume_basis, last_measured, status } = pile;
  if (volume_basis === "none") return [t("overview.no_volume")];
  const age = show.age(Date.parse(last_measured));
  const volume = show.volume(current_volume_m3);
  const filled = t(`pile.${status}`);
  if (volume_basis === "declared") return [t("layers.declared", { volume, age }), filled];
  const figure =
    uncertainty_95_m3 === undefined
      ? t("layers.measured_alone", { volume, age })
      : t("layers.measured", { ...show.bounded(current_volume_m3, uncertainty_95_m3), age });
  return [figure, filled];
}
