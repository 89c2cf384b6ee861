import { MAX_FIELDS } from "../../../domain/equipment/reading.ts";
import type { FieldSet } from "../fields/field-set.ts";
import { isUnavailableNumber } from "../fields/unavailable.ts";
import type { AvlMeaning } from "./avl-table.ts";

/** The GNSS part of a record; `undefined`: the device did not say. */
export interface AvlFix {
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** Metres. */
  readonly altitude: number | undefined;
  /** Degrees from north. */
  readonly angle: number | undefined;
  readonly satellites: number | undefined;
  /** km/h. */
  readonly speed: number | undefined;
}

/** An id with its number as it came, and what it means. */
interface LateId {
  readonly id: number;
  readonly raw: number;
  readonly meaning: AvlMeaning | undefined;
}

/** Fields that a record has beside its AVL ids: the fix, priority and event. */
const OTHER_FIELDS = 8;

/**
 * Sets position and movement, and yields whether there is a fix. Without satellites the position is the
 * last valid one again and the rest zeros (wiki, Codec 8, "GPS element"); 0, 0 is what a device sends that
 * never had one. Then only the number of satellites is true.
 * @throws DomainError `DECODE_FAILED` for a value that no place on earth has.
 */
export function setFix(fields: FieldSet, fix: AvlFix): boolean {
  const { latitude = 0, longitude = 0, satellites } = fix;
  fields.set("satellites", satellites, "sat");
  if (satellites === 0 || (latitude === 0 && longitude === 0)) return false;
  fields.setPosition(latitude, longitude);
  fields.set("altitude_meters", fix.altitude, "alt");
  fields.set("heading", fix.angle, "ang");
  fields.set("speed_kmh", fix.speed, "sp");
  return true;
}

/**
 * Turns the AVL ids of one record into its fields. Without a fix GNSS speed and dilutions are zeros
 * that say nothing, and stay out.
 */
export class AvlFields {
  readonly #fields: FieldSet;
  readonly #hasFix: boolean;
  /** Ids that wait for `finish`; made for the first of them. */
  #late: LateId[] | undefined;
  #room = MAX_FIELDS - OTHER_FIELDS;

  constructor(fields: FieldSet, hasFix: boolean) {
    this.#fields = fields;
    this.#hasFix = hasFix;
  }

  /** Takes one id with its number as it is on the wire; `meaning`: of the id, `undefined` without one. */
  take(id: number, raw: number, meaning: AvlMeaning | undefined): void {
    if (meaning !== undefined) {
      const value = raw / meaning.per;
      if (meaning.isFirst && isMeant(meaning, raw, value)) {
        this.#room -= 1;
        if (this.#hasFix || !meaning.isGnss) put(this.#fields, meaning, value);
        return;
      }
    }
    this.#late ??= [];
    this.#late.push({ id, raw, meaning });
  }

  /** Keeps a number of the decoder's own naming while there is room; yields whether there was. */
  keepSpare(name: string, value: number): boolean {
    if (this.#room <= 0) {
      this.#fields.leftOut(name);
      return false;
    }
    this.#room -= 1;
    this.#fields.keepAs(name, value);
    return true;
  }

  /**
   * Sets second sources where the first said nothing or another number, and keeps ids without a meaning
   * under their numbers. Yields how many were left out: identifiers too large for a number, and what is
   * beyond the fields that a reading holds.
   */
  finish(): number {
    if (this.#late === undefined) return 0;
    let ignored = 0;
    for (const late of this.#late) {
      if (!this.#takeLate(late)) ignored += 1;
    }
    return ignored;
  }

  /** Whether it was understood, or kept. */
  #takeLate({ id, raw, meaning }: LateId): boolean {
    const fields = this.#fields;
    const value = meaning === undefined ? raw : raw / meaning.per;
    const isSecond = meaning !== undefined && isMeant(meaning, raw, value);
    if (isSecond && meaning.isGnss && !this.#hasFix) return true;
    const said = isSecond ? fields.fields[meaning.field] : undefined;
    // A spare one has no second source; what is there is itself, sent twice.
    if (said === value || (said !== undefined && meaning?.otherwise === "")) return true;
    if (this.#room <= 0 || !isExact(raw)) {
      if (this.#room <= 0) fields.leftOut(nameOf(id));
      return false;
    }
    this.#room -= 1;
    if (meaning === undefined) fields.keepAs(nameOf(id), raw);
    else if (!isSecond) doubt(fields, id, raw, meaning);
    else if (said === undefined) put(fields, meaning, value);
    else fields.keepAs(meaning.otherwise, value);
    return true;
  }
}

function put(fields: FieldSet, { isKnown, field }: AvlMeaning, value: number): void {
  if (isKnown) fields.set(field, value);
  else fields.keepAs(field, value);
}

/** A value that the field may not have: "not available", or not believed. */
function doubt(fields: FieldSet, id: number, raw: number, meaning: AvlMeaning): void {
  const { field, min, max, per, noValue } = meaning;
  if (raw === noValue || isUnavailableNumber(raw / per, raw)) return;
  fields.suspect(nameOf(id), raw, `outside ${min} to ${max} (${field})`);
}

/** All ones of four bytes: "not available" of CAN adapters. No counter in fractions of a unit comes that far. */
const ALL_ONES = 0xffff_ffff;

/** Whether the value is one that the field may have. */
function isMeant(
  { min, max, per, isFlag, noValue }: AvlMeaning,
  raw: number,
  value: number,
): boolean {
  if (raw === noValue || (raw === ALL_ONES && per > 1)) return false;
  return value >= min && value <= max && (!isFlag || value === 0 || value === 1);
}

/** An identifier of 8 bytes, such as half an ICCID or an iButton, would be rounded to another one. */
const isExact = (value: number): boolean =>
  Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isInteger(value);

const names: string[] = [];

function nameOf(id: number): string {
  names[id] ??= `avl_${id}`;
  return names[id] ?? "";
}
