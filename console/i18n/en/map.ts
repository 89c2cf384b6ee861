/** Words of the live map, in English. */
export const EN_MAP = {
  "map.between_one": "{n} more in between",
  "map.between_other": "{n} more in between",

  "filter.counted": "{name} ({n})",
  "filter.moving": "moving, over {speed}",
  "filter.result": "{n} of {all} machines match",
  "filter.reset": "Reset the filter",
  "filter.hides": "The filter leaves this machine out of the map and the list.",
} as const;
