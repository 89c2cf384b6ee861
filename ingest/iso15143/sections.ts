import type { FieldSet } from "../decoders/fields/field-set.ts";
import type { DocumentNode } from "./document.ts";
import {
  amountOf,
  hoursOf,
  KILOGRAMS,
  KILOMETRES,
  KMH,
  LITRES,
  METRES,
  numberOf,
  textOf,
} from "./quantities.ts";

/** Puts what a section says into fields. `percent`: percent of a level, whatever the server means. */
export type SectionReader = (
  section: DocumentNode,
  fields: FieldSet,
  percent: (section: DocumentNode) => number | undefined,
) => void;

/** Sets a number that has no field with a meaning under its own name. */
const keep = (fields: FieldSet, name: string, value: number | undefined): void => {
  if (value !== undefined) fields.keep(name, value);
};

const TRUTH: Readonly<Record<string, number>> = { true: 1, "1": 1, false: 0, "0": 0 };

/** The sections that are read, by lower-case name. */
export const SECTION_READERS: ReadonlyMap<string, SectionReader> = new Map<string, SectionReader>([
  ["location", readLocation],
  ["cumulativeoperatinghours", (node, fields) => fields.set("engine_hours", hoursOf(node))],
  ["cumulativeidlehours", (node, fields) => fields.set("idle_hours", hoursOf(node))],
  [
    "cumulativeidlenonoperatinghours",
    (node, fields) => keep(fields, "idle_non_operating_hours", hoursOf(node)),
  ],
  ["cumulativepowertakeoffhours", (node, fields) => keep(fields, "pto_hours", hoursOf(node))],
  [
    "cumulativeactiveregenerationhours",
    (node, fields) => keep(fields, "regeneration_hours", hoursOf(node)),
  ],
  ["fuelused", (node, fields) => fields.set("fuel_used_liters", litresOf(node))],
  ["fuelusedlast24", (node, fields) => keep(fields, "fuel_used_last_24_h_liters", litresOf(node))],
  ["fuelremaining", (node, fields, percent) => fields.set("fuel_level_percent", percent(node))],
  ["defremaining", (node, fields, percent) => fields.set("def_level_percent", percent(node))],
  ["distance", readDistance],
  ["enginestatus", readEngine],
  [
    "averageloadfactorlast24",
    (node, fields) => keep(fields, "load_factor_last_24_h_percent", numberOf(node, "percent")),
  ],
  ["cumulativeloadcount", (node, fields) => fields.set("load_count", numberOf(node, "count"))],
  ["cumulativepayloadtotals", readPayload],
]);

function readLocation(node: DocumentNode, fields: FieldSet): void {
  const latitude = numberOf(node, "latitude");
  const longitude = numberOf(node, "longitude");
  if (latitude === undefined || longitude === undefined) return;
  fields.setPosition(latitude, longitude);
  fields.set("altitude_meters", amountOf(node, ["altitude"], ["altitudeunits"], METRES));
  // A speed without a unit may be anything.
  if (textOf(node, "speedunits") === undefined) return;
  fields.set("speed_kmh", amountOf(node, ["speed"], ["speedunits"], KMH));
}

/** Some servers have the unit in the name. */
function litresOf(node: DocumentNode): number | undefined {
  return (
    numberOf(node, "fuelconsumedlitres", "fuelconsumedliters") ??
    amountOf(node, ["fuelconsumed"], ["fuelunits"], LITRES)
  );
}

function readDistance(node: DocumentNode, fields: FieldSet): void {
  const kilometres =
    numberOf(node, "odometerkilometre", "odometerkilometres") ??
    amountOf(node, ["odometer"], ["odometerunits"], KILOMETRES);
  fields.set("odometer_km", kilometres);
}

function readEngine(node: DocumentNode, fields: FieldSet): void {
  const running = textOf(node, "running")?.toLowerCase() ?? "";
  if (Object.hasOwn(TRUTH, running)) fields.set("engine_on", TRUTH[running]);
}

/** `weight` with `weightUom` is Komatsu's; the draft of the standard had `WeightUnit`. */
function readPayload(node: DocumentNode, fields: FieldSet): void {
  const units = ["payloadunits", "weightuom", "weightunit"];
  keep(fields, "payload_total_kg", amountOf(node, ["payload", "weight"], units, KILOGRAMS));
}
