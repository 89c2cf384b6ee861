import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { AssetState, LatestValue } from "../../ingest/asset-state/asset-state.ts";
import { ELEMENTS, type ElementKind, type FieldValues } from "./elements.ts";
import { type Equipment, isoSecond, type Part, type Section } from "./section.ts";

/** A PIN of ISO 10261, or a VIN of ISO 3779: 17 characters without I, O and Q. */
const PIN = /^[A-HJ-NPR-Z0-9]{17}$/;

/** A machine as it is now; a section is there when its value is known, with the time of that value. */
export function equipmentSnapshot(
  asset: AssetRegistration,
  state: AssetState | undefined,
): Equipment {
  const found = ELEMENTS.map((kind) => sectionOf(kind, state));
  return {
    header: headerOf(asset),
    sections: found.filter((section) => section !== undefined),
  };
}

/** `SerialNumber` always finds the machine again, in a path too, where only one has it. */
function headerOf(asset: AssetRegistration): Part[] {
  const { id, name, type, hardware_id, make, model, serial_number, created_at } = asset;
  return [
    ["UnitInstallDateTime", isoSecond(Date.parse(created_at))],
    ...(make === undefined ? [] : [["OEMName", make] as const]),
    ["Model", model ?? type],
    ["EquipmentID", name],
    ["SerialNumber", serial_number ?? hardware_id ?? id],
    ...(hardware_id !== undefined && PIN.test(hardware_id) ? [["PIN", hardware_id] as const] : []),
  ];
}

function sectionOf(kind: ElementKind, state: AssetState | undefined): Section | undefined {
  if (state === undefined) return undefined;
  const [field] = kind.fields;
  const newest = newestOf(field, state);
  if (newest === undefined) return undefined;
  const { value, fixTimeMs: timeMs } = newest;
  const parts = kind.parts(value, valuesAt(timeMs, kind.fields, state));
  return parts && { name: kind.name, timeMs, parts };
}

/** The newest value of a field: of the position by the fix, of the hours by the meter that counts them. */
function newestOf(field: string, state: AssetState): LatestValue | undefined {
  const { fix, latest, engineHours, lastUpdateMs } = state;
  if (field === "latitude") return fix && { value: fix.latitude, fixTimeMs: fix.fixTimeMs };
  if (field === "engine_hours" && engineHours?.source === "accumulated") {
    return { value: engineHours.value, fixTimeMs: lastUpdateMs };
  }
  return latest[field];
}

/** The values of one time: an altitude of another fix does not belong to this one. */
function valuesAt(timeMs: number, fields: readonly string[], state: AssetState): FieldValues {
  const { fix, latest } = state;
  const values: Record<string, number> = {};
  for (const field of fields) {
    const newest = latest[field];
    if (newest?.fixTimeMs === timeMs) values[field] = newest.value;
  }
  return fix?.fixTimeMs === timeMs ? { ...values, longitude: fix.longitude } : values;
}
