/** Words of the live map, in English. */
export const EN_MAP = {
  "map.between_one": "{n} more in between",
  "map.between_other": "{n} more in between",
} as const;
