import { DE_SETTINGS_ACCESS } from "./de/settings-access.ts";
import { DE_SETTINGS_EQUIPMENT } from "./de/settings-equipment.ts";
import { DE_SETTINGS_LINKS } from "./de/settings-links.ts";
import type { EN_ADMINISTRATION } from "./en-settings.ts";

/** Words of the pages of administration alone, in German: they are loaded with those. */
export const DE_ADMINISTRATION: Readonly<Record<keyof typeof EN_ADMINISTRATION, string>> = {
  ...DE_SETTINGS_ACCESS,
  ...DE_SETTINGS_EQUIPMENT,
  ...DE_SETTINGS_LINKS,
};
