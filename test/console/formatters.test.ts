import { describe, expect, it } from "vitest";
import { formatAge, formatDuration, formatSpan } from "../../console/format/age.ts";
import { formatClock, formatDateTime } from "../../console/format/clock.ts";
import {
  formatDistance,
  formatHeading,
  formatLength,
  formatPercent,
  formatSpeed,
} from "../../console/format/quantity.ts";
import { DE } from "../../console/i18n/de.ts";
import { EN } from "../../console/i18n/en.ts";
import { translator } from "../../console/i18n/translate.ts";

const NOW = Date.UTC(2026, 2, 5, 13, 3, 10);
const english = translator(EN, "en-GB");
const german = translator(DE, "de-DE");
/** Spaces of `Intl` that do not break are spaces to a reader. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const age = (ms: number) => plain(formatAge(NOW - ms, NOW, english, "en-GB"));

describe("an age", () => {
  it("is in its largest whole unit, and never more than it is", () => {
    expect(age(999)).toBe("now");
    expect(age(1_000)).toBe("1 sec ago");
    expect(age(59_999)).toBe("59 secs ago");
    expect(age(60_000)).toBe("1 min ago");
    expect(age(3_599_999)).toBe("59 mins ago");
    expect(age(3_600_000)).toBe("1 hr ago");
    expect(age(86_400_000 * 2.9)).toBe("2 days ago");
  });

  it("of a clock that is a little ahead is now, and of one that is far ahead says so", () => {
    expect(age(-60_000)).toBe("now");
    expect(age(-3_600_000)).toBe("1 hr in the future: the clock of the device is wrong");
  });

  it("is in the person's language", () => {
    expect(plain(formatAge(NOW - 7_200_000, NOW, german, "de-DE"))).toBe("vor 2 Std.");
  });

  it("below a second has a duration of no seconds", () => {
    expect(plain(formatDuration(10, "en-GB"))).toBe("0 secs");
  });

  it("of a stop has its two largest units, without one that is 0", () => {
    const span = (s: number) => plain(formatSpan(s * 1_000, "en-GB"));
    expect(span(4_350)).toBe("1 hr 12 mins");
    expect(span(200)).toBe("3 mins 20 secs");
    expect(span(180)).toBe("3 mins");
    expect(span(86_400 + 59)).toBe("1 day");
    expect(span(0.2)).toBe("0 secs");
  });
});

describe("a moment", () => {
  it("is shown in a zone, with its name", () => {
    expect(plain(formatDateTime(NOW, "en-GB", "Europe/Berlin"))).toMatch(
      /5 Mar 2026, 14:03:10 (CET|GMT\+1)/,
    );
    expect(plain(formatDateTime(NOW, "en-GB", "UTC"))).toContain("13:03:10 UTC");
  });

  it("as a time of day goes to the second", () => {
    expect(formatClock(NOW, "de-DE", "Europe/Berlin")).toBe("14:03:10");
  });
});

describe("a quantity", () => {
  it("is in the units that the person chose", () => {
    expect(plain(formatSpeed(40, "metric", "en-GB"))).toBe("40 km/h");
    expect(plain(formatSpeed(40, "imperial", "en-GB"))).toBe("25 mph");
    expect(plain(formatLength(2.54, "metric", "de-DE"))).toBe("2,5 m");
    expect(plain(formatLength(100, "imperial", "en-US"))).toBe("328 ft");
    expect(plain(formatDistance(999, "metric", "en-GB"))).toBe("999 m");
    expect(plain(formatDistance(2_421, "metric", "de-DE"))).toBe("2,42 km");
    expect(plain(formatDistance(1_609.344, "imperial", "en-US"))).toBe("1 mi");
    expect(plain(formatDistance(300, "imperial", "en-US"))).toBe("984 ft");
  });

  it("of percent is whole, and a heading is below 360 degrees", () => {
    expect(plain(formatPercent(11.4, "en-GB"))).toBe("11%");
    expect(plain(formatPercent(100, "de-DE"))).toBe("100 %");
    expect(formatHeading(359.7, "en-GB")).toBe("0°");
    expect(formatHeading(176.2, "en-GB")).toBe("176°");
  });
});
