import { show } from "../../../../format/show.ts";
import { shownSymbol, toShown } from "../../../../format/units.ts";
import { locale, t } from "../../../../i18n/t.ts";
import { fences } from "../../../../state/fences.ts";
import { preferences } from "../../../../state/preferences.ts";

/** A density that may not be known, t/m³. */
export function densityText(density: number | undefined): string {
  if (density === undefined || Number.isNaN(density)) return t("value.unknown");
  const { units } = preferences.value;
  const shown = Math.round(toShown("density", density, units) * 100) / 100;
  return `${show.number(shown)} ${shownSymbol("density", units, locale.value)}`;
}

/** Name of a fence; its id where the key may not see it. */
export const fenceName = (id: string): string =>
  id === "" ? t("map.none") : (fences.value.find((fence) => fence.id === id)?.name ?? id);
