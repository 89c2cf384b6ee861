import type { EN_MAP } from "../en/map.ts";

/** Words of the live map, in German. */
export const DE_MAP: Readonly<Record<keyof typeof EN_MAP, string>> = {
  "map.between_one": "{n} weitere dazwischen",
  "map.between_other": "{n} weitere dazwischen",

  "filter.counted": "{name} ({n})",
  "filter.moving": "in Fahrt, über {speed}",
  "filter.result": "{n} von {all} Maschinen passen",
  "filter.reset": "Filter zurücksetzen",
  "filter.hides": "Der Filter blendet diese Maschine auf der Karte und in der Liste aus.",

  "layers.title": "Ebenen",
  "layers.fences": "Geozäune",
  "layers.zones": "Fortschrittszonen",
  "layers.piles": "Halden",
  "layers.in_words": "{n} in Worten",
  "layers.none.fences": "Es gibt keine Geozäune.",
  "layers.none.zones": "Es gibt keine Fortschrittszonen.",
  "layers.none.piles": "Es gibt keine Halden.",
  "layers.no_outline": "kein Umriss gezeichnet, daher nicht auf der Karte",
  "layers.zone_declared": "{percent} gemeldet, {age}",
  "layers.metric.fill": "Auftrag, aus Oberflächen",
  "layers.metric.cut": "Abtrag, aus Oberflächen",
  "layers.metric.height": "Höhe, aus Oberflächen",
  "layers.metric.area": "Fläche, aus Oberflächen",
  "layers.metric.image": "aus Kamerabildern",
  "layers.metric.stages": "nach Stufen",
  "layers.metric.manual": "nach Beobachtungen",
  "layers.pile": "{material}, {location}",
  "layers.declared": "{volume} gemeldet, ohne bekanntes Intervall, {age}",
  "layers.measured": "{volume} ± {interval} gemessen, {age}",
  "layers.measured_alone": "{volume} gemessen, ohne bekanntes Intervall, {age}",
  "layers.footprint.none": "keine Grundfläche gezeichnet, daher nicht auf der Karte",
  "layers.footprint.proposed": "Grundfläche vorgeschlagen, nicht bestätigt",
};
