import type { EN_MAP } from "../en/map.ts";

/** Words of the live map, in German. */
export const DE_MAP: Readonly<Record<keyof typeof EN_MAP, string>> = {
  "map.between_one": "{n} weitere dazwischen",
  "map.between_other": "{n} weitere dazwischen",
};
