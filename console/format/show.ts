import { computed } from "@preact/signals";
import { locale, t } from "../i18n/t.ts";
import { now } from "../state/now.ts";
import { preferences } from "../state/preferences.ts";
import { zone } from "../state/zone.ts";
import { formatAge, formatDuration, formatSpan } from "./age.ts";
import { formatClock, formatDate, formatDateTime, formatDay } from "./clock.ts";
import { formatField, formatShown } from "./field-units.ts";
import { formatHours } from "./hours.ts";
import {
  formatAngle,
  formatArea,
  formatBounded,
  formatBytes,
  formatDistance,
  formatFineLength,
  formatHeading,
  formatHeight,
  formatLength,
  formatPercent,
  formatPoints,
  formatShownSpeed,
  formatSpeed,
  formatTenth,
  formatTonnes,
  formatVolume,
} from "./quantity.ts";

/** Making one costs as much as a hundred numbers. */
const plainNumbers = computed(() => new Intl.NumberFormat(locale.value));

/** The formatters with the person's language, units and zone; they follow all three. */
export const show = {
  age: (ms: number) => formatAge(ms, now.value, t, locale.value),
  dateTime: (ms: number) => formatDateTime(ms, locale.value, zone.value),
  date: (ms: number) => formatDate(ms, locale.value, zone.value),
  duration: (ms: number) => formatDuration(ms, locale.value),
  span: (ms: number) => formatSpan(ms, locale.value),
  clock: (ms: number) => formatClock(ms, locale.value, zone.value),
  speed: (kmh: number) => formatSpeed(kmh, preferences.value.units, locale.value),
  shownSpeed: (shown: number) => formatShownSpeed(shown, preferences.value.units, locale.value),
  length: (metres: number) => formatLength(metres, preferences.value.units, locale.value),
  height: (metres: number) => formatHeight(metres, preferences.value.units, locale.value),
  fineLength: (metres: number) => formatFineLength(metres, preferences.value.units, locale.value),
  distance: (metres: number) => formatDistance(metres, preferences.value.units, locale.value),
  area: (m2: number) => formatArea(m2, preferences.value.units, locale.value),
  volume: (m3: number) => formatVolume(m3, preferences.value.units, locale.value),
  bounded: (m3: number, intervalM3: number) =>
    formatBounded(m3, intervalM3, preferences.value.units, locale.value),
  tonnes: (tonnes: number) => formatTonnes(tonnes, preferences.value.units, locale.value),
  percent: (percent: number) => formatPercent(percent, locale.value),
  tenth: (percent: number) => formatTenth(percent, locale.value),
  points: (points: number) => formatPoints(points, false, locale.value),
  change: (points: number) => formatPoints(points, true, locale.value),
  heading: (degrees: number) => formatHeading(degrees, locale.value),
  angle: (degrees: number) => formatAngle(degrees, locale.value),
  day: (day: string) => formatDay(day, locale.value),
  hours: (seconds: number) => formatHours(seconds, locale.value),
  field: (field: string, value: number) =>
    formatField(field, value, preferences.value.units, locale.value),
  /** A value of a field in the unit that is shown, as a chart has it. */
  shownField: (field: string, shown: number) =>
    formatShown(field, shown, preferences.value.units, locale.value),
  /** In the unit of the API, where its own name of the field is beside it. */
  apiField: (field: string, value: number) => formatField(field, value, "metric", locale.value),
  bytes: (bytes: number) => formatBytes(bytes, locale.value),
  number: (value: number) => plainNumbers.value.format(value),
};
