const MINUTE_S = 60;
const HOUR_S = 3_600;

/**
 * A time of work in hours with one decimal, six minutes: it is not known better. Less than an hour is whole minutes,
 * and less than one is said so, because a minute is not nothing.
 */
export function formatHours(seconds: number, locale: string): string {
  const write = (value: number, unit: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit,
      unitDisplay: "short",
      maximumFractionDigits: digits,
      minimumFractionDigits: digits,
    }).format(value);
  const minutes = Math.round(seconds / MINUTE_S);
  if (minutes >= 60) {
    // Every language that the console has writes h.
    const hours = new Intl.NumberFormat(locale, {
      maximumFractionDigits: 1,
      minimumFractionDigits: 1,
    });
    return `${hours.format(seconds / HOUR_S)}\u00a0h`;
  }
  return seconds > 0 && minutes === 0 ? `< ${write(1, "minute", 0)}` : write(minutes, "minute", 0);
}
