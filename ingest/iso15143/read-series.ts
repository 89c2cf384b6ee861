import type { FleetSeries } from "../../domain/equipment/fleet-series.ts";
import {
  type FaultCode,
  MAX_FAULT_CODE_LENGTH,
  MAX_FAULT_TEXT_LENGTH,
} from "../../domain/equipment/reading.ts";
import { remarkText } from "../../domain/equipment/remark-text.ts";
import { DomainError } from "../../domain/errors.ts";
import { parseDeviceTime } from "../decoders/fields/device-time.ts";
import { FieldSet } from "../decoders/fields/field-set.ts";
import { type DocumentNode, readDocument } from "./document.ts";
import { readLevels } from "./levels.ts";
import { textOf } from "./quantities.ts";
import type { FleetSection } from "./read-fleet.ts";
import { SECTION_READERS } from "./sections.ts";

/** A fault code as a machine reported it at a time of its own. */
export interface ReportedFault {
  /** ms since the Unix epoch. */
  readonly timeMs: number;
  readonly code: FaultCode;
}

/** One page of a series; entries in the order of the page. */
export interface SeriesPage {
  readonly sections: readonly FleetSection[];
  readonly faults: readonly ReportedFault[];
  /** Where the next page is, as the server wrote it; `undefined`: this is the last. */
  readonly next: string | undefined;
  /** Entries that could not be read, the first of them in words, and how many there are. */
  readonly problem: string | undefined;
  readonly unread: number;
  /** The first value that is not believed, in words; the entries that have one are among `sections`. */
  readonly suspect: string | undefined;
}

/** Names of the entries of each series, lower case, and the section whose reader they have. */
const ENTRIES: Readonly<
  Record<FleetSeries, { readonly names: readonly string[]; readonly section: string }>
> = {
  Faults: { names: ["faultcode", "fault"], section: "" },
  Locations: { names: ["location"], section: "location" },
  CumulativeOperatingHours: {
    names: ["cumulativeoperatinghours"],
    section: "cumulativeoperatinghours",
  },
  CumulativeIdleHours: { names: ["cumulativeidlehours"], section: "cumulativeidlehours" },
  CumulativeFuelUsed: { names: ["fuelused", "cumulativefuelused"], section: "fuelused" },
  FuelRemainingRatio: { names: ["fuelremaining", "fuelremainingratio"], section: "fuelremaining" },
  DEFRemainingRatio: { names: ["defremaining", "defremainingratio"], section: "defremaining" },
  Distance: { names: ["distance", "cumulativedistance"], section: "distance" },
  EngineCondition: { names: ["enginestatus", "enginecondition"], section: "enginestatus" },
  CumulativeLoadCount: { names: ["cumulativeloadcount"], section: "cumulativeloadcount" },
  CumulativePayloadTotals: {
    names: ["cumulativepayloadtotals"],
    section: "cumulativepayloadtotals",
  },
};
/** Most entries of one page; the standard has 100. More would be read for seconds. */
const MAX_ENTRIES = 5_000;
const SPN_FMI = /\bSPN\D{0,3}(\d{1,6})\D{1,10}?FMI\D{0,3}(\d{1,2})\b/i;
const J1939_ADDRESS = /\baddress\D{0,3}(\d{1,3})\b/i;
const MAX = { spn: 524_287, fmi: 31, source: 253 };

/**
 * Reads a page of a time series of an ISO 15143-3 server, XML or JSON, of any namespace, with names in any case.
 * Pure: no I/O, no clock, no state. `isPercent`: the server is known to send levels as percent.
 * @throws DomainError `DECODE_FAILED` when the answer is not such a page at all.
 */
export function readSeries(body: Uint8Array, series: FleetSeries, isPercent: boolean): SeriesPage {
  const document = readDocument(body);
  const { names, section } = ENTRIES[series];
  const found = names.flatMap((name) => {
    const holder = document.holderOf(name);
    return holder === undefined ? [] : [{ holder, entries: holder.list(name) }];
  });
  const [{ holder, entries } = { holder: document, entries: [] }] = found;
  if (entries.length > MAX_ENTRIES) {
    throw new DomainError(
      "DECODE_FAILED",
      `${entries.length} entries on a page; ${MAX_ENTRIES} are allowed`,
    );
  }
  const links = document.holderOf("links")?.list("links") ?? holder.list("links");
  const next = links.find((link) => textOf(link, "rel")?.toLowerCase() === "next");
  const { percent } = readLevels([holder], isPercent);
  const page = { sections: [] as FleetSection[], faults: [] as ReportedFault[] };
  let problem: string | undefined;
  let unread = 0;
  let suspect: string | undefined;
  for (const entry of entries) {
    try {
      if (series === "Faults") {
        page.faults.push(readFault(entry));
        continue;
      }
      const fields = new FieldSet(section);
      page.sections.push(...readEntry(entry, section, fields, percent));
      const [remark] = fields.remarks ?? [];
      if (remark !== undefined) suspect ??= remarkText(remark);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      problem ??= error.message;
      unread += 1;
    }
  }
  return { ...page, next: next && textOf(next, "href"), problem, unread, suspect };
}

/** One, or none: the entry says nothing that is read. */
function readEntry(
  entry: DocumentNode,
  name: string,
  fields: FieldSet,
  percent: (section: DocumentNode) => number | undefined,
): readonly FleetSection[] {
  SECTION_READERS.get(name)?.(entry, fields, percent);
  const timeMs = readTime(entry, name);
  return Object.keys(fields.fields).length === 0 ? [] : [{ name, timeMs, fields: fields.fields }];
}

function readTime(entry: DocumentNode, name: string): number {
  const timeMs = parseDeviceTime(textOf(entry, "datetime"));
  if (timeMs === undefined) throw new DomainError("DECODE_FAILED", `${name}: no time`);
  return timeMs;
}

/** `SPN 100 FMI 1` in whatever words is a fault of J1939; every other identifier is the maker's own code. */
function readFault(entry: DocumentNode): ReportedFault {
  const timeMs = readTime(entry, "fault");
  const identifier = textOf(entry, "codeidentifier") ?? "";
  const given = SPN_FMI.exec(identifier);
  const spn = whole(given?.[1] ?? textOf(entry, "spn"), MAX.spn);
  const fmi = whole(given?.[2] ?? textOf(entry, "fmi"), MAX.fmi);
  const address = J1939_ADDRESS.exec(textOf(entry, "codesource") ?? "")?.[1];
  const source = whole(address, MAX.source);
  const from = source === undefined ? {} : { source };
  if (spn !== undefined && fmi !== undefined) return { timeMs, code: { spn, fmi, ...from } };
  const code = printable(identifier, MAX_FAULT_CODE_LENGTH);
  if (code === "") throw new DomainError("DECODE_FAILED", "fault: no code identifier");
  return {
    timeMs,
    code: {
      code,
      ...from,
      ...text(entry, "description", "codedescription", MAX_FAULT_TEXT_LENGTH),
      ...text(entry, "reported_severity", "codeseverity", MAX_FAULT_CODE_LENGTH),
    },
  };
}

function text<Name extends "description" | "reported_severity">(
  entry: DocumentNode,
  name: Name,
  part: string,
  longest: number,
): Partial<Record<Name, string>> {
  const words = printable(textOf(entry, part) ?? "", longest, /[\p{Cc}\p{Cs}]/gu);
  return words === "" ? {} : ({ [name]: words } as Record<Name, string>);
}

const printable = (words: string, longest: number, without: RegExp = /[^ -~]/g): string =>
  words.replace(without, " ").replace(/ {2,}/g, " ").trim().slice(0, longest).trim();

function whole(digits: string | undefined, max: number): number | undefined {
  const number = digits === undefined || !/^\d{1,6}$/.test(digits) ? Number.NaN : Number(digits);
  return number <= max ? number : undefined;
}
