const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Labels of times on an axis: the time of day, or the date where the step is a day; the date stands below the first
 * label and below the first of each day.
 */
export function tickTimes(
  timesMs: readonly number[],
  stepMs: number,
  locale: string,
  zone: string,
): readonly string[] {
  const inZone = { timeZone: zone };
  const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", ...inZone });
  if (stepMs >= DAY_MS) return timesMs.map((ms) => date.format(ms));
  const clock = new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    ...(stepMs < MINUTE_MS ? { second: "2-digit" } : {}),
    ...inZone,
  });
  let day: string | undefined;
  return timesMs.map((ms) => {
    const before = day;
    day = date.format(ms);
    return day === before ? clock.format(ms) : `${clock.format(ms)}\n${day}`;
  });
}
