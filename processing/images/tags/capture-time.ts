import { type TagGroup, textOf } from "./tag-groups.ts";

const TIME = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const ZONE = /^([+-])(\d\d):(\d\d)$/;

/**
 * When the picture was taken, ms since the Unix epoch: EXIF's DateTimeOriginal with its fraction and zone
 * (EXIF 2.31), taken as UTC without one. `undefined` for what is not a time.
 */
export function readCaptureTime(exif: TagGroup | undefined): number | undefined {
  const text = textOf(exif?.["DateTimeOriginal"] ?? exif?.["CreateDate"]) ?? "";
  const parts = TIME.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second);
  // A camera without a clock writes zeros, which `Date.UTC` would carry over.
  if (month < 1 || month > 12 || day < 1 || day > 31 || year < 1990) return undefined;
  return localMs + fractionMs(exif) - zoneMs(exif);
}

function fractionMs(exif: TagGroup | undefined): number {
  const digits = /^\d{1,9}/.exec(textOf(exif?.["SubSecTimeOriginal"]) ?? "")?.[0];
  return digits === undefined ? 0 : Math.round(Number(`0.${digits}`) * 1_000);
}

function zoneMs(exif: TagGroup | undefined): number {
  const zone = textOf(exif?.["OffsetTimeOriginal"] ?? exif?.["OffsetTime"]) ?? "";
  const [, sign, hours, minutes] = ZONE.exec(zone) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === "-" ? -ms : ms;
}
