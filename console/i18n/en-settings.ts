import { EN_SETTINGS_ACCESS } from "./en/settings-access.ts";
import { EN_SETTINGS_EQUIPMENT } from "./en/settings-equipment.ts";
import { EN_SETTINGS_LINKS } from "./en/settings-links.ts";

/** Words of the pages of administration alone, in English: they are loaded with those. */
export const EN_ADMINISTRATION = {
  ...EN_SETTINGS_ACCESS,
  ...EN_SETTINGS_EQUIPMENT,
  ...EN_SETTINGS_LINKS,
} as const;
