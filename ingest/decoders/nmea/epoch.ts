import type { DecodedReading } from "../../../domain/equipment/reading.ts";
import { FieldSet } from "../fields/field-set.ts";
import { inUnit, KMH_PER_KNOT } from "../fields/units.ts";
import { FORMATTER_BIT, type Formatter, type Sentence, type SuspectText } from "./sentence.ts";
import { failure, noteSuspect, number, position } from "./values.ts";

/** Dilutions from here on mean "not available": u-blox writes 99.99, others 99.9. */
const NO_DILUTION = 99;
/** GGA quality: 1 GNSS, 2 differential, 3 PPS, 4 RTK, 5 float RTK, 9 SBAS; 6 to 8 are estimated, typed in, simulated. */
const FIX_QUALITIES = "123459";
/** Modes of RMC and VTG that say the same: estimated, typed in, simulated; and not valid. */
const NO_FIX_MODES = new Set(["E", "M", "S", "N"]);
/**
 * Fields that a sentence must have to be read, the address among them. VTG of 7 ends after the knots, GSA of
 * 3 after the fix type: short forms of receivers that leave out what they do not know.
 */
const LEAST_FIELDS = { RMC: 10, GGA: 11, VTG: 7, GSA: 3 } as const satisfies Record<
  Formatter,
  number
>;
/** Fields of a GSA with all of its twelve satellites; in a shorter one the dilutions have no known place. */
const WHOLE_GSA = 18;

/** What the sentences of one moment say together. The first value stays. */
export class Epoch {
  /** UTC, ms since midnight; `undefined`: no sentence of it has a time. */
  readonly timeOfDayMs: number | undefined;
  /** Midnight UTC of its date, ms since the Unix epoch; `undefined`: no RMC gave one. */
  dateMs: number | undefined;
  #has = 0;
  #first: Sentence | undefined;
  /** One sentence says there is no fix: then there is none, whatever the others say. */
  #isVoid = false;
  #latitude: number | undefined;
  #longitude: number | undefined;
  #altitudeM: number | undefined;
  #geoidSeparationM: number | undefined;
  #speedKmh: number | undefined;
  #heading: number | undefined;
  #satellites: number | undefined;
  #hdop: number | undefined;
  #pdop: number | undefined;
  #vdop: number | undefined;
  #fixQuality: number | undefined;
  #fixType: number | undefined;
  readonly #suspects: SuspectText[] = [];

  constructor(timeOfDayMs: number | undefined) {
    this.timeOfDayMs = timeOfDayMs;
  }

  has(formatter: Formatter): boolean {
    return (this.#has & FORMATTER_BIT[formatter]) !== 0;
  }

  /** Takes in what a sentence says. @throws DomainError `DECODE_FAILED` naming the sentence. */
  add(sentence: Sentence): void {
    const { formatter, fields } = sentence;
    if (fields.length < LEAST_FIELDS[formatter]) {
      throw failure(sentence, `${fields.length} fields; ${LEAST_FIELDS[formatter]} are needed`);
    }
    this.#has |= FORMATTER_BIT[formatter];
    this.#first ??= sentence;
    if (formatter === "RMC") this.#addRmc(sentence);
    else if (formatter === "GGA") this.#addGga(sentence);
    else if (formatter === "VTG") this.#addVtg(sentence);
    else this.#addGsa(sentence);
    if (sentence.suspects !== undefined) this.#suspects.push(...sentence.suspects);
  }

  /** `deviceTimeMs`: when it was, ms since the Unix epoch. @throws DomainError `DECODE_FAILED`. */
  toReading(deviceTimeMs: number | undefined): DecodedReading {
    const set = new FieldSet(`epoch of sentence ${this.#first?.number}`);
    if (!this.#isVoid) {
      if (this.#latitude !== undefined && this.#longitude !== undefined) {
        set.setPosition(this.#latitude, this.#longitude);
      }
      set.set("altitude_meters", this.#altitudeM);
      set.set("speed_kmh", this.#speedKmh);
      set.set("heading", this.#heading);
      set.set("hdop", this.#hdop);
      set.set("pdop", this.#pdop);
      if (this.#vdop !== undefined) set.keep("vdop", this.#vdop);
      if (this.#geoidSeparationM !== undefined) {
        set.keep("geoid_separation_meters", this.#geoidSeparationM);
      }
    }
    set.set("satellites", this.#satellites);
    if (this.#fixQuality !== undefined) set.keep("fix_quality", this.#fixQuality);
    if (this.#fixType !== undefined) set.keep("fix_type", this.#fixType);
    for (const { name, text } of this.#suspects)
      set.suspect(name, text, "not a number in the unit of the standard");
    return set.toReading(deviceTimeMs);
  }

  /** Mode 12 came with 2.3. Field 13 of 4.1 is a safety level of the ship: its V says nothing of the fix. */
  #addRmc(sentence: Sentence): void {
    const status = sentence.fields[2];
    if (status !== "A" && status !== "V" && status !== "") {
      throw failure(sentence, "the status is neither A nor V");
    }
    if (status !== "A" || NO_FIX_MODES.has(sentence.fields[12] ?? "")) {
      this.#isVoid = true;
      return;
    }
    this.#locate(sentence, 3);
    this.#move(number(sentence, 7, "speed"), KMH_PER_KNOT, number(sentence, 8, "course"));
  }

  #addGga(sentence: Sentence): void {
    const quality = sentence.fields[6] ?? "";
    // `01`: some receivers pad every number.
    if (!/^0?\d?$/.test(quality)) throw failure(sentence, "the quality is not one digit");
    this.#fixQuality ??= Number(quality);
    this.#satellites ??= number(sentence, 7, "number of satellites");
    if (quality === "" || !FIX_QUALITIES.includes(quality.slice(-1))) {
      this.#isVoid = true;
      return;
    }
    this.#locate(sentence, 2);
    this.#hdop ??= dilution(sentence, 8, "HDOP");
    this.#altitudeM ??= this.#metres(sentence, 9, "altitude");
    this.#geoidSeparationM ??= this.#metres(sentence, 11, "geoid separation");
  }

  #addVtg(sentence: Sentence): void {
    if (NO_FIX_MODES.has(sentence.fields[9] ?? "")) return;
    const course = number(sentence, 1, "course");
    const knots = number(sentence, 5, "speed");
    const kmh = number(sentence, 7, "speed");
    // Without a fix some receivers leave the marks out as well.
    if (!isMarked(sentence, 6, knots, "N") || !isMarked(sentence, 8, kmh, "K")) {
      throw failure(sentence, "the speeds are not marked N and K");
    }
    if (kmh === undefined) this.#move(knots, KMH_PER_KNOT, course);
    else this.#move(kmh, 1, course);
  }

  /** One sentence a constellation, of which one may have no fix of its own. */
  #addGsa(sentence: Sentence): void {
    const type = number(sentence, 2, "fix type");
    if (type === undefined) return;
    this.#fixType = Math.max(this.#fixType ?? 0, type);
    if (type < 2 || sentence.fields.length < WHOLE_GSA) return;
    this.#pdop ??= dilution(sentence, 15, "PDOP");
    this.#hdop ??= dilution(sentence, 16, "HDOP");
    this.#vdop ??= dilution(sentence, 17, "VDOP");
  }

  #locate(sentence: Sentence, index: number): void {
    const found = position(sentence, index);
    if (this.#latitude !== undefined) return;
    this.#latitude = found?.latitude;
    this.#longitude = found?.longitude;
  }

  #move(speed: number | undefined, kmhPerUnit: number, course: number | undefined): void {
    if (speed !== undefined) this.#speedKmh ??= inUnit(speed, kmhPerUnit);
    this.#heading ??= course;
  }

  /** A length and its unit, which is metres in every version of the standard. */
  #metres(sentence: Sentence, index: number, name: string): number | undefined {
    const value = number(sentence, index, name);
    if (value === undefined || sentence.fields[index + 1] === "M") return value;
    noteSuspect(sentence, index, name);
    return undefined;
  }
}

/** Whether a value, if there is one, has its unit in field `index`, which a short sentence may lack. */
function isMarked(
  { fields }: Sentence,
  index: number,
  value: number | undefined,
  unit: string,
): boolean {
  return fields[index] === unit || (value === undefined && (fields[index] ?? "") === "");
}

function dilution(sentence: Sentence, index: number, name: string): number | undefined {
  const value = number(sentence, index, name);
  return value === undefined || value >= NO_DILUTION ? undefined : value;
}
