import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import type { Survey } from "../requests.ts";
import { LEAST_M3, wouldReadAsZero } from "./least-volume.ts";

/** Standard deviations of half of a 95 % interval (normal distribution). */
const SIGMAS_95 = 1.96;
/** The least length that is written as it is, metres: the service knows heights to the millimetre. */
const LEAST_M = 0.001;

/** A volume; one that is not 0 never reads as 0. */
export function volumeShown(m3: number): string {
  if (!wouldReadAsZero(m3)) return show.volume(m3);
  const least = show.volume(LEAST_M3);
  return m3 > 0 ? t("measure.under", { least }) : t("measure.under_below", { least });
}

/** A volume with half of its 95 % interval, in the decimals of all such pairs where neither reads as 0 by them. */
export function volumeWithin(m3: number, interval95M3: number): string {
  if (Math.abs(m3) < 1 || wouldReadAsZero(interval95M3)) {
    return t("measure.within", { value: volumeShown(m3), interval: volumeShown(interval95M3) });
  }
  const { volume: value, interval } = show.bounded(m3, interval95M3);
  return t("measure.within", { value, interval });
}

/** A figure with half of its 95 % interval; `null`: that is not known, and is said so. */
export function withInterval(value: string, interval: string | null): string {
  return interval === null
    ? t("measure.no_interval", { value })
    : t("measure.within", { value, interval });
}

/** Half of an interval of heights, metres. */
export const intervalShown = (metres: number | null): string | null =>
  metres === null ? null : show.fineLength(Math.max(metres, LEAST_M));

/** Half of the 95 % interval that the survey's scale leaves, hundredths of a length; `null`: not known. */
export function scaleInterval95({ accuracy }: Pick<Survey, "accuracy">): number | null {
  const { scale_sigma_percent: sigma } = accuracy;
  return sigma === null ? null : SIGMAS_95 * sigma;
}
