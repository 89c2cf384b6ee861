import type { PayloadMapping } from "../../../domain/equipment/payload-mapping.ts";
import { parseDeviceTime } from "../fields/device-time.ts";
import { looseNumber } from "../payload/loose-number.ts";

type TimeMapping = NonNullable<PayloadMapping["time"]>;

/** How a mapping's time is read. */
interface TimeFormat {
  /** ms since the Unix epoch; `undefined` when the value is not a time in this format. */
  readonly read: (raw: unknown) => number | undefined;
  /** What a value is not that cannot be read. */
  readonly wanted: string;
}

/** `2026-11-23 18:00:05`: what databases and spreadsheets write for ISO 8601, and RFC 3339 5.6 allows. */
const BLANK_FOR_T = /^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/;

const ANY: TimeFormat = {
  read: parseTime,
  wanted: "neither epoch milliseconds nor ISO 8601",
};

const FORMATS: Readonly<Record<NonNullable<TimeMapping["unit"]>, TimeFormat>> = {
  ms: { read: (raw) => epochMs(raw, 1), wanted: "not epoch milliseconds" },
  s: { read: (raw) => epochMs(raw, 1_000), wanted: "not epoch seconds" },
  iso: {
    read: (raw) => (isIsoText(raw) ? parseTime(raw) : undefined),
    wanted: "not ISO 8601",
  },
};

export const timeFormat = ({ unit }: TimeMapping): TimeFormat =>
  unit === undefined ? ANY : FORMATS[unit];

function parseTime(raw: unknown): number | undefined {
  // The blank is rare: only what could not be read as it is gets a second try.
  return (
    parseDeviceTime(raw) ??
    (typeof raw === "string" ? parseDeviceTime(raw.replace(BLANK_FOR_T, "$1T")) : undefined)
  );
}

function epochMs(raw: unknown, msPerUnit: number): number | undefined {
  const number = looseNumber(raw);
  if (number === undefined) return undefined;
  const timeMs = Math.round(number * msPerUnit);
  return Number.isFinite(timeMs) ? timeMs : undefined;
}

/** Digits alone would be taken for epoch ms. */
const isIsoText = (raw: unknown): boolean => typeof raw === "string" && raw.includes("-", 1);
