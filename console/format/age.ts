import type { MessageKey } from "../i18n/en.ts";
import type { MessageValues } from "../i18n/translate.ts";

/** Texts of one language. */
type Words = (key: MessageKey, values?: MessageValues) => string;

/** A clock that is ahead by less, ms, is one that nobody set exactly; more is told. */
const CLOCK_MS = 60_000;

const STEPS = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  { unit: "second", ms: 1_000 },
] as const;

/** A length of time in its largest whole unit: `3 min`, `2 h`. Rounded down: an age is never more than it is. */
export function formatDuration(ms: number, locale: string): string {
  const step = STEPS.find((one) => ms >= one.ms) ?? STEPS[STEPS.length - 1];
  const { unit, ms: unitMs } = step ?? { unit: "second", ms: 1_000 };
  const value = Math.floor(Math.max(0, ms) / unitMs);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(value);
}

/** A length of time in its two largest units: `1 h 12 min`, `3 min 20 s`. To the second, and never more than it is. */
export function formatSpan(ms: number, locale: string): string {
  const first = STEPS.findIndex((one) => ms >= one.ms);
  if (first < 0) return formatDuration(ms, locale);
  let rest = ms;
  const parts = STEPS.slice(first, first + 2).flatMap((step) => {
    const part = formatDuration(Math.floor(rest / step.ms) * step.ms, locale);
    const isThere = rest >= step.ms;
    rest %= step.ms;
    return isThere ? [part] : [];
  });
  return parts.join(" ");
}

/** How long ago something was, in words; a time that is still to come is told as such. */
export function formatAge(thenMs: number, nowMs: number, t: Words, locale: string): string {
  const age = nowMs - thenMs;
  if (age < -CLOCK_MS) return t("time.ahead", { age: formatDuration(-age, locale) });
  if (age < 1_000) return t("time.now");
  return t("time.ago", { age: formatDuration(age, locale) });
}
