/** Date and time in a zone, with the abbreviation of the zone; `zone` absent: that of the browser. */
export function formatDateTime(ms: number, locale: string, zone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).format(ms);
}

/** The time of day, to the second, as `14:03:10`. */
export function formatClock(ms: number, locale: string, zone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).format(ms);
}
