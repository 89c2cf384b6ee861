import type { FleetMachineNames } from "../../../../storage/ports/equipment/fleet-sources.ts";
import type { AssetDirectory, AssetEntry } from "../../../directories/asset-directory.ts";
import type { FleetHeader } from "../../read-fleet.ts";
import { MAX_NAME } from "../pages/limits.ts";

/** The asset that a machine is: one, none (`undefined`), or more than one. */
export type MachineMatch = AssetEntry | undefined | { readonly problem: string };

/**
 * The asset whose `hardware_id` is the machine's PIN, serial number or equipment id, character by character.
 * Two names that are those of two assets say that something is registered wrongly: nothing is taken then.
 */
export function matchMachine(
  directory: Pick<AssetDirectory, "findByHardwareId">,
  { pin, serialNumber, equipmentId }: FleetHeader,
): MachineMatch {
  const names = [pin, serialNumber, equipmentId].filter((name) => name !== undefined);
  const found = new Map<string, AssetEntry>();
  for (const name of names) {
    const entry = directory.findByHardwareId(name);
    if (entry !== undefined) found.set(entry.asset.id, entry);
  }
  const [entry] = found.values();
  if (found.size <= 1) return entry;
  return { problem: `its names are those of several assets: ${[...found.keys()].join(", ")}` };
}

/** What identifies a machine within one fleet. */
export const identityOf = ({ oemName, model, pin, serialNumber, equipmentId }: FleetHeader) =>
  JSON.stringify([oemName, model, pin, serialNumber, equipmentId]);

/** The names that an identity was made of. */
export function headerOf(identity: string): FleetHeader {
  const [oemName, model, pin, serialNumber, equipmentId] = (
    JSON.parse(identity) as (string | null)[]
  ).map((name) => name ?? undefined);
  return { oemName, model, pin, serialNumber, equipmentId };
}

/** A machine in words, for people who read its problems. */
export function machineName({
  oemName,
  model,
  pin,
  serialNumber,
  equipmentId,
}: FleetHeader): string {
  const name = pin ?? serialNumber ?? equipmentId ?? "without a name";
  return [oemName, model, name]
    .filter((part) => part !== undefined)
    .join(" ")
    .slice(0, MAX_NAME);
}

/** Its names as they are kept: those that are there, cut to a bearable length. */
export function keptNames(header: FleetHeader): FleetMachineNames {
  const given = Object.entries(header).filter(([, text]) => text !== undefined);
  return Object.fromEntries(given.map(([name, text]) => [name, text?.slice(0, MAX_NAME)]));
}
