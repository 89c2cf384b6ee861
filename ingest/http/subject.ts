import { type AssetId, isId } from "../../domain/ids.ts";
import { deviceEuiOf, isLorawanDecoder } from "../decoders/lorawan/device-eui.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";

/** The subject of a message. */
export type Subject =
  | { readonly entry: AssetEntry }
  /** A device that no asset of the network server's project is registered for. */
  | { readonly unknown: string }
  /** What names an asset that the caller may not speak for, or that does not exist; it hears the same of both. */
  | { readonly foreign: string };

/** How a request names the asset that it is about. */
export interface SubjectNames {
  /** `?asset=`. */
  readonly asset: string | undefined;
  /** User and device of OwnTracks' HTTP mode (`X-Limit-U` and `X-Limit-D`, or `?u=` and `?d=`). */
  readonly user: string | undefined;
  readonly device: string | undefined;
}

type Find = Pick<AssetDirectory, "find" | "findByHardwareId">;

/** The assets whose readings a caller may send, itself first; all are of its project. */
export function assetsSpokenFor(
  caller: AssetEntry,
  directory: Pick<AssetDirectory, "entries">,
): readonly AssetId[] {
  const isServer = isNetworkServer(caller);
  const others = Array.from(directory.entries()).filter(
    (entry) =>
      entry.asset.id !== caller.asset.id &&
      (mayGatewaySpeakFor(caller, entry) ||
        (isServer && isDeviceOf(caller, entry) && EUI.test(entry.asset.hardware_id ?? ""))),
  );
  return [caller.asset.id, ...others.map(({ asset }) => asset.id)];
}

/** Eight bytes in hexadecimal, as both network servers write an EUI. */
const EUI = /^[0-9a-f]{16}$/i;

/**
 * The asset that a request is about as a whole: the caller itself, unless it names another one that the
 * caller may speak for.
 */
export function subjectOf(
  caller: AssetEntry,
  { asset, user, device }: SubjectNames,
  directory: Find,
): Subject {
  if (asset !== undefined) return named(caller, asset, directory);
  if (user === undefined || user === "") return { entry: caller };
  return ownTracksSubject(caller, user, device ?? "", directory);
}

function named(caller: AssetEntry, asset: string, directory: Find): Subject {
  if (asset === caller.asset.id) return { entry: caller };
  const entry = isId(asset) ? directory.find(asset as AssetId) : undefined;
  return entry !== undefined && mayGatewaySpeakFor(caller, entry) ? { entry } : { foreign: asset };
}

/** The app sends its user name, which is the caller's, and its device id: of itself, or of a phone below it. */
function ownTracksSubject(
  caller: AssetEntry,
  user: string,
  device: string,
  directory: Find,
): Subject {
  const { id, hardware_id: hardwareId } = caller.asset;
  const name = `${user}/${device}`;
  if (hardwareId === name) return { entry: caller };
  const below = directory.findByHardwareId(name);
  if (below !== undefined && mayGatewaySpeakFor(caller, below)) return { entry: below };
  if (user === id || user === hardwareId) return { entry: caller };
  return { foreign: user };
}

/**
 * The asset that one message of a LoRaWAN network server is about, by the EUI of the device. A message
 * without one is the caller's, who then finds it in the quarantine.
 */
export function lorawanSubject(
  caller: AssetEntry,
  decoder: string,
  payload: Uint8Array,
  directory: Find,
): Subject {
  const eui = deviceEuiOf(decoder, payload);
  if (eui === undefined) return { entry: caller };
  if (caller.asset.hardware_id?.toUpperCase() === eui.toUpperCase()) return { entry: caller };
  if (!isNetworkServer(caller)) return { foreign: eui };
  // The Things Stack writes upper case, ChirpStack lower case; either may be registered.
  for (const hardwareId of [eui, eui.toUpperCase(), eui.toLowerCase()]) {
    const entry = directory.findByHardwareId(hardwareId);
    if (entry !== undefined && isDeviceOf(caller, entry)) return { entry };
  }
  return { unknown: eui };
}

/**
 * Whether an asset is a gateway of another one: as for a Sparkplug edge node, the name of the device begins
 * with that of the gateway. Both are of one project, so that a name of another tenant cannot be taken over.
 */
function mayGatewaySpeakFor({ asset: gateway, project }: AssetEntry, device: AssetEntry): boolean {
  const { hardware_id: name } = gateway;
  return (
    name !== undefined &&
    project.id === device.project.id &&
    (device.asset.hardware_id?.startsWith(`${name}/`) ?? false)
  );
}

/** Registered with a decoder of a network server, and not as one of its devices. */
function isNetworkServer({ asset }: AssetEntry): boolean {
  return isLorawanDecoder(asset.decoder) && !EUI.test(asset.hardware_id ?? "");
}

function isDeviceOf(server: AssetEntry, { asset, project }: AssetEntry): boolean {
  return project.id === server.project.id && isLorawanDecoder(asset.decoder);
}
