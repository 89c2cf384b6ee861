import type { ListenerName } from "../../../domain/equipment/connection-log.ts";
import { type AssetId, isId } from "../../../domain/ids.ts";
import type { TlsFailure } from "../../../tls/failure.ts";
import type { ConnectionReport } from "../../broker/connection-outcome.ts";
import type { AssetDirectory } from "../../directories/asset-directory.ts";
import type { NotedConnection } from "./connection-log.ts";

/** User name of readers, who log in with an API key and are not assets. */
const READER = "apikey";

/**
 * What the broker reports of a connection as an entry of the log; `undefined`: of no interest to a
 * search for a device, as a reader that comes and goes.
 */
export function notedConnection(
  report: ConnectionReport,
  directory: Pick<AssetDirectory, "find">,
): NotedConnection | undefined {
  const { username, outcome, wasAccepted } = report;
  if (username === READER && (outcome === "accepted" || wasAccepted)) return undefined;
  // Port scanners and load balancers open connections and say nothing.
  if (report.clientId === undefined && outcome === "cut") return undefined;
  return {
    assetId: report.assetId ?? assetNamed(username, directory),
    atMs: report.atMs,
    address: report.address,
    listener: report.listener,
    protocolLevel: report.protocolLevel,
    outcome,
    detail: report.detail,
    clientId: report.clientId,
    username,
  };
}

/** A TLS handshake that failed, as an entry of the log. */
export function notedHandshake(
  failure: TlsFailure,
  directory: Pick<AssetDirectory, "find">,
): NotedConnection {
  const { names, reason, code } = failure;
  // Unproven, and of use all the same: it is the asset whose tracker is searched for.
  const [name] = names;
  return {
    assetId: assetNamed(name, directory),
    atMs: failure.atMs,
    address: failure.address,
    listener: failure.listener,
    protocolLevel: undefined,
    outcome: "tls_alert",
    detail: `${reason} (${code})`,
    clientId: undefined,
    username: name,
  };
}

/** The asset whose user name that is. */
export function assetNamed(
  username: string | undefined,
  directory: Pick<AssetDirectory, "find">,
): AssetId | undefined {
  if (username === undefined || !isId(username)) return undefined;
  return directory.find(username as AssetId) === undefined ? undefined : (username as AssetId);
}

/** What a listener other than the MQTT broker knows of a device that connects. */
export interface DeviceReport {
  readonly listener: Extract<ListenerName, "teltonika" | "osmand" | "http" | "https">;
  readonly outcome: string;
  /** What is known beyond the outcome, in words of ours. */
  readonly detail?: string | undefined;
  readonly assetId: AssetId | undefined;
  /** What the device calls itself, such as an IMEI. */
  readonly hardwareId: string | undefined;
  readonly address: string;
  /** Server clock, ms since the Unix epoch. */
  readonly atMs: number;
}

/** What such a listener reports as an entry of the log. */
export function notedDevice({ hardwareId, ...report }: DeviceReport): NotedConnection {
  return {
    ...report,
    protocolLevel: undefined,
    detail: report.detail,
    clientId: undefined,
    username: hardwareId,
  };
}
