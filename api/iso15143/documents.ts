import { xmlElement, xmlNumber, xmlText } from "../representations/xml-text.ts";
import type { Representation } from "./representation.ts";
import { type Equipment, isoSecond, type Link, type Part, type Section } from "./section.ts";
import { xmlDocument } from "./xml.ts";

/** `version` of a fleet, as other makers' servers have it. */
const VERSION = "1";

/** One page of machines as they are now, and the links of the page. */
export interface Fleet {
  readonly equipment: readonly Equipment[];
  readonly links: readonly Link[];
}

/** One page of a time series. */
export interface Series {
  /** Name of the sections' element. */
  readonly name: string;
  readonly sections: readonly Section[];
  readonly links: readonly Link[];
}

/** `snapshotMs`: when it was asked for, ms since the Unix epoch. */
export function fleetDocument(fleet: Fleet, snapshotMs: number, form: Representation): string {
  const { equipment, links } = fleet;
  if (form === "json") {
    return JSON.stringify({
      ...snapshotObject(snapshotMs),
      Equipment: equipment.map(equipmentObject),
      links,
    });
  }
  const machines = equipment.map((machine) => xmlElement("Equipment", equipmentXml(machine)));
  return xmlDocument("Fleet", linksXml(links) + machines.join(""), snapshotObject(snapshotMs));
}

/** One machine alone. */
export function equipmentDocument(
  equipment: Equipment,
  snapshotMs: number,
  form: Representation,
): string {
  if (form === "json") {
    return JSON.stringify({ ...snapshotObject(snapshotMs), ...equipmentObject(equipment) });
  }
  return xmlDocument("Equipment", equipmentXml(equipment), snapshotObject(snapshotMs));
}

/** XML has the sections in `LocationMessages` and the like, JSON in an array of the section's name. */
export function seriesDocument({ name, sections, links }: Series, form: Representation): string {
  if (form === "json") return JSON.stringify({ [name]: sections.map(sectionObject), links });
  return xmlDocument(`${name}Messages`, linksXml(links) + sections.map(sectionXml).join(""));
}

const snapshotObject = (snapshotMs: number) => ({
  version: VERSION,
  snapshotTime: isoSecond(snapshotMs),
});

function equipmentObject({ header, sections }: Equipment): object {
  const named = sections.map((section) => [section.name, sectionObject(section)]);
  return { EquipmentHeader: Object.fromEntries(header), ...Object.fromEntries(named) };
}

const sectionObject = ({ timeMs, parts }: Section): object => ({
  datetime: isoSecond(timeMs),
  ...Object.fromEntries(parts),
});

const equipmentXml = ({ header, sections }: Equipment): string =>
  xmlElement("EquipmentHeader", partsXml(header)) + sections.map(sectionXml).join("");

const sectionXml = ({ name, timeMs, parts }: Section): string =>
  xmlElement(name, partsXml(parts), { datetime: isoSecond(timeMs) });

const partsXml = (parts: readonly Part[]): string =>
  parts.map(([name, value]) => xmlElement(name, valueXml(value))).join("");

function valueXml(value: Part[1]): string {
  if (typeof value === "number") return xmlNumber(value);
  return typeof value === "string" ? xmlText(value) : String(value);
}

const linksXml = (links: readonly Link[]): string =>
  links
    .map(({ rel, href }) =>
      xmlElement("Links", xmlElement("rel", rel) + xmlElement("href", xmlText(href))),
    )
    .join("");
