import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";

/** "40.0% to 52.3%", or that there is none. */
export function intervalText(interval: readonly number[] | null): string {
  const [low, high] = interval ?? [];
  if (low === undefined || high === undefined) return t("progress.not_bounded");
  return t("progress.range", { low: show.tenth(low), high: show.tenth(high) });
}

/** "+4.0 to +12.3", points, or that there is none. */
export function changeInterval(interval: readonly number[] | null): string {
  const [low, high] = interval ?? [];
  if (low === undefined || high === undefined) return t("progress.not_bounded");
  return t("progress.range", { low: show.change(low), high: show.change(high) });
}

/** The calendar date of a time as the service writes it. */
export const dateOf = (time: string): string => show.date(Date.parse(time));

/** Names, of which a long list is cut. */
export function namesText(names: readonly string[]): string {
  const most = 4;
  const shown = names.slice(0, most).join(", ");
  return names.length > most
    ? t("progress.names_more", { names: shown, n: show.number(names.length - most) })
    : shown;
}
