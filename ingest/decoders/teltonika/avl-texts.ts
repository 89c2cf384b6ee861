import type { DeviceNotice, FaultCode } from "../../../domain/equipment/reading.ts";
import { MAX_FAULTS } from "../fields/fault-codes.ts";
import type { AvlFields } from "./avl-fields.ts";
import { readBeacons } from "./beacons.ts";
import { BEACONS, IBUTTON, PARTS, TROUBLE_CODES, VINS } from "./text-ids.ts";

/** Longest text that is an identifier, characters; a VIN has 17, a driver card 16. */
const MAX_TEXT = 40;
const NO_NOTICES: readonly DeviceNotice[] = [];
const CONTROLS = /[^ -~]/g;
/** A trouble code of ISO 15031-6, with the failure type of ISO 14229-1 where the tracker adds it. */
const TROUBLE_CODE = /^[PCBU][0-9A-F]{4}(?:-?[0-9A-F]{2})?$/;

/**
 * What the records of one packet say in texts: who drives, which vehicle it is, its trouble codes, the beacons
 * around. A text becomes a notice of kind `identified`, once as long as it stays the same.
 */
export class AvlTexts {
  /** Trouble codes of the record that is read; `undefined`: it has none of these ids. */
  faults: readonly FaultCode[] | undefined;
  /** Made when the first text comes: most packets have none. */
  #notices: DeviceNotice[] | undefined;
  #said: Map<string, string> | undefined;
  #parts: Map<number, Buffer> | undefined;
  #timeMs: number | undefined;
  /** Of the record: OBD and a CAN adapter may read different VINs, which does not count as a change. */
  #hasVin = false;
  /** The iButton of the record before; `undefined`: none had one yet. */
  #buttonHigh: number | undefined;
  #buttonLow: number | undefined;

  /**
   * Texts sent, the oldest first: trackers may send the newest record first, and then the change is a different
   * one.
   */
  notices(): readonly DeviceNotice[] {
    const notices = this.#notices ?? NO_NOTICES;
    if (notices.length < 2) return notices;
    return [...notices].sort((a, b) => (a.timeMs ?? 0) - (b.timeMs ?? 0));
  }

  /** Begins a record; `timeMs`: its own time, ms since the Unix epoch. */
  begin(timeMs: number | undefined): void {
    this.faults = undefined;
    this.#parts = undefined;
    this.#hasVin = false;
    this.#timeMs = timeMs;
  }

  /** Takes an id of eight bytes, or one, that holds a part of a text. */
  takePart(id: number, bytes: Buffer): void {
    this.#parts ??= new Map();
    this.#parts.set(id, bytes);
  }

  /** Takes an iButton as the two halves of its eight bytes. */
  takeButton(high: number, low: number): void {
    // Most records repeat it, and most of those say that there is none: text is made of a change only.
    if (high === this.#buttonHigh && low === this.#buttonLow) return;
    this.#buttonHigh = high;
    this.#buttonLow = low;
    if (high === 0 && low === 0) {
      this.#note("ibutton", "");
      return;
    }
    // Sent with the family code (01) first; the button has it engraved last, behind checksum and number.
    const engraved = Buffer.alloc(8);
    engraved.writeUInt32BE(high);
    engraved.writeUInt32BE(low, 4);
    this.#note("ibutton", engraved.reverse().toString("hex").toUpperCase());
  }

  /** Takes an id of any length; yields whether it was understood. */
  takeVariable(id: number, bytes: Buffer, avl: AvlFields): boolean {
    if (VINS.has(id)) this.#sayVin(bytes.toString("latin1"));
    else if (id === TROUBLE_CODES) this.#sayTroubleCodes(bytes.toString("latin1"));
    else if (id === BEACONS) return this.#takeBeacons(bytes, avl);
    else return false;
    return true;
  }

  /** Ends a record: puts together what came in parts. */
  end(): void {
    const parts = this.#parts;
    if (parts === undefined) return;
    const texts = new Map<string, string>();
    for (const [name, ids] of PARTS) {
      const given = ids.flatMap((id) => parts.get(id) ?? []);
      if (given.length === 0) continue;
      // The first of two sources of a name that has one.
      texts.set(name, texts.get(name) || textOf(Buffer.concat(given).toString("latin1")));
    }
    for (const [name, text] of texts) this.#say(name, text);
  }

  /** Takes an id that Codec JSON has as text; yields whether it is one of these. */
  takeText(id: number, text: string): boolean {
    if (VINS.has(id)) this.#sayVin(text);
    else if (id === TROUBLE_CODES) this.#sayTroubleCodes(text);
    else if (id === IBUTTON) return this.#sayButton(text);
    else return false;
    return true;
  }

  #sayVin(text: string): void {
    // A vehicle does not lose its number: nothing there is a bus that was not read.
    const vin = textOf(text);
    if (vin === "" || this.#hasVin) return;
    this.#hasVin = true;
    this.#say("vin", vin);
  }

  /** `P0299,P0675`; "" or words: the vehicle has none (wiki, `faultcodes`). */
  #sayTroubleCodes(text: string): void {
    const codes = text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => TROUBLE_CODE.test(code));
    this.faults = [...new Set(codes)].slice(0, MAX_FAULTS).map((code) => ({ code }));
  }

  /** In the order in which it is sent. */
  #sayButton(text: string): boolean {
    const digits = HEX_OF_8.exec(text)?.[1]?.toUpperCase();
    if (digits === undefined) return false;
    this.#say("ibutton", isBlank(digits) ? "" : digits);
    return true;
  }

  /** `value` "": no person, or nothing there. */
  #say(name: string, value: string): void {
    this.#said ??= new Map();
    if (this.#said.get(name) === value) return;
    this.#said.set(name, value);
    this.#note(name, value);
  }

  #note(name: string, value: string): void {
    this.#notices ??= [];
    this.#notices.push({ kind: "identified", timeMs: this.#timeMs, data: { name, value } });
  }

  #takeBeacons(bytes: Buffer, avl: AvlFields): boolean {
    const beacons = readBeacons(bytes);
    if (beacons === undefined) return false;
    let isWhole = avl.keepSpare("beacon_count", beacons.count);
    beacons.first.forEach(({ id, rssiDbm, battery, temperature }, i) => {
      const name = `beacon_${i + 1}`;
      this.#say(name, id);
      const values = { rssi_dbm: rssiDbm, battery, temperature };
      for (const [part, value] of Object.entries(values)) {
        if (value !== undefined) isWhole &&= avl.keepSpare(`${name}_${part}`, value);
      }
    });
    return isWhole;
  }
}

const HEX_OF_8 = /^(?:0x)?([0-9A-F]{16})$/i;
const isBlank = (digits: string): boolean => /^0*$/.test(digits);

/** The text without what fills it up; zeros, blanks and bytes that are not text. */
const textOf = (text: string): string => text.replace(CONTROLS, "").trim().slice(0, MAX_TEXT);
