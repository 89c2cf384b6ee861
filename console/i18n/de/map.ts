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
};
