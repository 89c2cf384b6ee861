import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { Stockpile } from "../../state/site-places.ts";

/** A volume with its 95 % interval; without one it says so. */
export function volumeText(m3: number, uncertaintyM3: number | undefined): string {
  if (uncertaintyM3 === undefined) return t("piles.volume_bare", { volume: show.volume(m3) });
  return t("piles.volume", show.bounded(m3, uncertaintyM3));
}

/** A change with its 95 % interval, both in m³. */
export function changeWithin(m3: number, uncertaintyM3: number): string {
  const { volume: change, interval } = show.bounded(m3, uncertaintyM3);
  return t("pile.change_interval", { change, interval });
}

/** The volume of a stockpile; "not known" where nobody ever said or measured one. */
export const pileVolume = ({ volume_basis, current_volume_m3, uncertainty_95_m3 }: Stockpile) =>
  volume_basis === "none" ? t("value.unknown") : volumeText(current_volume_m3, uncertainty_95_m3);

/** Mass by the density of the stockpile. */
export const tonnesText = (tonnes: number | undefined): string =>
  tonnes === undefined ? t("piles.no_tonnes") : show.tonnes(tonnes);
