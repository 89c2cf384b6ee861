import type { DecodedReading } from "../../domain/equipment/reading.ts";
import { remarkText } from "../../domain/equipment/remark-text.ts";
import { DomainError } from "../../domain/errors.ts";
import { parseDeviceTime } from "../decoders/fields/device-time.ts";
import { FieldSet } from "../decoders/fields/field-set.ts";
import { type DocumentNode, readDocument } from "./document.ts";
import { readLevels } from "./levels.ts";
import { textOf } from "./quantities.ts";
import { SECTION_READERS } from "./sections.ts";

/** What a machine is called; texts as the server sends them. */
export interface FleetHeader {
  readonly oemName: string | undefined;
  readonly model: string | undefined;
  /** The owner's name for it. */
  readonly equipmentId: string | undefined;
  readonly serialNumber: string | undefined;
  readonly pin: string | undefined;
}

/** What a machine says at one time of its own, in the units of the field names. */
export interface FleetSection {
  /** Lower case, such as `fuelremaining`. */
  readonly name: string;
  /** ms since the Unix epoch. */
  readonly timeMs: number;
  readonly fields: Readonly<Record<string, number>>;
}

/** A machine of another maker's server. */
export interface FleetMachine {
  readonly header: FleetHeader;
  /** Those that say something, each with a time of its own. */
  readonly sections: readonly FleetSection[];
  /** Sections that could not be taken, or not as they came, and why; the others were. */
  readonly problems: readonly string[];
}

/** One answer of a server. */
export interface FleetPage {
  readonly machines: readonly FleetMachine[];
  /** Where the next page is, as the server wrote it; `undefined`: this is the last. */
  readonly next: string | undefined;
  /** Whether it shows that the server sends levels as percent, and not as ratios. */
  readonly reportsPercent: boolean;
}

/**
 * Most machines of one page; the standard has 100. More take memory at a time; fewer refuse servers with larger
 * pages.
 */
const MAX_MACHINES = 1_000;

/**
 * Reads a fleet, or one machine, of an ISO 15143-3 (AEMP 2.0) or AEMP 1.2 server. It may be XML or
 * JSON, of any namespace, with names in any case; results are in the units of the field names. Pure: no
 * I/O, no clock, no state. `isPercent`: an earlier page of the server showed so.
 * @throws DomainError `DECODE_FAILED` when the answer is not a fleet at all.
 */
export function readFleet(body: Uint8Array, isPercent = false): FleetPage {
  const fleet = fleetOf(readDocument(body));
  const machines = fleet.list("equipment");
  if (machines.length > MAX_MACHINES) {
    throw new DomainError(
      "DECODE_FAILED",
      `${machines.length} machines on a page; ${MAX_MACHINES} are allowed`,
    );
  }
  const { percent, reportsPercent } = readLevels(machines, isPercent);
  const next = fleet.list("links").find((link) => textOf(link, "rel")?.toLowerCase() === "next");
  return {
    machines: machines.map((machine) => readMachine(machine, percent)),
    next: next && textOf(next, "href"),
    reportsPercent,
  };
}

/** The node that has the machines: a fleet, or what is around one machine or a bare list of them. */
function fleetOf(document: DocumentNode): DocumentNode {
  const [json] = document.list("json");
  const around = [document, json].find((node) => node?.has("fleet"));
  const [fleet] = around?.list("fleet") ?? [];
  if (fleet !== undefined) return fleet;
  const holder = [document, json].find((node) => node?.has("equipment"));
  if (holder !== undefined) return holder;
  const bare = document.list("json");
  if (json?.has("equipmentheader")) {
    const list = (name: string) => (name === "equipment" ? bare : []);
    const holder: DocumentNode = {
      text: "",
      list,
      has: (name) => name === "equipment",
      holderOf: (name) => (list(name).length > 0 ? holder : document.holderOf(name)),
    };
    return holder;
  }
  throw new DomainError("DECODE_FAILED", "the answer has neither a fleet nor equipment");
}

function readMachine(
  machine: DocumentNode,
  percent: (section: DocumentNode) => number | undefined,
): FleetMachine {
  const sections: FleetSection[] = [];
  const problems: string[] = [];
  for (const [name, read] of SECTION_READERS) {
    const [section] = machine.list(name);
    if (section === undefined) continue;
    const fields = new FieldSet(name);
    try {
      read(section, fields, percent);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      problems.push(error.message);
      continue;
    }
    for (const remark of fields.remarks ?? []) problems.push(`${name}: ${remarkText(remark)}`);
    if (Object.keys(fields.fields).length === 0) continue;
    const timeMs = parseDeviceTime(textOf(section, "datetime"));
    if (timeMs === undefined) problems.push(`${name}: no time`);
    else sections.push({ name, timeMs, fields: fields.fields });
  }
  return { header: headerOf(machine), sections, problems };
}

/** One reading for each time that the sections name, ascending. */
export function readingsOf(sections: readonly FleetSection[]): readonly DecodedReading[] {
  const byTime = new Map<number, Record<string, number>>();
  for (const { timeMs, fields } of sections) {
    byTime.set(timeMs, { ...byTime.get(timeMs), ...fields });
  }
  const times = Array.from(byTime.keys()).sort((a, b) => a - b);
  return times.map((deviceTimeMs) => ({
    deviceTimeMs,
    seq: undefined,
    fields: byTime.get(deviceTimeMs) ?? {},
    faults: undefined,
  }));
}

function headerOf(machine: DocumentNode): FleetHeader {
  const header = machine.list("equipmentheader")[0] ?? machine;
  return {
    oemName: textOf(header, "oemname", "make"),
    model: textOf(header, "model"),
    equipmentId: textOf(header, "equipmentid"),
    serialNumber: textOf(header, "serialnumber"),
    pin: textOf(header, "pin", "vin"),
  };
}
