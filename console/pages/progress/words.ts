import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { knownPercent } from "./unseen.ts";

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

/** How much is done; "not known" of a project of which nothing was ever seen. Both in percent. */
export function doneText(percent: number, seen: number): string {
  const known = knownPercent(percent, seen);
  return known === undefined ? t("value.unknown") : show.tenth(known);
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
